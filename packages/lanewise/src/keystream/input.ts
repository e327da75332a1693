/** Key, nonce and counter as the kernels of ChaCha and Salsa20 want them: the input without its constants. */
import { copyExactly, moveBytes } from '../engine/intrinsics.ts';
import { EXTENDED, PLAIN, SHORT_KEY, STATE } from './map.ts';

/** The bytes of the constants, which come before the rest of the input. */
const CONSTANT_BYTES = 16;
/** The address of the input after its constants. */
export const INPUT = STATE + CONSTANT_BYTES;

/**
 * The bytes of the input. V8 keeps typed arrays of up to 64 bytes on the object itself, which makes them four times cheaper to
 * allocate.
 */
export const INPUT_BYTES = 64;

/** Behind the constants: the key, then the last row of the input, or a long nonce and the counter that goes with it. */
export const LAST_ROW = 32;
export const LONG_COUNTER = LAST_ROW + 24;

export const inputKindOf = (nonceLength: number, keyLength: number): number =>
  nonceLength === 24 ? EXTENDED : keyLength === 16 ? SHORT_KEY : PLAIN;

/** Writes the input but for its counter to `at` of `to`; the nonce is `nonceAt` bytes after the start of the key. */
export function writeKeyAndNonce(
  to: Uint8Array,
  at: number,
  key: Uint8Array,
  keyLength: number,
  nonce: Uint8Array,
  nonceLength: number,
  nonceAt: number,
): void {
  copyExactly(to, at, key, keyLength);
  // A short key is written twice, but read only once.
  if (keyLength === 16) moveBytes(to, at + 16, at, at + 16);
  copyExactly(to, at + nonceAt, nonce, nonceLength);
}

/** Little-endian. */
export function writeWord(to: Uint8Array, at: number, word: number): void {
  for (let i = 0; i < 4; i++) to[at + i] = word >>> (8 * i);
}
