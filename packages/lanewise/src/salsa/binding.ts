/** The kernels of Salsa20 and of secretbox, and where nonces and counters are in their input. */
import { salsaLongScalar, salsaLongVectors, salsaShortScalar, salsaShortVectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { salsa as salsaInJavaScript } from '../js/generated/salsa.ts';
import type { Functions } from './module.ts';
import * as layout from '../keystream/map.ts';
import type { Binding } from '../keystream/cipher.ts';
import { LAST_ROW, LONG_COUNTER } from '../keystream/input.ts';
import { selfTestOf } from '../keystream/self-test.ts';
import { BOX, TAG_BYTES } from './map.ts';

export const selfTest = /* @__PURE__ */ selfTestOf<Functions>(
  BOX,
  () => BOX - TAG_BYTES,
  (run, kind, length) => run.seal(kind, length),
  (run, kind, length) => run.open(kind, length),
);

export const longKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: salsaLongVectors, scalar: salsaLongScalar },
  js: salsaInJavaScript,
  pages: layout.PAGES,
  secrets: layout.AAD,
  selfTest: /* @__PURE__ */ selfTest(1300, 0x4811b5f2),
};
const long = /* @__PURE__ */ instantiated(longKernel);

/** The kernel without lanes of blocks: two blocks do not fill them, and this kernel is ready in half the time. */
export const shortKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: salsaShortVectors, scalar: salsaShortScalar },
  js: { larger: long },
  pages: layout.SHORT_PAGES,
  secrets: layout.AAD,
  selfTest: /* @__PURE__ */ selfTest(64, 0xa0a36688),
};
const short = /* @__PURE__ */ instantiated(shortKernel);

/** The instance for messages of this length. */
export const salsaInstance = (length: number): Instance<Functions> => (length <= layout.SHORT_BYTES ? short() : long());

export const binding: Binding = {
  instance: salsaInstance,
  // Nonce and counter are side by side in the block, in this order.
  nonceAt: () => LAST_ROW,
  counterAt: (nonceLength) => (nonceLength === 24 ? LONG_COUNTER : LAST_ROW + 8),
};
