/** Four blocks: in four lanes, or three by rows with the fourth in integers. */
import { bars } from '../bars.ts';
import { newest } from '../newest.ts';
import { cyclesText, listedEngines, plain, rangeText, ratioText, timesText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { CHACHA20_CORTEX_A7, KERNEL_LIST } from './published.ts';

const LONG = 'studies/disks/registers/65536';
const FOUR = 'studies/disks/registers/256';
const LIBRARY = 'simd kernel';
const LANES = ['memory 1x4 by hand', 'locals 1x4 by hand'] as const;
const ROWS = 'rows 3x1 by hand';
const MIXED = 'rows 3x1 and integers by hand';
const FORMS = [...LANES, ROWS, MIXED, LIBRARY] as const;
const NAMES = [
  '4 in lanes, words in memory',
  '4 in lanes, words in locals',
  '3 by rows',
  '3 by rows, 1 in integers',
  'the library: several sets in turns',
];
/** Ratios that are nearer to 1 don't count as a difference. */
const ALIKE = 0.02;

export function registers(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(LONG);
  const engines = newest(all);
  if (engines.length === 0) return [];
  const overMixed = (id: string, contest: string, forms: readonly string[]): number | undefined => {
    const all = forms.flatMap((form) => data.faster(id, contest, form, MIXED) ?? []);
    return all.length === 0 ? undefined : Math.max(...all);
  };
  const lanes = (id: string): number => overMixed(id, LONG, LANES) ?? 1;
  const winning = engines.filter(({ id }) => lanes(id) > 1 + ALIKE);
  const losing = engines.filter(({ id }) => lanes(id) < 1 - ALIKE);
  const alike = engines.filter((engine) => !winning.includes(engine) && !losing.includes(engine));
  const { openssl, linux, improved } = CHACHA20_CORTEX_A7;
  const each = (contest: string, form: string, than: string) =>
    engines.map(({ id }) => data.faster(id, contest, form, than));
  return [
    heading('Four blocks in lanes, or three by rows beside integers'),
    shown(
      'registers',
      'cycles a byte of four blocks in lanes, of three by rows without and with a fourth in integers, and of the library, in each engine',
      bars({
        title: 'ChaCha20 by four blocks, 64 KiB: cycles a byte',
        description:
          'For each engine five bars, of which shorter ones are faster: four blocks in lanes with words in memory and in locals, three blocks by rows, the same with a fourth block in integers, and the library.',
        series: NAMES,
        axis: 'cycles a byte, fewer are faster',
        format: (value) => value.toFixed(2),
        groups: engines.map(({ id, name }) => ({
          name,
          values: FORMS.map((form) => data.cycles(id, LONG, form)),
        })),
      }),
    ),
    paragraph(
      'OpenSSL keeps the rows of three blocks in vectors, which it has to turn between rounds, and computes a fourth block in integer registers at the same time.',
      'The Linux kernel de-interleaves the words of four blocks, so that no row has to be turned.',
      say`On a Cortex-A7 OpenSSL takes ${quoted(openssl)} cycles a byte and the kernel ${quoted(linux)}, which is ${timesText(openssl / linux)} as fast; an improved form takes ${quoted(improved)} (${sourceText(KERNEL_LIST)}).`,
      'The same message says that the fourth block, in integers, does not help on that processor.',
    ),
    paragraph(
      "Both forms are in the lab, by the library's own assembler, and the scalar steps are woven in between those of the vectors.",
      say`The block in integers makes three blocks by rows ${rangeText(each(LONG, MIXED, ROWS), timesText)} as fast on this processor: there are integer units that have nothing else to do.`,
      winning.length > 0
        ? say`One set of four blocks in lanes is faster than the mixture in ${listedEngines(winning)} (${rangeText(winning.map(({ id }) => lanes(id)))} times).`
        : undefined,
      losing.length > 0
        ? say`It is slower in ${listedEngines(losing)} (${rangeText(losing.map(({ id }) => lanes(id)))} times): one set has long chains of dependent instructions, and the mixture fills the gaps.`
        : undefined,
      alike.length > 0 ? say`In ${listedEngines(alike)} the two are alike.` : undefined,
      say`Several sets in turns fill the gaps as well: the library is ${rangeText(each(LONG, LIBRARY, MIXED), timesText)} as fast as the mixture.`,
    ),
    table(
      ['engine', ...NAMES.map((name) => new Said(name)), 'library ÷ mixture'],
      all.map(({ id, name }) => [
        new Said(name),
        ...FORMS.map((form) => plain(data.cycles(id, LONG, form))),
        ratioText(data.faster(id, LONG, LIBRARY, MIXED)),
      ]),
    ),
    paragraph(
      say`Cycles a byte are those of ${given('64 KiB', 'the length of the contest')}; the mixture takes ${rangeText(
        engines.map(({ id }) => data.cycles(id, LONG, MIXED)),
        cyclesText,
      )}.`,
      say`For exactly four blocks, where there is only one set, the library's kernel is ${rangeText(each(FOUR, LIBRARY, MIXED))} times as fast as the mixture.`,
    ),
  ];
}
