/**
 * `npm run prove:full`: mutants of every kernel, as many as there are or as many as are asked for. Exit 1 if the engine can
 * tell one from its original and no check and no claim can. Those that nothing tells from the original are listed.
 *
 *     --kernel <text>   only kernels whose names contain it
 *     --count <n>       so many flipped bits of each; about a third of them make a mutant; all unless given
 *     --seed <n>        which
 *     --workers <n>     processors; all unless given
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { keepingSolver } from '../rooms/poly1305/reduction.ts';
import { kernelOf, kernels, type Kernel } from '../kernels.ts';
import { forgetTerms } from '../terms/term.ts';
import { decode } from '../wasm/decode.ts';
import { judge, type Verdict } from './judge.ts';
import { allFlips, asModule, flipped, type Flip } from './mutants.ts';
import { Random } from './random.ts';
import { describeChange } from './same.ts';
import { Tally } from './tally.ts';

interface Work {
  readonly kernel: string;
  readonly flips: readonly Flip[];
}
interface Judged {
  readonly flip: Flip;
  readonly verdict: Verdict;
}

const EFFORT = { calls: 30, all: true };

async function work({ kernel, flips }: Work): Promise<void> {
  const subject = kernelOf(kernel);
  for (const flip of flips) {
    const judged: Judged = { flip, verdict: await judge(subject, flip, EFFORT) };
    parentPort!.postMessage(judged);
    forgetTerms();
  }
}

/** All flips in random order, or the first `count` of them. */
function chosen(flips: Flip[], count: number, random: Random): Flip[] {
  for (let i = 0; i < Math.min(count, flips.length); i++) {
    const j = random.between(i, flips.length - 1);
    [flips[i], flips[j]] = [flips[j], flips[i]];
  }
  return flips.slice(0, count);
}

async function judged(kernel: Kernel, flips: readonly Flip[], workers: number): Promise<Tally> {
  const tally = new Tally();
  await Promise.all(
    Array.from({ length: workers }, (_, w) => {
      const part: Work = { kernel: kernel.name, flips: flips.filter((_, i) => i % workers === w) };
      return new Promise<void>((resolve, reject) => {
        new Worker(import.meta.filename, { workerData: part })
          .on('message', ({ flip, verdict }: Judged) => tally.add(flip, verdict))
          .on('error', reject)
          .on('exit', () => resolve());
      });
    }),
  );
  return tally;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kernel: { type: 'string', default: '' },
      count: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  for (const kernel of kernels.filter(({ name }) => name.includes(values.kernel))) {
    const started = performance.now();
    const flips = chosen(allFlips(kernel.bytes), Number(values.count), new Random(Number(values.seed)));
    const tally = await judged(kernel, flips, Number(values.workers));
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${kernel.name}: ${flips.length} bits, ${tally.toString()}, ${seconds} s`);
    const changeOf = (flip: Flip): string => {
      const mutant = asModule(flipped(kernel.bytes, flip));
      return typeof mutant === 'string' ? mutant : describeChange(decode(kernel.bytes), mutant, flip.at);
    };
    for (const { flip, what } of tally.gaps) console.log(`  gap: ${changeOf(flip)}, bit ${flip.bit}: ${what}`);
    for (const flip of tally.equal) console.log(`  equal: ${changeOf(flip)}, bit ${flip.bit}`);
    if (tally.gaps.length > 0) process.exitCode = 1;
  }
}

if (isMainThread) await main();
else await keepingSolver(() => work(workerData as Work));
