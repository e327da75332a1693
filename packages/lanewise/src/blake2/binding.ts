/** The kernels of BLAKE2b and BLAKE2s. */
import { decoded } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { blake2b as blake2bInJavaScript } from '../js/generated/blake2b.ts';
import { blake2s as blake2sInJavaScript } from '../js/generated/blake2s.ts';
import { blake2bScalar, blake2sScalar } from './generated-bytes.ts';
import { H, PAGES, STAGE } from './map.ts';
import type { Functions } from './module.ts';

/** The known answer: the longest digest of three blocks of zeros; `word` is its last word. */
const selfTestOf =
  (blockBytes: number, word: number) =>
  (kernel: Instance<Functions>): boolean => {
    const { memory } = kernel;
    const end = STAGE + 3 * blockBytes;
    kernel.wipe(H, end);
    memory[H] = blockBytes / 2;
    memory[H + 2] = memory[H + 3] = 1;
    kernel.run.start();
    kernel.run.compress(STAGE, 2, blockBytes, 0, 0);
    kernel.run.compress(STAGE, 1, 3 * blockBytes, 0, -1);
    const isRight = kernel.holds(word, H + blockBytes / 2 - 4);
    kernel.wipe(H, end);
    return isRight;
  };

export const blake2bKernel: KernelSource<Functions> = {
  texts: { decode: decoded, scalar: blake2bScalar },
  js: blake2bInJavaScript,
  pages: PAGES,
  secrets: H,
  selfTest: /* @__PURE__ */ selfTestOf(128, 0x590d6f1d),
};
export const blake2bInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(blake2bKernel);

export const blake2sKernel: KernelSource<Functions> = {
  texts: { decode: decoded, scalar: blake2sScalar },
  js: blake2sInJavaScript,
  pages: PAGES,
  secrets: H,
  selfTest: /* @__PURE__ */ selfTestOf(64, 0xe3eb3235),
};
export const blake2sInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(blake2sKernel);
