// secretbox: "Cryptography in NaCl" (D. J. Bernstein, 2009), §9, with XSalsa20; and in the same layout with XChaCha20, as
// libsodium has it. The tag, which goes in front, is Poly1305 of the ciphertext under `oneTimeKey`, and is left to the
// caller, whose arithmetic that is. All is bytes.
import { bytesOf, wordsOf, type Algebra } from '../../specifications/algebra.ts';
import { xchacha } from '../chacha/hchacha-specification.ts';
import { xsalsa } from './specification.ts';

export type Cipher = 'salsa' | 'chacha';

export interface Boxed<W> {
  readonly oneTimeKey: W[];
  readonly ciphertext: W[];
}

/** XORs with the stream, from its start on. */
function stream<W>(w: Algebra<W>, cipher: Cipher, key: readonly W[], nonce: readonly W[], m: readonly W[]): W[] {
  if (cipher === 'salsa') return xsalsa(w, key, nonce, m);
  return xchacha(w, wordsOf(w, key), (j) => [w.word(j), w.word(0)], wordsOf(w, nonce), m);
}

/** §9: the first 32 bytes of the stream are the one-time key, those from there on encrypt the message. */
export function secretbox<W>(
  w: Algebra<W>,
  cipher: Cipher,
  key: readonly W[],
  nonce: readonly W[],
  message: readonly W[],
): Boxed<W> {
  const zeros = bytesOf(
    w,
    Array.from({ length: 8 }, () => w.word(0)),
  );
  const encrypted = stream(w, cipher, key, nonce, [...zeros, ...message]);
  return { oneTimeKey: encrypted.slice(0, 32), ciphertext: encrypted.slice(32) };
}
