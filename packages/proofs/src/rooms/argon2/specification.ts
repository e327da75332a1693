// The compression function G of Argon2: RFC 9106, §3.5 and §3.6, over words of 64 bits.
import type { Words } from '../blake2/specification.ts';

export interface ProductWords<W, L> extends Words<W, L> {
  /** 2·trunc(x)·trunc(y) mod 2^64, where trunc is the low half of a word. */
  doubledProduct(x: L, y: L): L;
}

/** §3.6: P on sixteen words. */
export function permute<W, L>(w: ProductWords<W, L>, words: readonly L[]): L[] {
  const v = [...words];
  const step = (a: number, b: number, d: number, count: number): void => {
    v[a] = w.add(w.add(v[a], v[b]), w.doubledProduct(v[a], v[b]));
    v[d] = w.rotr(w.xor(v[d], v[a]), count);
  };
  const gb = (a: number, b: number, c: number, d: number): void => {
    step(a, b, d, 32);
    step(c, d, b, 24);
    step(a, b, d, 16);
    step(c, d, b, 63);
  };
  gb(0, 4, 8, 12);
  gb(1, 5, 9, 13);
  gb(2, 6, 10, 14);
  gb(3, 7, 11, 15);
  gb(0, 5, 10, 15);
  gb(1, 6, 11, 12);
  gb(2, 7, 8, 13);
  gb(3, 4, 9, 14);
  return v;
}

/** §3.5: G of two blocks of 1024 bytes. R is a matrix of 8 by 8 registers of two words. */
export function compress<W, L>(w: ProductWords<W, L>, x: readonly W[], y: readonly W[]): W[] {
  const wordsOf = (bytes: readonly W[]): L[] =>
    Array.from({ length: bytes.length / 8 }, (_, i) => w.fromBytes(bytes.slice(8 * i, 8 * i + 8)));
  const right = wordsOf(y);
  const r = wordsOf(x).map((word, i) => w.xor(word, right[i]));
  const z = [...r];
  const at = (places: readonly number[]): void =>
    permute(
      w,
      places.map((place) => z[place]),
    ).forEach((word, i) => (z[places[i]] = word));
  const sixteen = Array.from({ length: 16 }, (_, i) => i);
  for (let row = 0; row < 8; row++) at(sixteen.map((i) => 16 * row + i));
  for (let column = 0; column < 8; column++) at(sixteen.map((i) => 16 * (i >> 1) + 2 * column + (i & 1)));
  return z.flatMap((word, i) => w.toBytes(w.xor(word, r[i])));
}
