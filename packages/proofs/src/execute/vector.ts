/**
 * v128: four words, the first in the lowest lane. Words are taken apart into bytes only where an instruction mixes
 * bytes of several words; a permutation that rotates the bytes of each word is a rotation of words.
 */
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';

const LANES = [0, 1, 2, 3] as const;

export class Vector {
  readonly words: readonly Term[];

  constructor(words: readonly Term[]) {
    this.words = words;
  }

  /** The 64-bit lane with this index. */
  long(lane: number): Term {
    return terms.concat(this.words[2 * lane], this.words[2 * lane + 1]);
  }

  static ofLongs(low: Term, high: Term): Vector {
    return new Vector([...terms.parts(low, 32), ...terms.parts(high, 32)]);
  }

  static ofBytes(bytes: Uint8Array): Vector {
    const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
    return new Vector(LANES.map((i) => terms.constant(32, view.getUint32(4 * i, true))));
  }

  static splat = (word: Term): Vector => new Vector([word, word, word, word]);
}

export const eachWord = (x: Vector, y: Vector, combine: (a: Term, b: Term) => Term): Vector =>
  new Vector(LANES.map((i) => combine(x.words[i], y.words[i])));

export const eachLong = (x: Vector, y: Vector, combine: (a: Term, b: Term) => Term): Vector =>
  Vector.ofLongs(combine(x.long(0), y.long(0)), combine(x.long(1), y.long(1)));

/**
 * i64x2.add. If a constant is added to the low word, the carry is an indicator of that word, in the same form as in
 * kernels without 64-bit integers.
 */
export function addLongs(x: Vector, y: Vector): Vector {
  const lanes = [0, 1].map((lane) => {
    const [xLow, xHigh, yLow, yHigh] = [2 * lane, 2 * lane + 1]
      .map((i) => x.words[i])
      .concat(y.words.slice(2 * lane, 2 * lane + 2));
    if (terms.numberOf(xLow) === undefined && terms.numberOf(yLow) === undefined)
      return terms.add(x.long(lane), y.long(lane));
    return terms.concat(terms.add(xLow, yLow), terms.add(terms.add(xHigh, yHigh), terms.carry(xLow, yLow)));
  });
  return Vector.ofLongs(lanes[0], lanes[1]);
}

/**
 * A 64-bit lane, shifted to the left, as its words: v128.or merges words, and the one that has the other bits of a rotation is beside them. The shift of a
 * sum would be a sum.
 */
export function shiftedUp(x: Term, count: Term): Term {
  const [k, [low, high]] = [terms.numberOf(terms.extract(count, 32, 0)), terms.parts(x, 32)];
  if (k === undefined || k === 0 || k >= 32) return terms.shl(x, count);
  return terms.concat(terms.shl(low, k), terms.or(terms.shl(high, k), terms.shr_u(low, 32 - k)));
}

/** The 64-bit products of the 32-bit lanes `first` and `first + 1`. */
export function extendedProducts(x: Vector, y: Vector, first: number): Vector {
  const product = (i: number): Term => terms.mul(terms.zeroExtend(x.words[i], 64), terms.zeroExtend(y.words[i], 64));
  return Vector.ofLongs(product(first), product(first + 1));
}

/** The vector of the bytes with these numbers among the bytes of the words; a number beyond them gives a zero byte. */
export function permuted(words: readonly Term[], numbers: readonly number[]): Vector {
  return new Vector(
    LANES.map((lane) => {
      const from = numbers.slice(4 * lane, 4 * lane + 4);
      const [first] = from;
      const inOneWord = from.every((n, i) => n >> 2 === first >> 2 && (n & 3) === ((first + i) & 3));
      if (inOneWord && first >> 2 < words.length) return terms.rotl(words[first >> 2], -8 * (first & 3));
      const byte = (n: number): Term =>
        n >> 2 < words.length ? terms.extract(words[n >> 2], 8, n & 3) : terms.constant(8, 0);
      return terms.concat(...from.map(byte));
    }),
  );
}
