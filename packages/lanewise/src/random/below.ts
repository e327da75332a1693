/**
 * Integers below n without bias, by D. Lemire ("Fast random integer generation in an interval", 2019): the result is
 * the high word of the product of n and a random word of 64 bits. Products whose low word is below 2^64 mod n would
 * give some results once too often, so these are drawn again. Words and answers are those of Go's `Uint64N` on machines
 * of 64 bits.
 */
import { floor, imul, toBigInt, toNumber } from '../engine/intrinsics.ts';

/** Draws words of 64 bits, and keeps the halves of the last one. */
export interface Words {
  draw(): void;
  low: number;
  high: number;
}

const TWO_32 = 2 ** 32;
const MASK_64 = 0xffffffffffffffffn;

export const wordOf = ({ low, high }: Words): bigint => (toBigInt(high) << 32n) | toBigInt(low);

/** For n from 1 to 2^64 - 1. */
export function below64(words: Words, n: bigint): bigint {
  words.draw();
  if ((n & (n - 1n)) === 0n) return wordOf(words) & (n - 1n);
  let product = wordOf(words) * n;
  if ((product & MASK_64) < n) {
    const surplus = (MASK_64 - n + 1n) % n;
    while ((product & MASK_64) < surplus) {
      words.draw();
      product = wordOf(words) * n;
    }
  }
  return product >> 64n;
}

/** For n from 1 to 2^32 - 1, without the cost of a bigint. */
export function below32(words: Words, n: number): number {
  words.draw();
  if ((n & (n - 1)) === 0) return (words.low & (n - 1)) >>> 0;
  for (let surplus = -1; ;) {
    const { low, high } = words;
    // The product has 96 bits: the answer in front, and after it the word that decides whether it counts.
    const bottom = imul(low, n) >>> 0;
    const sum = (imul(high, n) >>> 0) + highWord(low, n);
    const answer = highWord(high, n) + (sum >= TWO_32 ? 1 : 0);
    if (sum >>> 0 > 0 || bottom >= n) return answer;
    if (surplus < 0) surplus = toNumber((1n << 64n) % toBigInt(n));
    if (bottom >= surplus) return answer;
    words.draw();
  }
}

/** The upper word of a product of two words. The product as a double is wrong by at most 2^10, a fraction of 2^32. */
const highWord = (x: number, y: number): number => floor((x * y - (imul(x, y) >>> 0)) / TWO_32 + 0.5);
