/**
 * Every value of a length, in finitely many cases. In a case the length is a·k + b for all k from `least` to `most`, and so is
 * every number that is computed from it. Where an instruction's result is no such function of k, or a comparison has not one
 * answer for all k, the case is split: by k's parity, or at a k. The split cases have all values of the whole one, so
 * what holds in each of the last ones holds for every length. Nothing is sampled and no period is assumed: a selection of a
 * single length, however it is computed, ends in a case of its own.
 */
import { Failure } from '../claims/claim.ts';

const WORD = 2 ** 32;

/** a·k + b, from 0 up to 2^32 for all k of its case; a is not 0. */
export class Affine {
  readonly a: number;
  readonly b: number;

  constructor(a: number, b: number) {
    this.a = a;
    this.b = b;
  }
}

/** A number of 32 bits, unsigned. */
export type Num = number | Affine;

/** The case has to be split before a run can go on. */
export class Split extends Error {
  override readonly name = 'Split';
  /** The first k of the second case; undefined to split by parity. */
  readonly at: number | undefined;

  constructor(at?: number) {
    super('the case is to be split');
    this.at = at;
  }
}

const partsOf = (x: Num): Affine => (typeof x === 'number' ? new Affine(0, x) : x);
const modulo = (x: number, n: number): number => x - n * Math.floor(x / n);

export class Case {
  readonly length: Num;
  readonly least: number;
  readonly most: number;
  readonly #a: number;
  readonly #b: number;

  /** The lengths a·k + b, for k from `least` to `most`. */
  constructor(a: number, b: number, least: number, most: number) {
    [this.#a, this.#b, this.least, this.most] = [a, b, least, most];
    this.length = this.#made(a, b);
  }

  /** The number of lengths. */
  get size(): number {
    return this.most - this.least + 1;
  }

  /** For messages: a length of the case. */
  get example(): number {
    return this.#a * this.least + this.#b;
  }

  /** The greatest value of a function, over all lengths of the case. */
  greatestOf(f: (length: number) => number): number {
    let greatest = -Infinity;
    for (let k = this.least; k <= this.most; k++) greatest = Math.max(greatest, f(this.#a * k + this.#b));
    return greatest;
  }

  /** Two cases with all lengths of this one. */
  split({ at }: Split): Case[] {
    const [a, b, least, most] = [this.#a, this.#b, this.least, this.most];
    if (at !== undefined) return [new Case(a, b, least, at - 1), new Case(a, b, at, most)];
    return [0, 1].flatMap((bit) => {
      const [from, to] = [Math.ceil((least - bit) / 2), Math.floor((most - bit) / 2)];
      return from <= to ? [new Case(2 * a, b + bit * a, from, to)] : [];
    });
  }

  #halve(): never {
    throw new Split(this.least + Math.ceil(this.size / 2));
  }

  /** a·k + b modulo 2^32. */
  #made(a: number, b: number): Num {
    if (a === 0) return modulo(b, WORD);
    if (this.least === this.most) return modulo(a * this.least + b, WORD);
    const [from, to] = [a * this.least + b, a * this.most + b];
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) this.#halve();
    const wraps = Math.floor(from / WORD);
    if (wraps === Math.floor(to / WORD)) return new Affine(a, b - wraps * WORD);
    // The first k with another quotient than the least one.
    const edge = a > 0 ? (wraps + 1) * WORD : wraps * WORD - 1;
    throw new Split(Math.ceil((edge - b) / a));
  }

  add(x: Num, y: Num): Num {
    if (typeof x === 'number' && typeof y === 'number') return (x + y) % WORD;
    const [p, q] = [partsOf(x), partsOf(y)];
    return this.#made(p.a + q.a, p.b + q.b);
  }

  sub(x: Num, y: Num): Num {
    const [p, q] = [partsOf(x), partsOf(y)];
    return this.#made(p.a - q.a, p.b - q.b);
  }

  mul(x: Num, y: Num): Num {
    if (typeof x !== 'number' && typeof y !== 'number') return this.#halve();
    const [factor, { a, b }] = typeof x === 'number' ? [x, partsOf(y)] : [y as number, x];
    if (a === 0) return Math.imul(factor, b) >>> 0;
    if (factor > 2 ** 20) return this.#halve();
    return this.#made(a * factor, b * factor);
  }

  shiftedUp(x: Num, count: Num): Num {
    if (typeof count !== 'number') return this.#halve();
    return typeof x === 'number' ? (x << count) >>> 0 : this.mul(x, 2 ** (count & 31));
  }

  shiftedDown(x: Num, count: Num): Num {
    if (typeof count !== 'number') return this.#halve();
    if (typeof x === 'number') return x >>> count;
    const unit = 2 ** (count & 31);
    const quotient = this.#quotient(x, unit);
    return quotient ?? this.#made(x.a / unit, Math.floor(x.b / unit));
  }

  /** The whole units of a number, if they are the same for all k; undefined where the number's rest is. */
  #quotient({ a, b }: Affine, unit: number): number | undefined {
    if (a % unit === 0) return undefined;
    const [first, last] = [this.least, this.most].map((k) => Math.floor((a * k + b) / unit));
    if (first === last) return first;
    throw new Split();
  }

  and(x: Num, y: Num): Num {
    if (typeof x === 'number' && typeof y === 'number') return (x & y) >>> 0;
    if (typeof x !== 'number' && typeof y !== 'number') return this.#halve();
    const [mask, number] = typeof x === 'number' ? [x | 0, y as Affine] : [(y as number) | 0, x];
    // The mask's bits from this one on are alike; those below it need low bits that are the same for all k.
    const bits = 32 - Math.clz32(mask < 0 ? ~mask : mask);
    const unit = 2 ** bits;
    const quotient = this.#quotient(number, unit);
    if (quotient !== undefined) {
      // The rest is affine, so the mask has to keep all of it, or nothing.
      const keepsRest = mask === unit - 1;
      if (!keepsRest && mask !== -unit) throw new Split();
      return keepsRest ? this.#made(number.a, number.b - quotient * unit) : quotient * unit;
    }
    const low = modulo(number.b, unit);
    const kept = (low & mask) >>> 0;
    return mask < 0 ? this.#made(number.a, number.b - low + kept) : kept;
  }

  or(x: Num, y: Num): Num {
    return this.sub(this.add(x, y), this.and(x, y));
  }

  xor(x: Num, y: Num): Num {
    return this.sub(this.add(x, y), this.mul(2, this.and(x, y)));
  }

  /** x < y */
  less(x: Num, y: Num): boolean {
    if (typeof x === 'number' && typeof y === 'number') return x < y;
    const [p, q] = [partsOf(x), partsOf(y)];
    const [a, b] = [q.a - p.a, q.b - p.b];
    const [first, last] = [a * this.least + b > 0, a * this.most + b > 0];
    if (first === last) return first;
    // b + a·k > 0 from here on, or up to here.
    throw new Split(a > 0 ? Math.floor(-b / a) + 1 : Math.ceil(-b / a));
  }

  equal(x: Num, y: Num): boolean {
    if (typeof x === 'number' && typeof y === 'number') return x === y;
    return !this.less(x, y) && !this.less(y, x);
  }

  lessOrEqual(x: Num, y: Num): boolean {
    return !this.less(y, x);
  }

  least2(x: Num, y: Num): Num {
    return this.less(x, y) ? x : y;
  }

  greatest2(x: Num, y: Num): Num {
    return this.less(x, y) ? y : x;
  }
}

/** More cases than any kernel needs; a kernel that needs more is one that treats lengths one by one. */
const MOST_CASES = 400_000;

/**
 * Runs `run` in cases that have, together, every length from `least` to `most`, each once. A run may throw a Split, whatever it
 * has done until then. Returns the number of cases.
 */
export function forEveryLength(least: number, most: number, run: (length: Num, c: Case) => void): number {
  const left = [new Case(1, 0, least, most)];
  let cases = 0;
  let lengths = 0;
  for (let one = left.pop(); one; one = left.pop()) {
    if (cases + left.length > MOST_CASES) throw new Failure('lengths are treated one by one');
    try {
      run(one.length, one);
    } catch (error) {
      if (!(error instanceof Split)) throw error;
      left.push(...one.split(error));
      continue;
    }
    cases++;
    lengths += one.size;
  }
  if (lengths !== most - least + 1) throw new Failure('the cases do not have every length');
  return cases;
}
