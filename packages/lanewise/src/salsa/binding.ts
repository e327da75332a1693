/** The kernels of the Salsa20 family and of secretbox, and how the family's input is laid out. */
import { instantiated, type Instance, type Kernel } from '../engine/instance.ts';
import { salsa as salsaInJavaScript } from '../js/generated/salsa.ts';
import { secretboxChacha } from '../js/generated/secretbox-chacha.ts';
import { integers } from '../poly1305/kernel.ts';
import { chachaCore, salsaCore, secretboxModule, type SecretboxKernel } from './module.ts';
import * as layout from '../keystream/map.ts';
import type { Family } from '../keystream/cipher.ts';
import { LAST_ROW, LONG_COUNTER } from '../keystream/input.ts';
import { selfTest } from '../keystream/self-test.ts';
import { BOX, TAG_BYTES } from './map.ts';

const answers = /* @__PURE__ */ selfTest<SecretboxKernel>(
  BOX,
  (run, kind, length) => run.seal(kind, length),
  (run, kind, length) => run.open(kind, length),
);

export const longKernel: Kernel<SecretboxKernel> = {
  lanes: true,
  wasm: (lanes) => secretboxModule(salsaCore, { lanes, arithmetic: integers }).bytes(),
  js: salsaInJavaScript,
  pages: layout.PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(1300, -TAG_BYTES, 0x4811b5f2),
};
const long = /* @__PURE__ */ instantiated(longKernel);

/** Two blocks have no use for lanes of blocks, and a kernel without them is there in half the time. */
export const shortKernel: Kernel<SecretboxKernel> = {
  lanes: true,
  wasm: (lanes) => secretboxModule(salsaCore, { short: true, lanes, arithmetic: integers }).bytes(),
  js: { larger: long },
  pages: layout.SHORT_PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(64, -TAG_BYTES, 0xa0a36688),
};
const short = /* @__PURE__ */ instantiated(shortKernel);

/** The instance for messages of this length. */
export const salsaInstance = (length: number): Instance<SecretboxKernel> =>
  length <= layout.SHORT_BYTES ? short() : long();

/** Secretbox with XChaCha20 has one kernel for messages of all lengths. */
export const secretboxChachaKernel: Kernel<SecretboxKernel> = {
  lanes: true,
  wasm: (lanes) => secretboxModule(chachaCore, { lanes, arithmetic: integers }).bytes(),
  js: secretboxChacha,
  pages: layout.PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(1300, -TAG_BYTES, 0xfb0ca707),
};
export const secretboxChachaInstance: () => Instance<SecretboxKernel> =
  /* @__PURE__ */ instantiated(secretboxChachaKernel);

export const family: Family = {
  instance: salsaInstance,
  // Nonce and counter are side by side in the block, in this order.
  nonceAt: () => LAST_ROW,
  counterAt: (nonceLength) => (nonceLength === 24 ? LONG_COUNTER : LAST_ROW + 8),
};
