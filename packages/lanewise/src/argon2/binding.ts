/** The kernel of Argon2. */
import { decoded } from '../engine/bytes.ts';
import { instantiated, PAGE_BYTES, type Instance, type KernelSource } from '../engine/instance.ts';
import { byteLengthOf, floor, hosted, uncurried, type Method } from '../engine/intrinsics.ts';
import { withOwnMemory } from '../engine/own-memory.ts';
import { argon2 as argon2InJavaScript } from '../js/generated/argon2.ts';
import { argon2Scalar, argon2Vectors } from './generated-bytes.ts';
import { BLOCKS, PAGES, SCRATCH } from './map.ts';
import type { Functions } from './module.ts';

const BLOCK_BYTES = 1024;

/** The known answer: two blocks of counted bytes, their G, and the G of the second and that, XORed onto the first. */
function selfTest(kernel: Instance<Functions>): boolean {
  const { memory } = kernel;
  const x = BLOCKS;
  const y = x + BLOCK_BYTES;
  const third = y + BLOCK_BYTES;
  for (let i = 0; i < 2 * BLOCK_BYTES; i++) memory[x + i] = i * (i + 1);
  kernel.run.compress(x, y, third, 0, SCRATCH);
  kernel.run.compress(y, third, x, 1, SCRATCH);
  const isRight = kernel.holds(0xa276e375, y - 4);
  kernel.wipe(SCRATCH, third + BLOCK_BYTES);
  return isRight;
}

export const argon2Kernel: KernelSource<Functions> = {
  texts: { decode: decoded, vectors: argon2Vectors, scalar: argon2Scalar },
  // Nothing is looked up on Object.prototype.
  js: (memory) => ({ ...argon2InJavaScript(memory), fill: undefined }),
  pages: PAGES,
  secrets: SCRATCH,
  selfTest,
};
export const argon2Instance: () => Instance<Functions> = /* @__PURE__ */ instantiated(argon2Kernel);

const madeWithOwnMemory = /* @__PURE__ */ withOwnMemory(argon2Kernel);
const MEBIBYTE = 2 ** 20;

/** Undefined in workerd before 2025. */
export const weak = /* @__PURE__ */ (() => {
  const Reference = hosted<new <T extends object>(held: T) => object>('WeakRef')();
  if (!Reference) return undefined;
  const deref = uncurried(() => (Reference.prototype as { deref: Method<object, [], unknown> }).deref);
  return { Reference, deref };
})();

/**
 * The instance of the last derivation, whose memory is wiped, and the instance it was made from. The host frees it when it likes. Until
 * then the next derivation with as much memory may have it: to get fresh memory from the system takes longer than to fill it once.
 */
let spare: { readonly kernel: object; readonly from: Instance<Functions> } | undefined;

function spareOf(bytes: number): Instance<Functions> | undefined {
  const kernel =
    spare?.from === argon2Instance() ? (weak!.deref(spare.kernel) as Instance<Functions> | undefined) : undefined;
  spare = undefined;
  return kernel && byteLengthOf(kernel.memory) === bytes && argon2Kernel.selfTest(kernel) ? kernel : undefined;
}

/**
 * An instance with a memory of its own, of `bytes` bytes at least.
 *
 * @throws RangeError if the host has not as much memory.
 */
export function ownInstance(bytes: number): Instance<Functions> {
  const pages = floor((bytes - 1) / PAGE_BYTES) + 1;
  try {
    return spareOf(pages * PAGE_BYTES) ?? madeWithOwnMemory(argon2Instance(), pages);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`cannot allocate ${floor(bytes / MEBIBYTE)} MiB of memory`, { cause: error });
  }
}

/** Takes an instance back after its memory was wiped. */
export function giveBack(kernel: Instance<Functions>): void {
  spare = weak && { kernel: new weak.Reference(kernel), from: argon2Instance() };
}

/**
 * Runs the self-test again, after a derivation has made the code hot.
 *
 * @throws Error if the answer is wrong.
 */
export function testAgain(): void {
  if (!argon2Kernel.selfTest(argon2Instance())) throw new Error('the engine gave a wrong answer');
}
