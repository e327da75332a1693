/** The kernel of Poly1305 alone. */
import { poly1305Scalar } from './generated-bytes.ts';
import { decoded } from '../engine/bytes.ts';
import { instantiated, type KernelSource } from '../engine/instance.ts';
import { fillBytes } from '../engine/intrinsics.ts';
import { poly1305 as poly1305InJavaScript } from '../js/generated/poly1305.ts';
import { BLOCK_BYTES, PAGES, STAGE, STATE, TAG } from './map.ts';
import type { Functions } from './module.ts';

const LENGTH = 250;

export const poly1305Kernel: KernelSource<Functions> = {
  texts: { decode: decoded, scalar: poly1305Scalar },
  js: poly1305InJavaScript,
  pages: PAGES,
  secrets: STATE,
  // Bits that are all one make the largest limbs.
  selfTest: (kernel) => {
    fillBytes(kernel.memory, 255, STATE, STAGE + LENGTH);
    kernel.run.mac(LENGTH);
    const right = kernel.holds(0x428234c8, TAG);
    kernel.wipe(STATE, STAGE + LENGTH + BLOCK_BYTES);
    return right;
  },
};
export const poly1305Instance = /* @__PURE__ */ instantiated(poly1305Kernel);
