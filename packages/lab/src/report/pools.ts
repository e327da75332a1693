/** How many times as fast as one thread the threads of a pool are, in each engine. */
import { ONE_THREAD, POOLS, poolOf } from '../client/pool-cases.ts';
import type { EngineView, View } from '../results/view.ts';
import { lengthOf, ratio } from './groups.ts';
import { bytes, significant, withInterval } from './numbers.ts';
import { mark } from './quiet.ts';
import { machineOf, NOTHING, type Table } from './table.ts';

/** The speed-up that two threads should reach, by the family of the engine; others are only reported. */
const BARS: Readonly<Record<string, number>> = { node: 1.8, bun: 1.7, deno: 1.7, chromium: 1.7, firefox: 1.6 };
const BARRED_THREADS = 2;

const barOf = ({ key }: EngineView): string => {
  const bar = BARS[key.replace(/\d+$/, '')] as number | undefined;
  return bar === undefined ? NOTHING : significant(bar);
};

/** Undefined if no pool was measured. */
export function poolTable(view: View): Table | undefined {
  const contests = view.contests.filter(({ id }) => id.startsWith(`${POOLS}/`));
  const engines = view.engines.filter((engine) => contests.some(({ id }) => view.cases(engine, id).length > 0));
  if (engines.length === 0) return undefined;
  const rows = contests.flatMap((contest) => {
    const counts = engines.flatMap((engine) =>
      view.cases(engine, contest.id).map(({ description: { parameters } }) => Number(parameters['threads'])),
    );
    return [...new Set(counts)]
      .filter((threads) => threads > 0)
      .sort((a, b) => a - b)
      .map((threads) => [
        `${contest.primitive}, ${contest.operation}`,
        bytes(lengthOf(contest)),
        String(threads),
        ...engines.map((engine) => {
          const pair = [engine, contest.id, ONE_THREAD, poolOf(threads)] as const;
          const found = ratio(view, ...pair);
          return found ? withInterval(found) + mark(view.sortedRatios(...pair)) : NOTHING;
        }),
      ]);
  });
  const bar = ['wanted', '', String(BARRED_THREADS), ...engines.map(barOf)];
  return {
    title: 'Threads of a pool and one thread',
    note: 'The time of one thread over that of the pool, the median of paired ratios, with its 95 % interval.',
    machine: machineOf(view),
    head: ['', 'bytes', 'threads', ...engines.map(({ name }) => name)],
    rows: [...rows, bar],
    names: 1,
  };
}
