/**
 * `npm run lab -- switching`: from which length on a pool is quicker than one thread, by which the sizes in src/pool are
 * chosen, and whether it is ever slower.
 */
import { bytes } from '../report/numbers.ts';
import { table } from '../report/text-table.ts';
import { median } from '../results/medians.ts';
import { browserHosts, chosenHosts, newestRuntimes } from './hosts.ts';
import type { SizeRow, SwitchingResult, SwitchingTask } from './programs/switching.ts';

export interface SwitchingOptions extends SwitchingTask {
  readonly engines: readonly string[] | undefined;
}

/** A pool that takes this much longer than one thread is slower, beyond the noise. */
export const SLOWER = 1.05;

const WAYS = ['warm', 'warmHandedOver', 'cold', 'coldHandedOver'] as const;
const HEAD = ['', 'bytes', 'one thread ms', 'warm', 'warm, handed over', 'cold', 'cold, handed over'];

/** The least length from which on handing over is quicker than one thread. */
export function paysFrom(rows: readonly SizeRow[], way: 'warmHandedOver' | 'coldHandedOver'): number | undefined {
  const sorted = [...rows].sort((a, b) => a.bytes - b.bytes);
  const slow = sorted.findLastIndex((row) => median(row[way]) >= 1);
  return sorted.at(slow + 1)?.bytes;
}

/** The rows in which the pool as it is takes longer than one thread. */
export const slowerRows = (rows: readonly SizeRow[]): readonly SizeRow[] =>
  rows.filter(({ warm, cold }) => Math.max(median(warm), median(cold)) > SLOWER);

const from = (size: number | undefined): string => (size === undefined ? 'no length' : bytes(size));

/** Prints a table for each engine; resolves to the exit code. */
export async function measureSwitching({ engines, rounds, only }: SwitchingOptions): Promise<number> {
  let exitCode = 0;
  for (const host of chosenHosts([...newestRuntimes, ...browserHosts], engines)) {
    try {
      const { threads, rows } = (await host.run('switching', { rounds, only })) as SwitchingResult;
      const cells = rows.map((row) => [
        row.work,
        bytes(row.bytes),
        median(row.one).toFixed(3),
        ...WAYS.map((way) => median(row[way]).toFixed(2)),
      ]);
      process.stdout.write(
        `${host.name}, a pool of ${threads}: time ÷ time of one thread, medians of ${rounds} rounds\n` +
          `${table(HEAD, cells, ['left', 'right', 'right', 'right', 'right', 'right', 'right'])}\n`,
      );
      for (const work of new Set(rows.map((row) => row.work))) {
        const its = rows.filter((row) => row.work === work);
        const slower = slowerRows(its).map((row) => bytes(row.bytes));
        process.stdout.write(
          `${work}: handing over pays from ${from(paysFrom(its, 'warmHandedOver'))} on, and from ` +
            `${from(paysFrom(its, 'coldHandedOver'))} with workers that must start; ` +
            `the pool is ${slower.length === 0 ? 'nowhere slower than one thread' : `slower at ${slower.join(', ')}`}\n`,
        );
      }
      process.stdout.write('\n');
    } catch (error) {
      process.stdout.write(`${host.name}: not measured: ${(error as Error).message}\n\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}
