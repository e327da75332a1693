/** The kernel of scrypt. */
import { decoded } from '../engine/bytes.ts';
import { instantiated, PAGE_BYTES, type Instance, type KernelSource } from '../engine/instance.ts';
import { floor, moveBytes } from '../engine/intrinsics.ts';
import { withOwnMemory } from '../engine/own-memory.ts';
import { scrypt as scryptInJavaScript } from '../js/generated/scrypt.ts';
import { scryptScalar } from './generated-bytes.ts';
import { PAGES, ROWS, SCHEDULE, STAGE, STATE, STATE_BYTES } from './map.ts';
import type { Functions } from './module.ts';

/** The known answer: a row whose first half is a hash value of SHA-256, after three BlockMixes with r = 1. */
function selfTest(kernel: Instance<Functions>): boolean {
  const row = 128;
  const end = ROWS + 4 * row;
  kernel.wipe(SCHEDULE, end);
  kernel.run.start();
  kernel.run.compress(STAGE, 1);
  moveBytes(kernel.memory, ROWS, STATE, STATE + STATE_BYTES);
  kernel.run.fill(ROWS, 1, 2);
  kernel.run.mix(ROWS + 2 * row, ROWS, ROWS + 3 * row, 1);
  const isRight = kernel.holds(0xbda62a8a, end - 4);
  kernel.wipe(SCHEDULE, end);
  return isRight;
}

export const scryptKernel: KernelSource<Functions> = {
  texts: { decode: decoded, scalar: scryptScalar },
  js: scryptInJavaScript,
  pages: PAGES,
  secrets: SCHEDULE,
  selfTest,
};
export const scryptInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(scryptKernel);

const madeWithOwnMemory = /* @__PURE__ */ withOwnMemory(scryptKernel);
const MEBIBYTE = 2 ** 20;

/**
 * An instance with a memory of its own, of `bytes` bytes at least.
 *
 * @throws RangeError if the host has not as much memory.
 */
export function ownInstance(bytes: number): Instance<Functions> {
  try {
    return madeWithOwnMemory(scryptInstance(), floor((bytes - 1) / PAGE_BYTES) + 1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`cannot allocate ${floor(bytes / MEBIBYTE)} MiB of memory`, { cause: error });
  }
}

/**
 * Runs the self-test again, after a derivation has made the code hot.
 *
 * @throws Error if the answer is wrong.
 */
export function testAgain(): void {
  if (!scryptKernel.selfTest(scryptInstance())) throw new Error('the engine gave a wrong answer');
}
