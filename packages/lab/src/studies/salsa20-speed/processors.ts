/** Which processor: all that were ever measured. */
import { engineBars, engineTable, CYCLES } from '../forms.ts';
import { isUsual, SIMD } from '../lanes.ts';
import { shortProcessor } from '../machine.ts';
import { cyclesText, plain, rangeText } from '../numbers.ts';
import { Said } from '../prose.ts';
import { quoted, sourceText } from '../published.ts';
import { MEDIANS } from '../shown.ts';
import type { Question } from './cases.ts';

const LONG = 'platforms/salsa20/encrypt/65536';

/** https://cr.yp.to/snuffle.html */
export const published = {
  source: sourceText({ name: 'D. J. Bernstein, “Salsa20 speed”', date: '2005', machine: 'processors of that time' }),
  'published-least': quoted(8),
  'published-most': quoted(17),
};

export const processors: Question = (data, shown) => {
  const machines = [data, ...data.others].filter((machine) => machine.engines(LONG).length > 0);
  const all = machines.flatMap((machine) => machine.engines(LONG)).filter(({ id }) => isUsual(id));
  const engines = all.filter(({ id }, i) => all.findIndex((engine) => engine.id === id) === i);
  const cycles = (id: string) => machines.map((machine) => machine.cycles(id, LONG, SIMD));
  const series = machines.map(({ processor }) => shortProcessor(processor));
  return {
    figures: {
      'processors-cycles': rangeText(
        engines.flatMap(({ id }) => cycles(id)),
        cyclesText,
      ),
    },
    parts: {
      'processors-picture': shown(
        'processors',
        'cycles a byte of Salsa20 in each engine, a bar for each processor',
        engineBars(
          engines,
          {
            title: 'Salsa20, 64 KiB: cycles a byte by engine and processor',
            description: 'For each engine one bar for each processor that has measured; shorter ones are faster.',
            series,
            ...CYCLES,
          },
          cycles,
        ),
        MEDIANS,
      ),
      'processors-table': engineTable(engines, ['engine', ...series.map((name) => new Said(name))], (id) =>
        cycles(id).map(plain),
      ),
    },
  };
};
