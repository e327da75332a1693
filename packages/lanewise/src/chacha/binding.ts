/** The kernels of ChaCha, and where nonces and counters are in their input. */
import { chachaLongScalar, chachaLongVectors, chachaShortScalar, chachaShortVectors } from './generated-bytes.ts';
import { unpacked } from '../engine/bytes.ts';
import { instantiated, type Instance, type KernelSource } from '../engine/instance.ts';
import { makePlain } from '../engine/plain.ts';
import { chacha as chachaInJavaScript } from '../js/generated/chacha.ts';
import type { Functions } from './module.ts';
import * as layout from '../keystream/map.ts';
import type { Binding } from '../keystream/cipher.ts';
import { LAST_ROW, LONG_COUNTER } from '../keystream/input.ts';
import { selfTestOf } from '../keystream/self-test.ts';

const selfTest = /* @__PURE__ */ selfTestOf<Functions>(
  layout.STAGE,
  (length) => layout.STAGE + length,
  (run, kind, length) => run.seal(kind, 0, length),
  (run, kind, length) => run.open(kind, 0, length),
);

export const longKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: chachaLongVectors, toPlain: makePlain, scalar: chachaLongScalar },
  js: chachaInJavaScript,
  pages: layout.PAGES,
  secrets: layout.AAD,
  selfTest: /* @__PURE__ */ selfTest(1300, 0x7b0dcf36),
};
const long = /* @__PURE__ */ instantiated(longKernel);

/** The kernel without lanes: one block does not fill them, and this kernel is ready in half the time. */
export const shortKernel: KernelSource<Functions> = {
  texts: { decode: unpacked, vectors: chachaShortVectors, toPlain: makePlain, scalar: chachaShortScalar },
  js: { larger: long },
  pages: layout.SHORT_PAGES,
  secrets: layout.AAD,
  selfTest: /* @__PURE__ */ selfTest(64, 0x03ca3422),
};
const short = /* @__PURE__ */ instantiated(shortKernel);

/** The instance for messages of this length. */
export const chachaInstance = (length: number): Instance<Functions> =>
  length <= layout.SHORT_BYTES ? short() : long();

/** A nonce of 8 or 12 bytes ends the block. */
export const nonceAt = (nonceLength: number): number => (nonceLength === 24 ? LAST_ROW : LAST_ROW + 16 - nonceLength);

export const binding: Binding = {
  instance: chachaInstance,
  nonceAt,
  counterAt: (nonceLength) => (nonceLength === 24 ? LONG_COUNTER : LAST_ROW),
};
