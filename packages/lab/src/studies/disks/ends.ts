/** The ends of messages. */
import { lines, shortBytes } from '../lines.ts';
import type { Machine } from '../machine.ts';
import { newest } from '../newest.ts';
import { percentText, rangeText } from '../numbers.ts';
import { given, heading, paragraph, say, table, Said } from '../prose.ts';
import type { Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';

const CHACHA = 'studies/disks/ends/chacha20';
const ADIANTUM = 'studies/disks/ends/adiantum';
const named = (bytes: number, name = 'lanewise auto'): string => `${name}, ${bytes} bytes`;

/** The lengths of a contest's cases, in rising order. */
const lengthsOf = (data: Machine, engine: string, contest: string): readonly number[] =>
  data
    .cases(engine, contest)
    .filter((id) => id.startsWith('lanewise'))
    .map((id) => Number(/(\d+) bytes$/.exec(id)?.[1]))
    .sort((a, b) => a - b);

/** The share by which one byte more takes longer. */
const oneMore = (data: Machine, engine: string, contest: string, bytes: number, name?: string): number | undefined => {
  const ratio = data.faster(engine, contest, named(bytes, name), named(bytes + 1, name));
  return ratio === undefined ? undefined : ratio - 1;
};

const BOUNDARIES = [64, 128, 192, 256, 512, 768, 1024, 4096] as const;

export function ends(data: StudyData, shown: Shown): (string | undefined)[] {
  const all = data.engines(CHACHA);
  const engines = newest(all);
  if (engines.length === 0) return [];
  const each = (contest: string, bytes: number, name?: string) =>
    engines.map(({ id }) => oneMore(data, id, contest, bytes, name));
  return [
    heading('The ends of messages'),
    shown(
      'ends',
      'nanoseconds of a message of ChaCha20 on both sides of the boundaries of blocks and sets, a curve for each engine',
      lines({
        title: 'ChaCha20 on both sides of boundaries: nanoseconds',
        description: 'The curves rise in steps at whole blocks, which grow smaller in proportion as messages grow.',
        x: { label: 'bytes', logarithmic: true, format: shortBytes },
        y: { label: 'nanoseconds', logarithmic: true },
        dots: true,
        curves: engines.map(({ id, name }) => ({
          name,
          points: lengthsOf(data, id, CHACHA)
            .filter((bytes) => bytes >= 63)
            .map((bytes) => ({ x: bytes, y: data.nanoseconds(id, CHACHA, named(bytes)) })),
        })),
      }),
    ),
    paragraph(
      'A message seldom ends with a block, and still more seldom with a set of them.',
      say`One byte more than a block (${given(64, 'RFC 8439 §2.3')} bytes) takes ${rangeText(each(CHACHA, 64), percentText)} longer, one more than four blocks ${rangeText(each(CHACHA, 256), percentText)}, and one more than ${given(4096, 'the length of a page')} bytes ${rangeText(each(CHACHA, 4096), percentText)}.`,
      say`In noble, which computes one block after the other, they are ${rangeText(each(CHACHA, 64, 'noble'), percentText)}, ${rangeText(each(CHACHA, 256, 'noble'), percentText)} and ${rangeText(each(CHACHA, 4096, 'noble'), percentText)}.`,
      'The library ends a message with single blocks in integers or a few by rows, so that no lanes are computed in vain.',
    ),
    table(
      ['engine', ...BOUNDARIES.map((bytes) => new Said(`${bytes} + 1 B`))],
      all.map(({ id, name }) => [
        new Said(name),
        ...BOUNDARIES.map((bytes) => percentText(oneMore(data, id, CHACHA, bytes))),
      ]),
    ),
    paragraph(
      'A sector needs no such end at all. Adiantum replaces the last block of a page behind the stream, so the stream may run on to a whole block and be overwritten.',
      say`A page of ${given(512, 'the length of the case')} bytes that is one byte longer takes ${rangeText(each(ADIANTUM, 512), percentText)} longer, one of ${given(4096, 'the length of the case')} bytes ${rangeText(each(ADIANTUM, 4096), percentText)}.`,
    ),
  ];
}
