// ChaCha: RFC 8439 §2.1 to §2.4, and the variants that only the original has ("ChaCha, a variant of Salsa20", D. J.
// Bernstein, 2008): 8 and 12 rounds, keys of 16 bytes, a counter of 64 bits before a nonce of 8 bytes.
import { ascii, bytesOf, wordsOf, xorBytes, type Algebra } from '../../specifications/algebra.ts';

export type Rounds = 8 | 12 | 20;

/** §2.1 */
export function quarterRound<W>(w: Algebra<W>, state: W[], a: number, b: number, c: number, d: number): void {
  // 1.  a += b; d ^= a; d <<<= 16;
  state[a] = w.add(state[a], state[b]);
  state[d] = w.xor(state[d], state[a]);
  state[d] = w.rotl(state[d], 16);
  // 2.  c += d; b ^= c; b <<<= 12;
  state[c] = w.add(state[c], state[d]);
  state[b] = w.xor(state[b], state[c]);
  state[b] = w.rotl(state[b], 12);
  // 3.  a += b; d ^= a; d <<<= 8;
  state[a] = w.add(state[a], state[b]);
  state[d] = w.xor(state[d], state[a]);
  state[d] = w.rotl(state[d], 8);
  // 4.  c += d; b ^= c; b <<<= 7;
  state[c] = w.add(state[c], state[d]);
  state[b] = w.xor(state[b], state[c]);
  state[b] = w.rotl(state[b], 7);
}

/** §2.3.1, inner_block: four column rounds, four diagonal rounds. */
export function innerBlock<W>(w: Algebra<W>, state: W[]): void {
  quarterRound(w, state, 0, 4, 8, 12);
  quarterRound(w, state, 1, 5, 9, 13);
  quarterRound(w, state, 2, 6, 10, 14);
  quarterRound(w, state, 3, 7, 11, 15);
  quarterRound(w, state, 0, 5, 10, 15);
  quarterRound(w, state, 1, 6, 11, 12);
  quarterRound(w, state, 2, 7, 8, 13);
  quarterRound(w, state, 3, 4, 9, 14);
}

/** The rounds alone. */
export function rounds<W>(w: Algebra<W>, input: readonly W[], count: Rounds): W[] {
  const state = [...input];
  for (let round = 0; round < count; round += 2) innerBlock(w, state);
  return state;
}

/** §2.3, the constants and the key of the input block: 8 words, or 4 with the original's "expand 16-byte k". */
export function keyRows<W>(w: Algebra<W>, key: readonly W[]): W[] {
  const long = key.length === 8;
  const constants = wordsOf(w, ascii(w, long ? 'expand 32-byte k' : 'expand 16-byte k'));
  return [...constants, ...(long ? key : [...key, ...key])];
}

/** §2.3, the block function of a whole input block: 64 bytes. */
export const blockOf = <W>(w: Algebra<W>, state: readonly W[], count: Rounds = 20): W[] =>
  bytesOf(
    w,
    rounds(w, state, count).map((word, i) => w.add(word, state[i])),
  );

/** The same of a key, and of the last row of the state, which is counter and nonce. */
export const block = <W>(w: Algebra<W>, key: readonly W[], lastRow: readonly W[], count: Rounds = 20): W[] =>
  blockOf(w, [...keyRows(w, key), ...lastRow], count);

/**
 * §2.4, the encryption algorithm. Key and nonce are little-endian words. `counter` gives the words of block number j's
 * counter: one with RFC 8439's nonce of 3 words, two with the original's of 2.
 */
export function encrypt<W>(
  w: Algebra<W>,
  key: readonly W[],
  counter: (j: number) => readonly W[],
  nonce: readonly W[],
  plaintext: readonly W[],
  count: Rounds = 20,
): W[] {
  const encrypted: W[] = [];
  for (let j = 0; 64 * j < plaintext.length; j++) {
    const keystream = block(w, key, [...counter(j), ...nonce], count);
    encrypted.push(...xorBytes(w, plaintext.slice(64 * j, 64 * j + 64), keystream));
  }
  return encrypted;
}
