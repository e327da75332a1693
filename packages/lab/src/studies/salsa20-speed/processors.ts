/** Which processor: all that were ever measured. */
import { bars } from '../bars.ts';
import { isUsual } from '../lanes.ts';
import { shortProcessor } from '../machine.ts';
import { cyclesText, plain, rangeText } from '../numbers.ts';
import { heading, paragraph, say, table, Said } from '../prose.ts';
import { quoted, sourceText, type Source } from '../published.ts';
import { MEDIANS, type Shown } from '../shown.ts';
import type { StudyData } from '../study.ts';

const LONG = 'platforms/salsa20/encrypt/65536';
const SIMD = 'lanewise simd';

/** https://cr.yp.to/snuffle.html */
const SOURCE: Source = { name: 'D. J. Bernstein, “Salsa20 speed”', date: '2005', machine: 'processors of that time' };
const PUBLISHED = { least: 8, most: 17 } as const;

export function processors(data: StudyData, shown: Shown): (string | undefined)[] {
  const machines = [data, ...data.others].filter((machine) => machine.engines(LONG).length > 0);
  const ids = [...new Set(machines.flatMap((machine) => machine.engines(LONG).map(({ id }) => id)))].filter(isUsual);
  if (ids.length === 0) return [];
  const nameOf = (id: string): string =>
    machines.flatMap((machine) => machine.engines(LONG)).find((engine) => engine.id === id)!.name;
  const cycles = machines.map((machine) => ids.map((id) => machine.cycles(id, LONG, SIMD)));
  return [
    heading('Which processor?'),
    shown(
      'processors',
      'cycles a byte of Salsa20 in each engine, a bar for each processor',
      bars({
        title: 'Salsa20, 64 KiB: cycles a byte by engine and processor',
        description: 'For each engine one bar for each processor that has measured; shorter ones are faster.',
        series: machines.map(({ processor }) => shortProcessor(processor)),
        axis: 'cycles a byte, fewer are faster',
        format: (value) => value.toFixed(2),
        groups: ids.map((id, i) => ({ name: nameOf(id), values: cycles.map((each) => each[i]) })),
      }),
      MEDIANS,
    ),
    paragraph(
      say`Salsa20 took ${quoted(PUBLISHED.least)} to ${quoted(PUBLISHED.most)} cycles a byte (${sourceText(SOURCE)}), for long messages, by code that was written for each of them.`,
      say`One module of WebAssembly takes ${rangeText(cycles.flat(), cyclesText)} in the engines and processors of this plot: four blocks in four lanes, and several instructions in each cycle. An older result is also of older code of the library, so that its bars are not those of the processor alone.`,
    ),
    table(
      ['engine', ...machines.map(({ processor }) => new Said(shortProcessor(processor)))],
      ids.map((id, i) => [new Said(nameOf(id)), ...cycles.map((each) => plain(each[i]))]),
    ),
  ];
}
