/**
 * The values of a run on every length: a number, which may depend on the length; an unknown parameter; an address in a region with unknown
 * place; or data. Data may be moved and computed with, as terms; nothing may depend on them but other data.
 */
import * as terms from '../terms/term.ts';
import { constant, variable, type Term } from '../terms/term.ts';
import { Affine, type Case, type Num } from './cases.ts';
import { describeContent, type Content } from './content.ts';

/** A parameter that is only known not to be zero, plus a constant. */
export class Parameter {
  readonly name: string;
  readonly plus: number;

  constructor(name: string, plus = 0) {
    this.name = name;
    this.plus = plus;
  }
}

/**
 * A region apart from all others and from all addresses that are numbers, such as a page. `home` is where a run has it: after
 * memory, further from every other one than memory is long.
 */
export interface Base {
  readonly name: string;
  /** Undefined for an address that may be passed on, and not used. */
  readonly home: number | undefined;
}

/** An address: so many bytes from the first one of a region. */
export class Place {
  readonly base: Base;
  readonly plus: Num;

  constructor(base: Base, plus: Num = 0) {
    this.base = base;
    this.plus = plus;
  }
}

/** A value that comes from memory, or is computed of such values, or a result that a contract names. */
export class Data {
  readonly name: string;
  /** Of a word that is as memory had it: its byte i is byte i of this. */
  readonly origin: Content | undefined;
  readonly #term: Term | undefined;

  constructor(name: string, origin?: Content, term?: Term) {
    this.name = name;
    this.origin = origin;
    this.#term = term;
  }

  /** Undefined if nothing is known of it. */
  get term(): Term | undefined {
    const { origin } = this;
    if (this.#term || !origin) return this.#term;
    const { kind, value, stream } = origin;
    if (kind === 'unknown' || value !== undefined || stream !== undefined) return undefined;
    return variable(32, describeContent(origin), true);
  }
}

/** Data that nothing is known of. */
export const DATA = new Data('data');

export type Value = Num | Parameter | Place | Data;

export const isNumber = (x: Value | undefined): x is Num => typeof x === 'number' || x instanceof Affine;

/** A value as a term, if it has one: all names of a case are of that case. */
export function termOf(x: Value): Term | undefined {
  if (typeof x === 'number') return constant(32, x);
  if (x instanceof Data) return x.term;
  return x instanceof Parameter ? terms.add(variable(32, x.name, false), constant(32, x.plus)) : undefined;
}

/** Data of a term; a constant is a number. */
export function valueOf(term: Term): Value {
  const number = terms.numberOf(term);
  return number === undefined ? new Data('data', undefined, term) : number >>> 0;
}

/** Whether two values are the same at all lengths of a case; never of data that nothing is known of. */
export function sameValue(c: Case, x: Value | undefined, y: Value | undefined): boolean {
  if (isNumber(x) && isNumber(y)) return c.equal(x, y);
  if (x instanceof Place && y instanceof Place) return x.base.name === y.base.name && c.equal(x.plus, y.plus);
  if (x instanceof Parameter && y instanceof Parameter) return x.name === y.name && x.plus === y.plus;
  if (!(x instanceof Data && y instanceof Data)) return false;
  return x.term !== undefined && x.term === y.term;
}

const OPERATIONS: Readonly<Record<string, (x: Term, y: Term) => Term>> = {
  add: terms.add,
  sub: terms.sub,
  and: terms.and,
  or: terms.or,
  xor: terms.xor,
  shl: terms.shl,
  shr_u: terms.shr_u,
};

/** A sum or difference of addresses and parameters. */
function moved(c: Case, name: string, x: Value, y: Value): Value | undefined {
  if (x instanceof Place && isNumber(y)) return new Place(x.base, name === 'add' ? c.add(x.plus, y) : c.sub(x.plus, y));
  // By a distance that is unknown it is another region.
  if (x instanceof Place && y instanceof Parameter && name === 'add' && x.plus === 0)
    return new Place({ name: `${x.base.name} + ${y.name} + ${y.plus}`, home: undefined });
  if (x instanceof Parameter && typeof y === 'number')
    return new Parameter(x.name, (name === 'add' ? x.plus + y : x.plus - y) | 0);
  return undefined;
}

/** The result of arithmetic on two values that are not both numbers; undefined if `name` is none. */
export function combined(c: Case, name: string, x: Value, y: Value): Value | undefined {
  const sum = name === 'add' || name === 'sub' ? moved(c, name, x, y) : undefined;
  const result = sum ?? (name === 'add' ? moved(c, name, y, x) : undefined);
  if (result !== undefined) return result;
  if (!Object.hasOwn(OPERATIONS, name)) return undefined;
  const [p, q] = [termOf(x), termOf(y)];
  return p && q ? valueOf(OPERATIONS[name](p, q)) : DATA;
}

/** The result of an operation on two numbers; undefined if it is not run on every length. */
export function ofNumbers(c: Case, name: string, x: Num, y: Num): Num | undefined {
  switch (name) {
    case 'add':
      return c.add(x, y);
    case 'sub':
      return c.sub(x, y);
    case 'mul':
      return c.mul(x, y);
    case 'and':
      return c.and(x, y);
    case 'or':
      return c.or(x, y);
    case 'xor':
      return c.xor(x, y);
    case 'shl':
      return c.shiftedUp(x, y);
    case 'shr_u':
      return c.shiftedDown(x, y);
    case 'eq':
      return Number(c.equal(x, y));
    case 'ne':
      return Number(!c.equal(x, y));
    case 'lt_u':
      return Number(c.less(x, y));
    case 'gt_u':
      return Number(c.less(y, x));
    case 'le_u':
      return Number(c.lessOrEqual(x, y));
    case 'ge_u':
      return Number(c.lessOrEqual(y, x));
    default:
      return undefined;
  }
}
