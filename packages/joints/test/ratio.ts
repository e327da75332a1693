/** How cost grows: the processor's time of work of 4n parts, by that of n. */
import type { Cost } from './cost.ts';

/** So long that other costs do not count. */
const LONG_MS = 24;
const MOST = 2 ** 17;

/** Linear cost is 4, and a square 16. Garbage collection of all that is alive at once makes 5 to 9 of linear cost. */
export const BAR = 11;

async function timeOf({ run }: Cost, n: number): Promise<number> {
  const before = process.cpuUsage();
  await run(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of some times: other work of the machine only adds. */
async function leastOf(cost: Cost, n: number, runs: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < runs; i++) least = Math.min(least, await timeOf(cost, n));
  return least;
}

/** A shape is there each time, and a disturbance is not: the least of some ratios counts. */
export async function ratioOf(cost: Cost): Promise<number> {
  let n = cost.least ?? 1000;
  // The first run is that of an engine that is still cold.
  await cost.run(n);
  for (; n < MOST; n *= 2) if ((await leastOf(cost, n, 2)) >= LONG_MS) break;
  let ratio = Infinity;
  for (let tries = 0; tries < 8 && ratio >= BAR; tries++)
    ratio = Math.min(ratio, (await leastOf(cost, 4 * n, 1 + tries)) / (await leastOf(cost, n, 2 + tries)));
  return ratio;
}
