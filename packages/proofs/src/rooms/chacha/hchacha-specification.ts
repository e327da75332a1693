// HChaCha and XChaCha: draft-irtf-cfrg-xchacha-03 §2.2 and §2.3. Keys and nonces are little-endian words.
import type { Algebra } from '../../specifications/algebra.ts';
import { encrypt, keyRows, rounds, type Rounds } from './specification.ts';

/** §2.2: the rounds of ChaCha on a block with the nonce for its last row; the first and the last row are the subkey. */
export function hchacha<W>(w: Algebra<W>, key: readonly W[], nonce: readonly W[], count: Rounds = 20): W[] {
  const state = rounds(w, [...keyRows(w, key), ...nonce], count);
  return [...state.slice(0, 4), ...state.slice(12, 16)];
}

/**
 * §2.3: the subkey from the first 4 words of the nonce; then ChaCha with the other 2 after a word of zero. Where the
 * counter has 64 bits (as in libsodium, and here), its high word is where the draft has the zeros.
 */
export const xchacha = <W>(
  w: Algebra<W>,
  key: readonly W[],
  counter: (j: number) => readonly W[],
  nonce: readonly W[],
  plaintext: readonly W[],
  count: Rounds = 20,
): W[] => encrypt(w, hchacha(w, key, nonce.slice(0, 4), count), counter, nonce.slice(4), plaintext, count);
