/** The kernel of the ChaCha family, and how its input block is laid out. */
import { instantiated, PAGE_BYTES, type Instance } from './engine/instance.ts';
import { byteLengthOf, copyBytes } from './engine/intrinsics.ts';
import { chacha as chachaInJavaScript } from './js/generated/chacha.ts';
import { chachaModule, type ChaCha } from './kernels/chacha20poly1305.ts';
import * as layout from './kernels/chacha.ts';
import { integers } from './kernels/poly1305.ts';
import type { Family } from './stream-cipher.ts';

const long = /* @__PURE__ */ instantiated<ChaCha>({
  lanes: true,
  wasm: (lanes) => chachaModule({ lanes, arithmetic: integers }).bytes(),
  js: chachaInJavaScript,
  memoryBytes: layout.PAGES * PAGE_BYTES,
});

/** One block has no use for lanes, and a kernel without them is there in half the time. */
const short = /* @__PURE__ */ instantiated<ChaCha>({
  lanes: true,
  wasm: (lanes) => chachaModule({ short: true, lanes, arithmetic: integers }).bytes(),
  js: { larger: long },
  memoryBytes: layout.SHORT_PAGES * PAGE_BYTES,
});

/** The instance for messages of this length. */
export const chachaInstance = (length: number): Instance<ChaCha> => (length <= layout.SHORT_BYTES ? short() : long());

/** Before the rest of the input block. */
const CONSTANT_BYTES = 16;
/** Behind the constants: the key, then the last row of the block, or a long nonce and the counter that goes with it. */
const LAST_ROW = 32;
const LONG_COUNTER = LAST_ROW + 24;

/** Where that goes. */
export const INPUT = layout.STATE + CONSTANT_BYTES;

export const kindOf = (nonceLength: number, keyLength: number): number =>
  nonceLength === 24 ? layout.EXTENDED : keyLength === 16 ? layout.SHORT_KEY : layout.PLAIN;

export function writeInput(nonceLength: number, key: Uint8Array, nonce: Uint8Array, to: Uint8Array, at: number): void {
  copyBytes(to, key, at);
  if (byteLengthOf(key) === 16) copyBytes(to, key, at + 16);
  // A nonce of 8 or 12 bytes ends the block.
  copyBytes(to, nonce, at + (nonceLength === 24 ? LAST_ROW : LAST_ROW + 16 - nonceLength));
}

export const family: Family = {
  instance: chachaInstance,
  input: INPUT,
  data: layout.DATA,
  dataBytes: layout.DATA_BYTES,
  secretsFrom: layout.secretsFrom,
  kindOf,
  writeInput,
  counterOffset: (nonceLength) => (nonceLength === 24 ? LONG_COUNTER : LAST_ROW),
};
