/** The kernel of ChaCha8Rand. */
import { decoded } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { makePlain } from '../engine/plain.ts';
import { random as randomInJavaScript } from '../js/generated/random.ts';
import { BLOCKS_BYTES, OUTPUT_BYTES, PAGES, STAGE, STATE } from './map.ts';
import { randomScalar, randomVectors } from './generated-bytes.ts';
import type { Functions } from './module.ts';

/** The known answer: the last word of the second iteration from a key of zeros. */
function selfTest(kernel: Instance<Functions>): boolean {
  const end = STAGE + OUTPUT_BYTES + BLOCKS_BYTES;
  kernel.wipe(STATE, end);
  kernel.run.generate(2);
  const isRight = kernel.holds(0x66fc2053, STAGE + 2 * OUTPUT_BYTES - 4);
  kernel.wipe(STATE, end);
  return isRight;
}

export const randomKernel: KernelSource<Functions> = {
  texts: { decode: decoded, vectors: randomVectors, toPlain: makePlain, scalar: randomScalar },
  js: randomInJavaScript,
  pages: PAGES,
  secrets: STATE,
  selfTest,
};
export const randomInstance: () => Instance<Functions> = /* @__PURE__ */ instantiated(randomKernel);
