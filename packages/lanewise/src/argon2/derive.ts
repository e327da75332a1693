/** Argon2 (RFC 9106 §3.2) over linear memory, in short steps: so it can be done at once, or in slices. */
import type { Instance } from '../engine/instance.ts';
import { Bytes, copyBytes, fillBytes, min, part } from '../engine/intrinsics.ts';
import type { Steps } from '../work/slices.ts';
import { testAgain } from './binding.ts';
import { addressOf, fill, firstOf, SLICES } from './fill.ts';
import { digestOf, littleEndian, variableHash } from './hash.ts';
import type { Functions } from './module.ts';
import type { Inputs, Parameters } from './parameters.ts';
import { BLOCK_BYTES } from './rounds.ts';

/** The blocks that one step fills. With vectors that takes some 30 µs; native code takes 60 for more, because the first block of a call waits for its reference. */
const STEP_BLOCKS = 64;
const NATIVE_BLOCKS = 256;
const SEED_BYTES = 64 + 8;

/** Steps 3 and 4: the first two blocks of a lane, from H_0, after which the seed has room for their numbers. */
export function beginLane(memory: Uint8Array, parameters: Parameters, seed: Uint8Array, lane: number): void {
  for (let column = 0; column < 2; column++) {
    copyBytes(seed, littleEndian(column, lane), 64);
    variableHash(seed, part(memory, addressOf(parameters, lane, column), BLOCK_BYTES));
  }
}

/** Steps 1 and 2: the inputs become H_0. */
export function seedOf(parameters: Parameters, inputs: Inputs): Uint8Array {
  const seed = new Bytes(SEED_BYTES);
  const digest = digestOf(parameters, inputs);
  copyBytes(seed, digest);
  fillBytes(digest, 0);
  return seed;
}

/** Step 7: the last block of a lane is XORed onto the sum. */
export function addLast(memory: Uint8Array, parameters: Parameters, sum: Uint8Array, lane: number): void {
  const last = addressOf(parameters, lane, parameters.columns - 1);
  for (let i = 0; i < BLOCK_BYTES; i++) sum[i] ^= memory[last + i];
}

/** Step 8. */
export function finish(sum: Uint8Array, key: Uint8Array): void {
  // A wrong key might be noticed years later, so the kernel, which is hot by now, is tested once more.
  testAgain();
  variableHash(sum, key);
}

/**
 * Derives a key into `key` from the seed, which it wipes. Each step yields the part of the work that is done.
 *
 * @param kernel - An instance with a memory of its own, of `parameters.memory` bytes at least.
 */
export function* derive(kernel: Instance<Functions>, parameters: Parameters, seed: Uint8Array, key: Uint8Array): Steps {
  const { memory, run } = kernel;
  const { t, p, columns } = parameters;
  const step = run.fill ? NATIVE_BLOCKS : STEP_BLOCKS;
  const length = columns / SLICES;
  const blocks = t * p * columns;
  const sum = new Bytes(BLOCK_BYTES);
  try {
    for (let lane = 0; lane < p; lane++) {
      beginLane(memory, parameters, seed, lane);
      yield 0;
    }
    fillBytes(seed, 0);
    for (let done = 0, pass = 0; pass < t; pass++)
      for (let slice = 0; slice < SLICES; slice++)
        for (let lane = 0; lane < p; lane++) {
          const segment = { pass, slice, lane };
          for (let i = firstOf(segment); i < length; i += step) {
            const to = min(length, i + step);
            fill(kernel, parameters, segment, i, to);
            done += to - i;
            yield done / blocks;
          }
        }
    for (let lane = 0; lane < p; lane++) {
      addLast(memory, parameters, sum, lane);
      yield 1;
    }
    finish(sum, key);
  } finally {
    fillBytes(seed, 0);
    fillBytes(sum, 0);
  }
}
