// Words of 32 and 64 bits as terms, for the specifications of BLAKE2 and Argon2; and words of 64 bits in halves, as texts
// of the `js` engine compute them. A test compares the halves with integers of 64 bits.
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import type { Words } from './specification.ts';

const wordsOf = (bits: 32 | 64): Words<Term, Term> => ({
  word: (value) => terms.constant(bits, value),
  add: terms.add,
  xor: terms.xor,
  rotr: (x, count) => terms.rotr(x, count),
  fromBytes: (bytes) => terms.concat(...bytes),
  toBytes: (word) => terms.parts(word, 8),
});
export const shorts = wordsOf(32);
export const longs = wordsOf(64);

/** The operations that halves are made of. */
export interface HalfOperations<W> {
  word(value: number): W;
  add(x: W, y: W): W;
  mul(x: W, y: W): W;
  xor(x: W, y: W): W;
  and(x: W, y: W): W;
  or(x: W, y: W): W;
  not(x: W): W;
  shl(x: W, count: number): W;
  shr(x: W, count: number): W;
  fromBytes(bytes: readonly W[]): W;
  toBytes(word: W): W[];
}
export type Halves<W> = readonly [low: W, high: W];

export function halvesOver<W>(w: HalfOperations<W>): Words<W, Halves<W>> {
  return {
    word: (value) => [w.word(Number(value & 0xffffffffn)), w.word(Number(value >> 32n))],
    add([xLow, xHigh], [yLow, yHigh]) {
      const low = w.add(xLow, yLow);
      // The carry is the majority of the top bits of both words and of the carry into them.
      const carry = w.shr(w.or(w.and(xLow, yLow), w.and(w.or(xLow, yLow), w.not(low))), 31);
      return [low, w.add(w.add(xHigh, yHigh), carry)];
    },
    xor: ([xLow, xHigh], [yLow, yHigh]) => [w.xor(xLow, yLow), w.xor(xHigh, yHigh)],
    rotr([low, high], count) {
      const [x, y] = count < 32 ? [low, high] : [high, low];
      const n = count & 31;
      if (n === 0) return [x, y];
      return [w.or(w.shr(x, n), w.shl(y, 32 - n)), w.or(w.shr(y, n), w.shl(x, 32 - n))];
    },
    fromBytes: (bytes) => [w.fromBytes(bytes.slice(0, 4)), w.fromBytes(bytes.slice(4))],
    toBytes: ([low, high]) => [...w.toBytes(low), ...w.toBytes(high)],
  };
}

/** 2·x·y of the low halves of two words: the product by halves of 16 bits. RFC 9106 §3.6 */
export function doubledProductOver<W>(w: HalfOperations<W>): (x: Halves<W>, y: Halves<W>) => Halves<W> {
  const lower = (x: W): W => w.and(x, w.word(0xffff));
  const upper = (x: W): W => w.shr(x, 16);
  return ([x], [y]) => {
    const p = w.mul(lower(x), lower(y));
    const q = w.add(w.mul(upper(x), lower(y)), upper(p));
    const r = w.add(w.mul(lower(x), upper(y)), lower(q));
    const high = w.add(w.add(w.mul(upper(x), upper(y)), upper(q)), upper(r));
    const low = w.or(w.shl(r, 16), lower(p));
    return [w.shl(low, 1), w.or(w.shl(high, 1), w.shr(low, 31))];
  };
}

export const onTerms: HalfOperations<Term> = {
  word: (value) => terms.constant(32, value >>> 0),
  add: terms.add,
  mul: terms.mul,
  xor: terms.xor,
  and: terms.and,
  or: terms.or,
  not: terms.not,
  shl: (x, count) => terms.shl(x, count),
  shr: (x, count) => terms.shr_u(x, count),
  fromBytes: (bytes) => terms.concat(...bytes),
  toBytes: (word) => terms.parts(word, 8),
};
