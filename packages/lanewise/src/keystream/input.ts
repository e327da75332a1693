/** Key, nonce and counter as the kernels of ChaCha and Salsa20 want them: the input without its constants. */
import { byteLengthOf, copyBytes, part } from '../engine/intrinsics.ts';
import { EXTENDED, PLAIN, SHORT_KEY, STATE } from './map.ts';

/** Before the rest of the input. */
const CONSTANT_BYTES = 16;
/** Where that goes. */
export const INPUT = STATE + CONSTANT_BYTES;

/** Behind the constants: the key, then the last row of the input, or a long nonce and the counter that goes with it. */
export const LAST_ROW = 32;
export const LONG_COUNTER = LAST_ROW + 24;

export const kindOf = (nonceLength: number, keyLength: number): number =>
  nonceLength === 24 ? EXTENDED : keyLength === 16 ? SHORT_KEY : PLAIN;

/** The nonce goes to `nonceAt` of what is written to `to`. */
export function writeKeyAndNonce(
  key: Uint8Array,
  nonce: Uint8Array,
  nonceAt: number,
  to: Uint8Array,
  at: number,
): void {
  copyBytes(to, key, at);
  // A short key twice, but read once.
  if (byteLengthOf(key) === 16) copyBytes(to, part(to, at, 16), at + 16);
  copyBytes(to, nonce, at + nonceAt);
}
