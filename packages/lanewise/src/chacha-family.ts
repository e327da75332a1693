/** The kernel of the ChaCha family, and how its input block is laid out. */
import { instantiated, PAGE_BYTES, type Instance } from './engine/instance.ts';
import { byteLengthOf, copyBytes } from './engine/intrinsics.ts';
import { chacha as chachaInJavaScript } from './js/generated/chacha.ts';
import { chachaModule, type ChaCha } from './kernels/chacha20poly1305.ts';
import { DATA, DATA_BYTES, PAGES, SHORT_BYTES, SHORT_PAGES, STATE } from './kernels/chacha.ts';
import { integers } from './kernels/poly1305.ts';
import { SIGMA, TAU } from './rounds/chacha.ts';
import type { Cipher, Family } from './stream-cipher.ts';

const long = /* @__PURE__ */ instantiated<ChaCha>({
  lanes: true,
  wasm: (lanes) => chachaModule({ lanes, arithmetic: integers }).bytes(),
  js: chachaInJavaScript,
  memoryBytes: PAGES * PAGE_BYTES,
});

/** A message of one block has no use for lanes, and the kernel without them is there in half the time. */
const short = /* @__PURE__ */ instantiated<ChaCha>({
  lanes: false,
  wasm: () => chachaModule({ pages: SHORT_PAGES, arithmetic: integers }).bytes(),
  js: chachaInJavaScript,
  memoryBytes: SHORT_PAGES * PAGE_BYTES,
});

/** The instance for messages of this length. */
export const chachaInstance = (length: number): Instance<ChaCha> => (length <= SHORT_BYTES ? short() : long());

/** The block of 64 bytes, the rest of a long nonce, and the counter that goes with that. */
export const STATE_BYTES = 80;
const KEY = 16;
const COUNTER = 48;
const LONG_COUNTER = 72;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));
const sigma = /* @__PURE__ */ ascii(SIGMA);
const tau = /* @__PURE__ */ ascii(TAU);

/** A nonce of 8 or 12 bytes ends the block; one of 24 takes the block's last row and the 8 bytes behind it. */
export function writeState(
  nonceLength: number,
  key: Uint8Array,
  nonce: Uint8Array,
  to: Uint8Array,
  at: number,
  shortKey = false,
): void {
  copyBytes(to, shortKey ? tau : sigma, at);
  copyBytes(to, key, at + KEY);
  if (shortKey) copyBytes(to, key, at + KEY + 16);
  copyBytes(to, nonce, at + (nonceLength === 24 ? COUNTER : 64 - nonceLength));
}

export const family: Family = {
  instance: chachaInstance,
  state: STATE,
  data: DATA,
  dataBytes: DATA_BYTES,
  stateBytes: STATE_BYTES,
  writeState: ({ nonceLength }: Cipher, key, nonce, to, at) =>
    writeState(nonceLength, key, nonce, to, at, byteLengthOf(key) === 16),
  counterOffset: ({ nonceLength }) => (nonceLength === 24 ? LONG_COUNTER : COUNTER),
};
