/** The kernel of the Salsa20 family, and how its input is laid out. */
import { instantiated, type Instance, type Kernel } from '../engine/instance.ts';
import { salsa as salsaInJavaScript } from '../js/generated/salsa.ts';
import { integers } from '../poly1305/kernel.ts';
import { salsaCore, secretboxModule, type SecretboxKernel } from './module.ts';
import * as layout from '../keystream/map.ts';
import { answers } from './secretbox-answer.ts';
import type { Family } from '../keystream/cipher.ts';
import { INPUT, kindOf, LAST_ROW, LONG_COUNTER, writeKeyAndNonce } from '../keystream/input.ts';

export const longKernel: Kernel<SecretboxKernel> = {
  lanes: true,
  wasm: (lanes) => secretboxModule(salsaCore, { lanes, arithmetic: integers }).bytes(),
  js: salsaInJavaScript,
  pages: layout.PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(1300, 0x4811b5f2),
};
const long = /* @__PURE__ */ instantiated(longKernel);

/** Two blocks have no use for lanes of blocks, and a kernel without them is there in half the time. */
export const shortKernel: Kernel<SecretboxKernel> = {
  lanes: true,
  wasm: (lanes) => secretboxModule(salsaCore, { short: true, lanes, arithmetic: integers }).bytes(),
  js: { larger: long },
  pages: layout.SHORT_PAGES,
  secrets: layout.AAD,
  right: /* @__PURE__ */ answers(64, 0xa0a36688),
};
const short = /* @__PURE__ */ instantiated(shortKernel);

/** The instance for messages of this length. */
export const salsaInstance = (length: number): Instance<SecretboxKernel> =>
  length <= layout.SHORT_BYTES ? short() : long();

export const family: Family = {
  instance: salsaInstance,
  input: INPUT,
  data: layout.DATA,
  dataBytes: layout.DATA_BYTES,
  secretsFrom: layout.secretsFrom,
  kindOf,
  // Nonce and counter are side by side in the block, in this order.
  writeInput: (to, at, key, keyLength, nonce, nonceLength) =>
    writeKeyAndNonce(to, at, key, keyLength, nonce, nonceLength, LAST_ROW),
  counterOffset: (nonceLength) => (nonceLength === 24 ? LONG_COUNTER : LAST_ROW + 8),
};
