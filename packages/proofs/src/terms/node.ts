/**
 * The nodes that terms are made of, interned: nodes of the same kind, width, operands and numbers are the same object.
 * This file has no rule of arithmetic; the constructors in the other files decide which nodes exist, and each defines
 * the meaning of its kinds.
 */
import { Arena } from './arena.ts';

/** The width of a term in bits. */
export type Width = 8 | 32 | 64;

/** The kinds of nodes; the file in brackets has the constructor and the meaning. */
export const Kind = {
  /** numbers: [value]; 8 and 32 bits */
  CONSTANT: 0,
  VARIABLE: 1,
  /** numbers: [coefficient of each operand …, constant], or only [constant] if all are 1; 32 bits [sums] */
  SUM: 2,
  /** the product of two operands; 32 bits [sums] */
  PRODUCT: 3,
  /** numbers: [constant]; 8 and 32 bits [xors] */
  XOR: 4,
  /** numbers: [mask]; 8 and 32 bits [masks] */
  AND: 5,
  /** numbers: [constant]; 8 and 32 bits [masks] */
  OR: 6,
  /** numbers: [count]; 32 bits [shifts] */
  SHR_U: 7,
  SHR_S: 8,
  ROTL: 9,
  /** operands: x, count (both of one width); 32 and 64 bits [shifts, wide] */
  SHL_BY: 10,
  SHR_U_BY: 11,
  SHR_S_BY: 12,
  ROTL_BY: 13,
  /** four bytes, the least significant first; 32 bits [bytes] */
  CONCAT: 14,
  /** numbers: [index]; byte `index` of a word [bytes] */
  BYTE: 15,
  /** numbers: [from, to, from, to …], rising: 1 if from <= operand < to for one of them; 32 bits [steps] */
  INSIDE: 16,
  /** 1 if the first operand is below the second, unsigned; both have 32 or 64 bits [comparisons] */
  LESS: 17,
  /** condition (a word that is 0 or 1), then, otherwise; 8 and 32 bits [comparisons] */
  ITE: 18,
  /** two words, low first; 64 bits [wide] */
  PAIR: 19,
  /** numbers: [index]; word `index` of 64 bits [wide] */
  WORD: 20,
  /** numbers: [constant low, high, coefficient of the first operand low, high, …]; 64 bits [wide] */
  SUM_64: 21,
  /** the product of two operands; 64 bits [wide] */
  PRODUCT_64: 22,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/**
 * The bits that may be set, as two unsigned words. All ones is always correct; a 0 promises that the bit is never set.
 */
export interface Maybe {
  readonly low: number;
  readonly high: number;
}

/** The shape of a term in its arena: kind, width and secrecy in one number. */
const shapeOf = (kind: Kind, width: Width, secret: boolean): number => kind | (width << 8) | (secret ? 1 << 16 : 0);

export class Term {
  /** Terms are numbered in the order in which they are made, so operands have smaller ids. */
  readonly id: number;
  readonly #shape: number;
  /** The bits that may be set, as signed words, because engines store small integers in the object itself. */
  readonly #low: number;
  readonly #high: number;
  readonly #arena: Arena<Term>;
  /** The place of the term's operands and numbers in the arena. */
  readonly #at: number;

  constructor(arena: Arena<Term>, at: number, shape: number, low: number, high: number) {
    this.id = nextId++;
    this.#arena = arena;
    this.#at = at;
    this.#shape = shape;
    this.#low = low | 0;
    this.#high = high | 0;
  }

  get kind(): Kind {
    return (this.#shape & 0xff) as Kind;
  }

  get width(): Width {
    return ((this.#shape >> 8) & 0xff) as Width;
  }

  /** Whether a variable labelled secret occurs in the term. */
  get secret(): boolean {
    return this.#shape >= 1 << 16;
  }

  get operands(): readonly Term[] {
    return this.#arena.operands(this.#at);
  }

  get numbers(): readonly number[] {
    const numbers = this.#arena.numbers(this.#at);
    // The end of an interval may be 2^32, which is stored as 0; it is never 0 itself.
    return this.kind === Kind.INSIDE ? numbers.map((n, i) => (i % 2 === 1 && n === 0 ? 2 ** 32 : n)) : numbers;
  }

  /** `operands[index]` of a term that has as many, without a list. */
  operandAt(index: number): Term {
    return this.#arena.operand(this.#at, index);
  }

  /** `numbers[0]` of a term that has numbers, without a list. */
  get number(): number {
    return this.#arena.firstNumber(this.#at);
  }

  /** `numbers.length`, without a list. */
  get countOfNumbers(): number {
    return this.#arena.countOfNumbers(this.#at);
  }

  /** The interned sum, for `internSum`; `false` if the sum needs the general rules. */
  static findSum(arena: Arena<Term>, shape: number, x: Term, y: Term, constant: number): Term | undefined | false {
    // A term of another arena has no content in this one.
    if (x.#arena !== arena || y.#arena !== arena) return false;
    const placeOf = (term: Term): number | undefined => (term.kind === Kind.SUM ? term.#at : undefined);
    return arena.findSum(shape, { owner: x, place: placeOf(x) }, { owner: y, place: placeOf(y) }, constant);
  }

  /** The name of a variable; '' for all other kinds. */
  get name(): string {
    return variableNames.get(this) ?? '';
  }

  /** The bits that may be set in the word or byte, or in the low word of 64 bits; unsigned. */
  get maybe(): number {
    return this.#low >>> 0;
  }

  /** The bits that may be set in the high word of 64 bits; 0 for narrower terms. */
  get maybeHigh(): number {
    return this.#high >>> 0;
  }
}

let nextId = 1;
let arena: Arena<Term>;
let variables: Map<string, Term>;
/** Terms that are replaced by another term whenever they are made: see cuts.ts. */
let substitutes: Map<Term, Term> | undefined;
/** The number of nodes that were requested since the first replacement, and the largest one before. */
let asked = 0;
let mostAsked = 0;
/** More requests than any proof makes, which are 1.5 million. The terms of a wrong cipher are never cut, and would grow without end. */
const MOST_ASKED = 2.5e6;
const variableNames = new WeakMap<Term, string>();
let constants: { readonly 8: Map<number, Term>; readonly 32: Map<number, Term> };

/**
 * Forgets all interned terms, so that they can be garbage-collected. Ids go on rising: terms from before and after are
 * never the same object, so a proof that mixes them can fail, but cannot pass wrongly.
 */
export function forgetTerms(): void {
  arena = new Arena();
  variables = new Map();
  substitutes = undefined;
  constants = { 8: new Map(), 32: new Map() };
}
forgetTerms();

const NONE: readonly never[] = [];
const ONES = 0xffffffff;

/**
 * From now on, constructing `term` gives `other`, which must be equal to it or be a variable that stands for any value.
 */
export function standIn(term: Term, other: Term): void {
  if (!substitutes) {
    substitutes = new Map();
    mostAsked = Math.max(mostAsked, asked);
    asked = 0;
  }
  substitutes.set(term, other);
}

/** Runs that judge damaged kernels lower it: a kernel that asks for many more terms than the one that ships isn't proved. */
export const limit = { asked: MOST_ASKED };

/** The most terms of a comparison with cuts since the last call. */
export function takeMostAsked(): number {
  const most = Math.max(mostAsked, asked);
  mostAsked = asked = 0;
  return most;
}

/** Thrown when the terms of a comparison grow beyond the limit: a kernel that does not fit the cuts is not proved. */
export class TooManyTerms extends Error {
  override name = 'TooManyTerms';
}

/** The node of this content; `maybe` is called only if the node does not exist yet. */
export function intern(
  kind: Kind,
  width: Width,
  operands: readonly Term[],
  numbers: readonly number[],
  maybe: (operands: readonly Term[], numbers: readonly number[]) => number | Maybe,
): Term {
  const term = made(kind, width, operands, numbers, maybe);
  if (!substitutes) return term;
  if (++asked > limit.asked) throw new TooManyTerms(`more than ${limit.asked} terms`);
  return substitutes.get(term) ?? term;
}

function made(
  kind: Kind,
  width: Width,
  operands: readonly Term[],
  numbers: readonly number[],
  maybe: (operands: readonly Term[], numbers: readonly number[]) => number | Maybe,
): Term {
  const shape = shapeOf(kind, width, false);
  const known = arena.find(shape, operands, numbers);
  if (known) return known;
  const bits = maybe(operands, numbers);
  const [low, high] = typeof bits === 'number' ? [bits, 0] : [bits.low, bits.high];
  let secret = false;
  for (const operand of operands) secret ||= operand.secret;
  return arena.keep(new Term(arena, arena.place, shapeOf(kind, width, secret), low, high), operands);
}

/**
 * The SUM of two words and a constant, if a quick check shows that no other kind of node is its form, as sums.ts would
 * find more slowly; `undefined` otherwise. The words must be sums, or atoms of sums.
 */
export function internSum(x: Term, y: Term, constant: number): Term | undefined {
  const shape = shapeOf(Kind.SUM, 32, false);
  const known = Term.findSum(arena, shape, x, y, constant);
  if (known !== undefined) return known || undefined;
  const secret = x.secret || y.secret;
  // If any bit of a word may be set, then any bit of its odd multiples may be set, and any bit of the sum.
  return arena.keep(new Term(arena, arena.place, shapeOf(Kind.SUM, 32, secret), ONES, 0), []);
}

/** A node without operands, which is not found through the arena's table. */
function leaf(kind: Kind, width: Width, secret: boolean, numbers: readonly number[], low: number, high: number): Term {
  const shape = shapeOf(kind, width, secret);
  return arena.add(new Term(arena, arena.write(shape, numbers), shape, low, high));
}

/** A constant of 8 or 32 bits; only the low bits of `value` count. Constants of 64 bits are pairs. */
export function narrow(width: 8 | 32, value: number): Term {
  const unsigned = width === 32 ? value >>> 0 : value & 0xff;
  const known = constants[width].get(unsigned);
  if (known) return known;
  const made = leaf(Kind.CONSTANT, width, false, [unsigned], unsigned, 0);
  constants[width].set(unsigned, made);
  return made;
}

/** The variable of this name; throws if the name is already used with another width or label. */
export function variable(width: Width, name: string, secret: boolean): Term {
  const known = variables.get(name);
  if (known) {
    if (known.width === width && known.secret === secret) return known;
    throw new Error(`there is a variable ${name} already, of another width or secrecy`);
  }
  const made = leaf(Kind.VARIABLE, width, secret, NONE, ones(width), width === 64 ? 0xffffffff : 0);
  variables.set(name, made);
  variableNames.set(made, name);
  return made;
}

/** The unsigned value of a constant of 8 or 32 bits; `undefined` for all other terms. */
export const numberOf = (term: Term): number | undefined => (term.kind === Kind.CONSTANT ? term.maybe : undefined);

/** 2^width - 1, for the widths whose values are JavaScript numbers. */
export const ones = (width: Width): number => (width === 8 ? 0xff : 0xffffffff);

export function requireWidth(term: Term, width: Width): void {
  if (term.width !== width) throw new Error(`a term of ${term.width} bits where ${width} are needed`);
}
