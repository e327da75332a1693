/**
 * Random expressions, each written twice: as a term, which the constructors bring to normal form, and as the SMT-LIB text
 * of the same operations, which no rewriting rule has touched. The text is written here from the SMT-LIB theory of
 * bit-vectors and shares nothing with the printer of terms (smt.ts).
 */
import * as t from '../src/terms/term.ts';
import type { Term, Width } from '../src/terms/term.ts';
import { randomValue } from './terms-random.ts';

type Random = (limit: number) => number;
type Bits = 32 | 64;

/** An expression: its term, and the name that its text has in the script. */
export interface Twice {
  readonly term: Term;
  readonly name: string;
}

/** The operations, each applied to both forms. Comparisons give a word of value 0 or 1. */
export class Script {
  /** Declarations and definitions, in order. */
  readonly lines: string[] = [];

  #define(term: Term, text: string): Twice {
    const name = `e${this.lines.length}`;
    this.lines.push(`(define-fun ${name} () (_ BitVec ${term.width}) ${text})`);
    return { term, name };
  }
  variable(width: Width, name: string): Twice {
    this.lines.push(`(declare-const ${name} (_ BitVec ${width}))`);
    return { term: t.variable(width, name, false), name };
  }
  constant(width: Width, value: bigint | number): Twice {
    const unsigned = BigInt.asUintN(width, BigInt(value));
    return { term: t.constant(width, unsigned), name: `(_ bv${unsigned} ${width})` };
  }

  #binary(make: (x: Term, y: Term) => Term, operator: string, x: Twice, y: Twice): Twice {
    return this.#define(make(x.term, y.term), `(${operator} ${x.name} ${y.name})`);
  }
  add = (x: Twice, y: Twice): Twice => this.#binary(t.add, 'bvadd', x, y);
  sub = (x: Twice, y: Twice): Twice => this.#binary(t.sub, 'bvsub', x, y);
  mul = (x: Twice, y: Twice): Twice => this.#binary(t.mul, 'bvmul', x, y);
  and = (x: Twice, y: Twice): Twice => this.#binary(t.and, 'bvand', x, y);
  or = (x: Twice, y: Twice): Twice => this.#binary(t.or, 'bvor', x, y);
  xor = (x: Twice, y: Twice): Twice => this.#binary(t.xor, 'bvxor', x, y);
  not = (x: Twice): Twice => this.#define(t.not(x.term), `(bvnot ${x.name})`);
  neg = (x: Twice): Twice => this.#define(t.neg(x.term), `(bvneg ${x.name})`);

  /** The count, modulo the width: a number, or an expression of the width. */
  #count(x: Twice, count: Twice | number): { term: Term | number; name: string } {
    const { width } = x.term;
    if (typeof count === 'number') return { term: count, name: `(_ bv${count % width} ${width})` };
    return { term: count.term, name: `(bvurem ${count.name} (_ bv${width} ${width}))` };
  }
  #shift(make: typeof t.shl, operator: string, x: Twice, by: Twice | number): Twice {
    const count = this.#count(x, by);
    return this.#define(make(x.term, count.term), `(${operator} ${x.name} ${count.name})`);
  }
  shl = (x: Twice, by: Twice | number): Twice => this.#shift(t.shl, 'bvshl', x, by);
  shr_u = (x: Twice, by: Twice | number): Twice => this.#shift(t.shr_u, 'bvlshr', x, by);
  shr_s = (x: Twice, by: Twice | number): Twice => this.#shift(t.shr_s, 'bvashr', x, by);
  #rotate(make: typeof t.shl, there: string, back: string, x: Twice, by: Twice | number): Twice {
    const { width } = x.term;
    const { term, name } = this.#count(x, by);
    // Shifting by the whole width gives 0.
    return this.#define(
      make(x.term, term),
      `(bvor (${there} ${x.name} ${name}) (${back} ${x.name} (bvsub (_ bv${width} ${width}) ${name})))`,
    );
  }
  rotl = (x: Twice, by: Twice | number): Twice => this.#rotate(t.rotl, 'bvshl', 'bvlshr', x, by);
  rotr = (x: Twice, by: Twice | number): Twice => this.#rotate(t.rotr, 'bvlshr', 'bvshl', x, by);

  /** Parts side by side, the first of them the least significant. */
  concat(...parts: readonly Twice[]): Twice {
    const names = parts.map(({ name }) => name).reverse();
    return this.#define(t.concat(...parts.map(({ term }) => term)), `(concat ${names.join(' ')})`);
  }
  extract(x: Twice, width: Width, index: number): Twice {
    const low = width * index;
    return this.#define(t.extract(x.term, width, index), `((_ extract ${low + width - 1} ${low}) ${x.name})`);
  }
  zeroExtend = (x: Twice, width: Bits): Twice =>
    this.#define(t.zeroExtend(x.term, width), `((_ zero_extend ${width - x.term.width}) ${x.name})`);
  signExtend = (x: Twice, width: Bits): Twice =>
    this.#define(t.signExtend(x.term, width), `((_ sign_extend ${width - x.term.width}) ${x.name})`);

  #condition = (term: Term, condition: string): Twice => this.#define(term, `(ite ${condition} (_ bv1 32) (_ bv0 32))`);
  isZero = (x: Twice): Twice => this.#condition(t.isZero(x.term), `(= ${x.name} (_ bv0 ${x.term.width}))`);
  equal = (x: Twice, y: Twice): Twice => this.#condition(t.equal(x.term, y.term), `(= ${x.name} ${y.name})`);
  notEqual = (x: Twice, y: Twice): Twice =>
    this.#condition(t.notEqual(x.term, y.term), `(distinct ${x.name} ${y.name})`);
  less = (x: Twice, y: Twice): Twice => this.#condition(t.less(x.term, y.term), `(bvult ${x.name} ${y.name})`);
  lessSigned = (x: Twice, y: Twice): Twice =>
    this.#condition(t.lessSigned(x.term, y.term), `(bvslt ${x.name} ${y.name})`);
  /** The carry of x + y out of 32 bits. */
  carry(x: Twice, y: Twice): Twice {
    const sum = `(bvadd ((_ zero_extend 1) ${x.name}) ((_ zero_extend 1) ${y.name}))`;
    return this.#condition(t.carry(x.term, y.term), `(= ((_ extract 32 32) ${sum}) #b1)`);
  }
  ite(condition: Twice, then: Twice, otherwise: Twice): Twice {
    const term = t.ite(condition.term, then.term, otherwise.term);
    return this.#define(term, `(ite (= ${condition.name} (_ bv0 32)) ${otherwise.name} ${then.name})`);
  }
}

/** The sources of a random expression. */
interface Draw {
  readonly s: Script;
  readonly random: Random;
  /** An operand of a width, often one that was made lately. */
  readonly pick: (width: Width) => Twice;
  readonly constant: (width: Width) => Twice;
}

type Shape = (draw: Draw, width: Bits) => Twice;

const one = <T>(random: Random, list: readonly T[]): T => list[random(list.length)];
/** A word of 0 or 1, at the width that was asked for. */
const widened = (s: Script, bit: Twice, width: Bits): Twice => (width === 64 ? s.zeroExtend(bit, 64) : bit);
/** Bits `from` up to, but not including, `to` of some operand: rules use only the bits that may be set in it. */
function bitsOf({ s, pick }: Draw, width: Bits, from: number, to: number): Twice {
  const ones = (1n << BigInt(to)) - (1n << BigInt(from));
  return s.and(pick(width), s.constant(width, ones));
}
/** The number of a bit, often one at the end of a byte, a word or all bits. */
const bit = (random: Random, width: Bits): number =>
  random(3) ? one(random, [0, 8, 24, 30, 31, width - 1]) : random(width);
/** XOR with all bits, the top bit, or all other bits: each of these is also a sum. */
function turned({ s, random }: Draw, x: Twice): Twice {
  const { width } = x.term;
  const top = 1n << BigInt(width - 1);
  return s.xor(x, s.constant(width, one(random, [2n * top - 1n, top, top - 1n])));
}
/** An operand, or a value that differs from it by a constant, its sign or some bits. */
function moved(draw: Draw, x: Twice): Twice {
  const { s, random, constant } = draw;
  const { width } = x.term;
  return one(random, [
    () => x,
    () => s.add(x, constant(width)),
    () => s.sub(constant(width), x),
    () => turned(draw, x),
  ])();
}

/** Each shape is drawn as often as any other. They are those for which there are rules. */
const SHAPES: Readonly<Record<string, Shape>> = {
  'an operation on two operands': ({ s, random, pick }, width) => {
    const x = pick(width);
    return one(random, [s.add, s.sub, s.and, s.or, s.xor])(x, random(8) ? pick(width) : x);
  },
  'an operation on an operand and a constant': ({ s, random, pick, constant }, width) =>
    one(random, [s.add, s.sub, s.and, s.or, s.xor, s.mul])(pick(width), constant(width)),
  'a sum with coefficients': ({ s, pick, constant }, width) =>
    s.add(s.mul(pick(width), constant(width)), s.sub(pick(width), constant(width))),
  'a product that just fits, or just does not': (draw, width) => {
    const bits = 1 + draw.random(3);
    const rest = (draw.random(2) ? 32 : width) - bits + 1 - draw.random(3);
    return draw.s.mul(bitsOf(draw, width, 0, bits), bitsOf(draw, width, 0, rest));
  },
  'a sum that just fits, or just does not': (draw, width) => {
    const bits = Math.min(width, 31 + draw.random(3));
    const sum = draw.s.add(bitsOf(draw, width, 0, bits), bitsOf(draw, width, 0, Math.min(width, 31 + draw.random(2))));
    return draw.random(2) ? draw.s.add(sum, bitsOf(draw, width, 0, 1)) : sum;
  },
  'bits side by side, or with one in common': (draw, width) => {
    const { s, random } = draw;
    const at = bit(random, width);
    const [low, high] = [bitsOf(draw, width, 0, at + random(2)), bitsOf(draw, width, Math.min(at, width - 1), width)];
    return one(random, [s.or, s.add, s.xor, s.and])(low, high);
  },
  'a complement or a negation': ({ s, random, pick }, width) => one(random, [s.not, s.neg])(pick(width)),
  'a shift or rotation by a number': ({ s, random, pick }, width) =>
    one(random, [s.shl, s.shr_u, s.shr_s, s.rotl, s.rotr])(pick(width), random(2) ? 8 * random(8) : random(70)),
  'a shift of a shift': ({ s, random, pick }, width) => {
    const shift = (): typeof s.shl => one(random, [s.shl, s.shr_u, s.shr_s, s.rotl]);
    return shift()(shift()(pick(width), bit(random, width)), bit(random, width));
  },
  'a shift of few bits': (draw, width) => {
    const { s, random } = draw;
    const at = bit(random, width);
    const few = bitsOf(draw, width, at, Math.min(width, at + 1 + random(2)));
    return one(random, [s.shl, s.shr_u, s.shr_s, s.rotl])(few, bit(random, width));
  },
  'a shift or rotation by an expression': ({ s, random, pick }, width) =>
    one(random, [s.shl, s.shr_u, s.shr_s, s.rotl, s.rotr])(pick(width), pick(width)),
  'a shift of what works bit by bit': ({ s, random, pick, constant }, width) => {
    const other = random(2) ? pick(width) : constant(width);
    const joined = one(random, [s.and, s.or, s.xor])(pick(width), other);
    return one(random, [s.shl, s.shr_u, s.shr_s, s.rotl])(joined, random(2) ? width - 1 - random(2) : 8 * random(8));
  },
  'a rotation written as two shifts': ({ s, random, pick }, width) => {
    const x = pick(width);
    const n = 1 + random(width - 1);
    const halves = [s.shl(x, n), s.shr_u(x, width - n)];
    const [a, b] = random(2) ? halves : halves.reverse();
    return one(random, [s.or, s.xor, s.add])(a, b);
  },
  'bytes in another order': ({ s, random, pick }, width) => {
    const x = random(4) ? pick(width) : undefined;
    const count = width / 8;
    const start = random(count);
    const parts = Array.from({ length: count }, (_, i) => {
      const part = x && random(6) ? s.extract(x, 8, (i + start) % count) : random(3) ? pick(8) : s.constant(8, 0);
      return random(5) ? part : s.xor(part, pick(8));
    });
    return s.concat(...parts);
  },
  'words of 64 bits': ({ s, random, pick }, width) => {
    const whole = pick(64);
    const word = (): Twice => (random(4) ? s.extract(whole, 32, random(2)) : pick(32));
    return width === 32 ? s.extract(whole, 32, random(2)) : s.concat(word(), word());
  },
  'an XOR of all bits, of the top one or of all others': (draw, width) => turned(draw, draw.pick(width)),
  'an extension': ({ s, random, pick }, width) =>
    one(random, [s.zeroExtend, s.signExtend])(pick(width === 64 && random(2) ? 32 : 8), width),
  'a comparison': (draw, width) => {
    const { s, random, pick } = draw;
    const operandWidth = one(random, [8, 32, 32, 64] as const);
    const x = pick(operandWidth);
    if (operandWidth === 8) return widened(s, one(random, [s.equal, s.notEqual, s.isZero])(x, pick(8)), width);
    const y = random(2) ? moved(draw, x) : pick(operandWidth);
    const compare = one(random, [s.equal, s.notEqual, s.less, s.less, s.lessSigned, s.isZero]);
    return widened(s, compare(moved(draw, x), y), width);
  },
  'a carry': ({ s, random, pick, constant }, width) =>
    widened(s, s.carry(pick(32), random(2) ? pick(32) : constant(32)), width),
  'a carry as the majority of top bits': ({ s, random, pick, constant }, width) => {
    const [x, y] = [pick(32), random(4) ? constant(32) : pick(32)];
    const intoTop = s.xor(s.add(x, y), s.constant(32, -1));
    return widened(s, s.shr_u(s.or(s.and(x, y), s.and(s.or(x, y), intoTop)), 31), width);
  },
  'two comparisons of one word': (draw, width) => {
    const { s, random, pick, constant } = draw;
    const x = pick(32);
    const [a, b] = [0, 1].map(() => {
      const y = moved(draw, x);
      return random(2) ? s.less(y, constant(32)) : s.shr_u(y, 31);
    });
    return widened(s, s.xor(one(random, [s.and, s.or, s.xor, s.add])(a, b), s.constant(32, random(4))), width);
  },
  'the top bit of x | -x': ({ s, pick }, width) => {
    const x = pick(width);
    return s.shr_u(s.or(x, s.neg(x)), width - 1);
  },
  'a choice': ({ s, random, pick }, width) => {
    const few = (): Twice => s.constant(width, random(4) - 2);
    return random(2) ? s.ite(pick(32), few(), few()) : s.ite(pick(32), pick(width), pick(width));
  },
};
export const SHAPE_NAMES: readonly string[] = Object.keys(SHAPES);

const VARIABLES: readonly (readonly [Width, string])[] = [
  ...['a', 'b'].map((name) => [8, name] as const),
  ...['x', 'y'].map((name) => [32, name] as const),
  [64, 'u'],
];

/** `count` expressions, later ones made of earlier ones, each with its shape. */
export function expressions(random: Random, count: number): { script: Script; made: (Twice & { shape: string })[] } {
  const s = new Script();
  const pool: Record<Width, Twice[]> = { 8: [], 32: [], 64: [] };
  for (const [width, name] of VARIABLES) pool[width].push(s.variable(width, name));
  const constant = (width: Width): Twice => s.constant(width, randomValue(random, width));
  /** The latest half of the time, so that expressions grow; and often the plain variables, so that they are related. */
  const pick = (width: Width): Twice => {
    const list = pool[width];
    if (random(8) === 0) return constant(width);
    return list[random(2) ? list.length - 1 - random(Math.min(list.length, 4)) : random(list.length)];
  };
  const made = Array.from({ length: count }, () => {
    const shape = one(random, SHAPE_NAMES);
    const next = SHAPES[shape]({ s, random, pick, constant }, random(3) ? 32 : 64);
    pool[next.term.width].push(next);
    pool[8].push(s.extract(next, 8, random(next.term.width / 8)));
    return { ...next, shape };
  });
  return { script: s, made };
}
