/** The kernels of SHA-256 and of SHA-512, one message at a time. */
import { decoded } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { sha256 as sha256InJavaScript } from '../js/generated/sha256.ts';
import { sha512 as sha512InJavaScript } from '../js/generated/sha512.ts';
import { SHA256_CONSTANTS, SHA512_CONSTANTS } from './constants.ts';
import { sha256Scalar, sha256Vectors, sha512Scalar, sha512Vectors } from './generated-bytes.ts';
import { CONSTANTS, DIGEST, INITIAL, PAGES, SCHEDULE, STAGE, SUM } from './map.ts';
import type { Functions } from './module.ts';

/** Writes the words of a table to memory, as the machine has them: little-endian. */
export function writeWords(memory: Uint8Array, at: number, table: string, wordBytes: 4 | 8): void {
  const bytes = decoded(table);
  for (let i = 0; i < bytes.length; i++) memory[at + (i ^ (wordBytes - 1))] = bytes[i];
}

/**
 * Writes the constants, and computes a known answer of all functions, from an initial value and an HMAC key of zeros: STAGE is hashed,
 * then the outer hash, then two iterations. `word` is the first word of their sum.
 */
const selfTestOf =
  (constants: string, wordBytes: 4 | 8, word: number) =>
  (kernel: Instance<Functions>): boolean => {
    const { memory, run } = kernel;
    const end = 8 * wordBytes;
    kernel.wipe(SCHEDULE, STAGE + 2 * end);
    writeWords(memory, CONSTANTS, constants, wordBytes);
    run.key();
    run.begin(INITIAL);
    run.compress(STAGE, 1);
    run.digest(DIGEST, end);
    run.outer(end);
    run.iterate(2, end);
    const right = kernel.holds(word, SUM);
    kernel.wipe(SCHEDULE, STAGE);
    return right;
  };

export const sha256Kernel: KernelSource<Functions> = {
  texts: { decode: decoded, vectors: sha256Vectors, scalar: sha256Scalar },
  js: sha256InJavaScript,
  pages: PAGES,
  secrets: SCHEDULE,
  selfTest: /* @__PURE__ */ selfTestOf(SHA256_CONSTANTS, 4, 0x1c4984f8),
};
export const sha256Instance: () => Instance<Functions> = /* @__PURE__ */ instantiated(sha256Kernel);

export const sha512Kernel: KernelSource<Functions> = {
  texts: { decode: decoded, vectors: sha512Vectors, scalar: sha512Scalar },
  js: sha512InJavaScript,
  pages: PAGES,
  secrets: SCHEDULE,
  selfTest: /* @__PURE__ */ selfTestOf(SHA512_CONSTANTS, 8, 0x486eca86),
};
export const sha512Instance: () => Instance<Functions> = /* @__PURE__ */ instantiated(sha512Kernel);
