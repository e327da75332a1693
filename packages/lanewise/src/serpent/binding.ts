/** The kernel of Serpent in ECB, CBC and OCB mode. */
import { serpentScalar, serpentVectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { serpent as serpentInJavaScript } from '../js/generated/serpent.ts';
import * as layout from './map.ts';
import type { Functions } from './module.ts';

const BLOCKS = 19;
const LENGTH = BLOCKS * layout.BLOCK;
const STREAMS = 16;

/**
 * One known answer to which every function of the kernel contributes: zeros, encrypted in all modes one after the
 * other, with zeros for the key, the nonces and the block before the first, and decrypted again. `TAG_WORD` is the
 * first word of the tag.
 */
function selfTest(kernel: Instance<Functions>): boolean {
  const { run, memory } = kernel;
  const end = layout.STAGE + LENGTH;
  const clear = (): void => kernel.wipe(layout.KEY, layout.STAGE);
  kernel.wipe(layout.KEY, end + layout.MARGIN);
  run.ecbEncrypt(1, BLOCKS);
  run.cbcEncrypt(0, BLOCKS);
  clear();
  run.cbcMany(1, STREAMS, layout.BLOCK, 1);
  clear();
  run.seal(0, AAD_LENGTH, LENGTH - CUT);
  const sealed = kernel.holds(TAG_WORD, end - CUT);
  clear();
  if (!sealed || run.open(0, AAD_LENGTH, LENGTH - CUT) !== 1) return false;
  // The message's length isn't a multiple of a block; the bytes that the tag has overwritten are lost, so they are
  // zeroed.
  kernel.wipe(end - CUT, end + layout.MARGIN);
  clear();
  run.ecbDecrypt(1, STREAMS);
  run.cbcDecrypt(0, BLOCKS - 1);
  run.ecbDecrypt(0, BLOCKS - 1);
  let all = 0;
  for (let at = layout.STAGE; at < end - layout.BLOCK; at++) all |= memory[at];
  kernel.wipe(layout.KEY, end + layout.MARGIN);
  return all === 0;
}
/**
 * The length of the additional data, which are zeros, and the number of bytes by which the message is shorter than
 * whole blocks.
 */
const AAD_LENGTH = 37;
const CUT = 5;
const TAG_WORD = 0x5f7fcb;

export const serpentKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: serpentVectors, scalar: serpentScalar },
  js: serpentInJavaScript,
  pages: layout.PAGES,
  secrets: layout.KEY,
  selfTest,
};
export const serpentInstance = /* @__PURE__ */ instantiated(serpentKernel);
