/** How much code. */
import { bars } from '../bars.ts';
import { countText, megabytes, plain } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { mainEngine, STUDY } from './ciphers.ts';

const CODE = `${STUDY}/code/4096`;
const SALSA_CODE = `${STUDY}/code/salsa20/4096`;
const ROLLED = 'memory 1x4 by hand';

interface Kernel {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly speed: number | undefined;
  readonly cycles: number | undefined;
}

const OURS: Readonly<Record<string, string>> = { 'simd kernel': 'SIMD', 'scalar kernel': 'scalar' };

export function code(data: StudyData, shown: Shown): (string | undefined)[] {
  const main = mainEngine(data, CODE);
  if (main === undefined) return [];
  /** Kernels of ChaCha20 by their names, and those of Salsa20. */
  const kernelsOf = (contest: string, cipher: string): Kernel[] =>
    data.cases(main.id, contest).flatMap((id) => {
      const bytes = data.parameter(main.id, contest, id, 'codeBytes');
      if (typeof bytes !== 'number') return [];
      const name = OURS[id] === undefined ? id : `the library, ${cipher}, ${OURS[id]}`;
      return [{ id, name, bytes, speed: data.speed(main.id, contest, id), cycles: data.cycles(main.id, contest, id) }];
    });
  const kernels = [...kernelsOf(CODE, 'ChaCha20'), ...kernelsOf(SALSA_CODE, 'Salsa20')].sort(
    (a, b) => a.bytes - b.bytes,
  );
  const byHand = kernels.filter(({ id }) => id.includes('by hand'));
  if (byHand.length === 0) return [];
  const fastest = [...byHand].sort((a, b) => (b.speed ?? 0) - (a.speed ?? 0))[0];
  const rolled = byHand.find(({ id }) => id === ROLLED);
  return [
    heading('How much code?'),
    shown(
      'code',
      'bytes of the module of each kernel, in rising order',
      bars({
        title: 'Kernels: bytes of WebAssembly',
        description:
          'One bar for each kernel, from the smallest to those of the library, which have all its functions.',
        series: ['bytes'],
        axis: 'bytes of the module',
        format: (value) => countText(value)!.text,
        groups: kernels.map(({ name, bytes }) => ({ name, values: [bytes] })),
      }),
      '',
    ),
    paragraph(
      say`A kernel that is written by hand for study is a module of ${countText(byHand[0].bytes)} to ${countText(byHand.at(-1)!.bytes)} bytes of WebAssembly; the machine code that an engine makes of it is longer.`,
      'In `rows 3x1` the rows of three blocks are vectors; in `memory 2x4` and `locals 2x4` there are two sets of four blocks in lanes, whose words are in linear memory or in variables; `shifts`, `swizzles` and `relaxed` are other ways to rotate.',
      say`The fastest of them with ${given(4096, 'the length of the contest')} bytes in ${new Said(main.name)}, \`${new Said(fastest.id)}\`, has ${countText(fastest.bytes)}, and \`${new Said(ROLLED)}\`, which has one set of blocks, ${countText(rolled?.bytes)}.`,
      'The modules of the library are larger, because they have every function of the cipher: short messages, Poly1305 and the two woven together.',
    ),
    table(
      ['kernel', 'bytes of code', 'MB/s', 'cycles a byte'],
      kernels.map(({ name, bytes, speed, cycles }) => [
        new Said(name),
        countText(bytes),
        megabytes(speed),
        plain(cycles),
      ]),
    ),
  ];
}
