/** Argon2's lanes in workers: a job is a part of a segment. RFC 9106 §3.4 */
import { bufferOf, Bytes, fillBytes, hosted, Words } from '../engine/intrinsics.ts';
import { nativeOver, type KernelSource } from '../engine/instance.ts';
import type { JobKind } from '../work/threads.ts';
import { addressOf, fill, type Kernel, type Segment } from './fill.ts';
import { ACTIVE, ENDED, LANES, MOST_THREADS } from './map.ts';
import type { Functions } from './module.ts';
import type { Parameters } from './parameters.ts';

const atomics = /* @__PURE__ */ hosted<typeof Atomics>('Atomics');

/** Some blocks of a segment, one after the other. */
export interface Job extends Segment {
  /** How many jobs of this lane were before. */
  readonly number: number;
  readonly from: number;
  readonly to: number;
  /** Whether the lane is wiped, and nothing filled. */
  readonly wipes?: boolean;
}

/** Memory that all threads have, and a kernel over it. */
export interface Shared {
  readonly memory: WebAssembly.Memory;
  /** A module that imports this memory, and the text of the one that it was made of, by which native code knows it. */
  readonly module: WebAssembly.Module;
  readonly text: string;
  readonly kernel: Kernel;
}
/** The parameters of a session: workers make a kernel of their own. */
export interface Told extends Omit<Shared, 'kernel'> {
  readonly parameters: Parameters;
}

export const host = /* @__PURE__ */ hosted<typeof WebAssembly>('WebAssembly');
export function kernelOver({ memory, module, text }: Omit<Shared, 'kernel'>): Kernel {
  // Hosts' types differ: Deno's say that it may be shared.
  const bytes = new Bytes((memory as { readonly buffer: unknown }).buffer as ArrayBuffer);
  const source = { texts: { vectors: text } } as KernelSource<Functions>;
  const run = (): Functions => new (host()!.Instance)(module, { l: { m: memory } }).exports as unknown as Functions;
  return nativeOver(source, bytes) ?? { run: run(), memory: bytes };
}

/** The words of a shared memory that threads agree by. */
export const wordsOf = (memory: Uint8Array): Int32Array => new Words(bufferOf(memory), 0, LANES + MOST_THREADS);

/** No job begins from now on. */
export const end = (words: Int32Array): void => void atomics()!.store(words, ENDED, 1);
export const isActive = (words: Int32Array): boolean => atomics()!.load(words, ACTIVE) > 0;

/**
 * Does a job, unless all has ended, or another thread has begun it: half of a job can't be done again, because blocks are XORed onto those of
 * the pass before.
 *
 * @returns Whether it was done.
 */
export function doJob(kernel: Kernel, words: Int32Array, parameters: Parameters, job: Job): boolean {
  const { add, load, sub, compareExchange } = atomics()!;
  const { lane, number, from, to } = job;
  // First it says that it is there, then it looks: who ends all does it the other way round.
  add(words, ACTIVE, 1);
  try {
    const isNext = compareExchange(words, LANES + lane, number, number + 1) === number;
    if (!isNext || load(words, ENDED)) return false;
    if (job.wipes) fillBytes(kernel.memory, 0, addressOf(parameters, lane, 0), addressOf(parameters, lane + 1, 0));
    // Each lane has a scratch of its own, which no two threads use at a time.
    else fill(kernel, parameters, job, from, to, lane);
    return true;
  } finally {
    sub(words, ACTIVE, 1);
  }
}

/** The code of workers. The memory is the caller's, who wipes it; there are no keys. */
export const lanes: JobKind = {
  kind: 'argon2',
  open(told) {
    let its: { readonly kernel: Kernel; readonly words: Int32Array } | undefined;
    const { parameters, ...shared } = told as Told;
    try {
      const kernel = kernelOver(shared);
      its = { kernel, words: wordsOf(kernel.memory) };
    } catch {
      // The host lost something on the way.
    }
    return {
      run: (job) => !!its && doJob(its.kernel, its.words, parameters, job as Job),
      wipe: () => undefined,
    };
  },
};
