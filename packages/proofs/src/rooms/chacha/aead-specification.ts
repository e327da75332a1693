// AEAD_CHACHA20_POLY1305: RFC 8439 §2.6 and §2.8; with a nonce of 24 bytes draft-irtf-cfrg-xchacha-03 §2. The tag is
// Poly1305 of `macData` under `oneTimeKey`, and is left to the caller, whose arithmetic that is.
import { wordsOf, type Algebra } from '../../specifications/algebra.ts';
import { encrypt } from './specification.ts';
import { hchacha } from './hchacha-specification.ts';

export interface Sealed<W> {
  readonly ciphertext: W[];
  /** The one-time key of Poly1305, 32 bytes … */
  readonly oneTimeKey: W[];
  /** … and for its message. */
  readonly macData: W[];
}

/** §2.8.1, pad16 */
const pad16 = <W>(w: Algebra<W>, bytes: readonly W[]): W[] =>
  Array.from({ length: (16 - (bytes.length % 16)) % 16 }, () => w.byte(0));

/** §2.8.1, num_to_8_le_bytes */
const eightBytes = <W>(w: Algebra<W>, value: number): W[] =>
  Array.from({ length: 8 }, (_, i) => w.byte(Number((BigInt(value) >> BigInt(8 * i)) & 0xffn)));

/** §2.8, the data that is authenticated. */
export const macData = <W>(w: Algebra<W>, aad: readonly W[], ciphertext: readonly W[]): W[] => [
  ...aad,
  ...pad16(w, aad),
  ...ciphertext,
  ...pad16(w, ciphertext),
  ...eightBytes(w, aad.length),
  ...eightBytes(w, ciphertext.length),
];

/** §2.6 and §2.8: key and nonce of ChaCha20 itself, in words; the draft's long nonce is shortened first. */
function keyAndNonce<W>(w: Algebra<W>, key: readonly W[], nonce: readonly W[]): { key: readonly W[]; nonce: W[] } {
  if (nonce.length === 3) return { key, nonce: [...nonce] };
  // The draft, §2.3: the rest of the nonce is prefixed with four zero bytes.
  return { key: hchacha(w, key, nonce.slice(0, 4)), nonce: [w.word(0), ...nonce.slice(4)] };
}

/** §2.8.1, chacha20_aead_encrypt, but for the tag: all is bytes. */
export function seal<W>(
  w: Algebra<W>,
  key: readonly W[],
  nonce: readonly W[],
  aad: readonly W[],
  plaintext: readonly W[],
): Sealed<W> {
  const short = keyAndNonce(w, wordsOf(w, key), wordsOf(w, nonce));
  const counterFrom = (first: number) => (j: number) => [w.word(first + j)];
  // §2.6: the first 256 bits of the block with counter 0. Encrypted zeros are the keystream itself.
  const zeros = Array.from({ length: 32 }, () => w.byte(0));
  const oneTimeKey = encrypt(w, short.key, counterFrom(0), short.nonce, zeros);
  const ciphertext = encrypt(w, short.key, counterFrom(1), short.nonce, plaintext);
  return { ciphertext, oneTimeKey, macData: macData(w, aad, ciphertext) };
}
