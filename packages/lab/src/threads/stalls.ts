/** `npm run lab -- stalls`: a long Blob is hashed in browsers, and the page tells how long it could not answer. */
import { table } from '../report/text-table.ts';
import { median } from '../results/medians.ts';
import { browserHosts, chosenHosts } from './hosts.ts';
import type { StallsResult, StallsTask } from './programs/stalls.ts';

export interface StallsOptions extends StallsTask {
  readonly engines: readonly string[] | undefined;
}

const HEAD = ['source', 'way', 'MB/s', 'longest stall ms, median', 'most', 'stalls above 20 ms'];

/** The rows of a browser's table. */
export const stallRows = ({ rows }: StallsResult): string[][] =>
  rows.map(({ source, way, megabytesPerSecond, longest, long }) => [
    source,
    way,
    megabytesPerSecond.length > 0 ? median(megabytesPerSecond).toFixed(0) : '',
    median(longest).toFixed(1),
    Math.max(...longest).toFixed(1),
    String(long),
  ]);

/** Prints a table for each browser; resolves to the exit code. */
export async function measureStalls({ engines, mebibytes, rounds }: StallsOptions): Promise<number> {
  let exitCode = 0;
  for (const host of chosenHosts(browserHosts, engines)) {
    try {
      const result = (await host.run('stalls', { mebibytes, rounds })) as StallsResult;
      process.stdout.write(
        `${host.name}, ${result.cores} cores: BLAKE3 of a Blob of ${mebibytes} MiB, ${rounds} times\n` +
          `${table(HEAD, stallRows(result), ['left', 'left', 'right', 'right', 'right', 'right'])}\n` +
          `${result.missing.map((reason) => `not measured: ${reason}\n`).join('')}\n`,
      );
    } catch (error) {
      process.stdout.write(`${host.name}: not measured: ${(error as Error).message}\n\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}
