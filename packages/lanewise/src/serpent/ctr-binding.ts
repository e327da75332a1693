/** The kernel of Serpent in CTR mode. */
import { serpentCtrScalar, serpentCtrVectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { serpentCtr as serpentCtrInJavaScript } from '../js/generated/serpent-ctr.ts';
import * as layout from './map.ts';
import type { Functions } from './ctr-module.ts';

const BLOCKS = 19;
const LENGTH = BLOCKS * layout.BLOCK;
/** The first word of the last block. */
const WORD = 0xbd0af71e;

/**
 * Zeros, with the keystream of both byte orders XORed onto them, under a key and counters of zeros; then the same
 * again, which restores the zeros.
 */
function selfTest(kernel: Instance<Functions>): boolean {
  const { run, memory } = kernel;
  const end = layout.STAGE + LENGTH;
  const xor = (): void => {
    for (const big of [0, 1]) {
      kernel.wipe(layout.KEY, layout.STAGE);
      run.ctr(1, big, BLOCKS);
    }
  };
  kernel.wipe(layout.STAGE, end + layout.MARGIN);
  xor();
  const known = kernel.holds(WORD, end - layout.BLOCK);
  xor();
  let all = 0;
  for (let at = layout.STAGE; at < end; at++) all |= memory[at];
  kernel.wipe(layout.KEY, end + layout.MARGIN);
  return known && all === 0;
}

export const serpentCtrKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: serpentCtrVectors, scalar: serpentCtrScalar },
  js: serpentCtrInJavaScript,
  pages: layout.PAGES,
  secrets: layout.KEY,
  selfTest,
};
export const serpentCtrInstance = /* @__PURE__ */ instantiated(serpentCtrKernel);
