/** The kernels of BLAKE3. */
import { blake3Scalar, blake3Vectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { makePlain } from '../engine/plain.ts';
import { blake3 as blake3InJavaScript } from '../js/generated/blake3.ts';
import * as layout from './map.ts';
import type { Functions } from './module.ts';
import { BLOCK_BYTES, CHUNK, CHUNK_END, CHUNK_START, ROOT } from './rounds.ts';

/**
 * A known answer: the first KiB of the output for 64 zeros, extended with zeros to `length` bytes, is hashed. `word` is
 * the first word of the digest.
 */
const selfTestOf =
  (length: number, word: number) =>
  (kernel: Instance<Functions>): boolean => {
    const { run } = kernel;
    const wipe = (): void => kernel.wipe(layout.SETS, layout.secretsTo(length));
    wipe();
    run.hash(0, 0); // This call leaves the initial value at the key's place.
    run.prepare(BLOCK_BYTES, 0, 0, 0);
    run.output(BLOCK_BYTES, 0, 0, CHUNK_START | CHUNK_END | ROOT, 16);
    run.hash(length, 0);
    const right = kernel.holds(word, layout.CV);
    wipe();
    return right;
  };

export const longKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: blake3Vectors, toPlain: makePlain, scalar: blake3Scalar },
  js: blake3InJavaScript,
  pages: layout.PAGES,
  secrets: layout.SETS,
  selfTest: /* @__PURE__ */ selfTestOf(19 * CHUNK + 1, 0xff653557),
};
const long = /* @__PURE__ */ instantiated(longKernel);

/** The kernel without lanes: two chunks do not fill them, and this kernel is ready in a third of the time. */
export const shortKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, scalar: blake3Scalar },
  js: { larger: long },
  pages: layout.PAGES,
  secrets: layout.SETS,
  selfTest: /* @__PURE__ */ selfTestOf(CHUNK + 1, 0x95a2d78c),
};
const short = /* @__PURE__ */ instantiated(shortKernel);

/** The instance for `length` bytes of message or output: up to two chunks have the kernel without lanes. */
export const blake3Instance = (length: number): Instance<Functions> => (length <= 2048 ? short() : long());
