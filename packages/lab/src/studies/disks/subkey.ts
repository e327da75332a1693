/** One permutation for XChaCha20's subkey. */
import { bars } from '../bars.ts';
import { newest } from '../newest.ts';
import { listedEngines, percentText, plain, rangeText, timesText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';
import { CHACHA20_CORTEX_A7, KERNEL_LIST } from './published.ts';

const SUBKEY = 'studies/disks/subkey';
const BLOCK = 'studies/disks/registers/64';
const INTEGERS = 'scalar kernel';
const ROWS = 'rows 1x1 by hand';
const LENGTHS = [64, 512, 4096] as const;
const named = (primitive: string, bytes: number): string => `lanewise auto, ${primitive}, ${bytes} bytes`;
/** Kernels that differ by less are alike. */
const ALIKE = 0.02;

export function subkey(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(SUBKEY);
  const engines = newest(all);
  if (engines.length === 0) return [];
  const nanoseconds = (id: string, name: string) => data.nanoseconds(id, SUBKEY, name);
  const block = (id: string, form: string) => data.nanoseconds(id, BLOCK, form);
  /** The share by which XChaCha20 takes longer than ChaCha20. */
  const more = (id: string, bytes: number): number | undefined => {
    const ratio = data.faster(id, SUBKEY, named('ChaCha20', bytes), named('XChaCha20', bytes));
    return ratio === undefined ? undefined : ratio - 1;
  };
  const integers = engines.map(({ id }) => data.faster(id, BLOCK, INTEGERS, ROWS));
  const ahead = engines.filter((_, i) => (integers[i] ?? 1) > 1 + ALIKE);
  const behind = engines.filter((_, i) => (integers[i] ?? 1) < 1 - ALIKE);
  return [
    heading('One permutation for the subkey'),
    shown(
      'subkey',
      'nanoseconds of one block by rows and in integers, and of the subkey as a call of the library, in each engine',
      bars({
        title: 'One permutation: nanoseconds of a block, and of the subkey',
        description:
          'For each engine three bars: one block of ChaCha20 by rows in vectors, one block in integers, and a call of HChaCha20.',
        series: ['one block by rows', 'one block in integers', 'HChaCha20, the public call'],
        axis: 'nanoseconds, fewer are faster',
        groups: engines.map(({ id, name }) => ({
          name,
          values: [block(id, ROWS), block(id, INTEGERS), nanoseconds(id, named('HChaCha20', 16))],
        })),
      }),
    ),
    paragraph(
      'XChaCha derives a subkey by one permutation of its own (draft-irtf-cfrg-xchacha-03), which for a sector is one for each, and no other block is there to fill the lanes.',
      say`For this case the mailing list proposes code in integers, which takes ${quoted(CHACHA20_CORTEX_A7.integers)} cycles a byte on a Cortex-A7, one block at a time (${sourceText(KERNEL_LIST)}).`,
      ahead.length > 0
        ? say`The advice holds here in ${listedEngines(ahead)}: one block in integers is ${rangeText(
            ahead.map((engine) => integers[engines.indexOf(engine)]),
            timesText,
          )} as fast as by rows.`
        : undefined,
      behind.length > 0
        ? say`In ${listedEngines(behind)} rows are faster: integers are ${rangeText(behind.map((engine) => integers[engines.indexOf(engine)]))} times as fast.`
        : undefined,
      say`The permutation makes a message of ${given(64, 'the length of the case')} bytes take ${rangeText(
        engines.map(({ id }) => more(id, 64)),
        percentText,
      )} longer, one of ${given(512, 'the length of the case')} bytes ${rangeText(
        engines.map(({ id }) => more(id, 512)),
        percentText,
      )}, and one of ${given(4096, 'the length of the case')} bytes ${rangeText(
        engines.map(({ id }) => more(id, 4096)),
        percentText,
      )}.`,
      'Where many pages are encrypted in one call, the library puts the permutations of four pages into four lanes.',
    ),
    table(
      [
        'engine',
        'block by rows, ns',
        'block in integers, ns',
        'HChaCha20, ns',
        ...LENGTHS.map((bytes) => new Said(`XChaCha20 over ChaCha20, ${bytes} B`)),
      ],
      all.map(({ id, name }) => [
        new Said(name),
        plain(block(id, ROWS)),
        plain(block(id, INTEGERS)),
        plain(nanoseconds(id, named('HChaCha20', 16))),
        ...LENGTHS.map((bytes) => percentText(more(id, bytes))),
      ]),
    ),
  ];
}
