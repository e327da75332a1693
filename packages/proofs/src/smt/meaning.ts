/**
 * The meaning of terms in SMT-LIB's theory: of each operation that a claim or an executor may ask for, as it was asked for, and of
 * each kind of node that it may get.
 */
import { Kind, type Term } from '../terms/node.ts';
import * as e from './expression.ts';
import type { Expression } from './expression.ts';

const word = (condition: Expression): Expression => e.choice(condition, e.number(32, 1), e.number(32, 0));
const isZero = (x: Expression): Expression => e.equal(x, e.number(x.width, 0));
/** A count is taken modulo the width. */
const count = (x: Expression, by: Expression): Expression => e.and(by, e.number(x.width, x.width - 1));
const rotl = (x: Expression, by: Expression): Expression =>
  e.or(e.shl(x, count(x, by)), e.shrU(x, count(x, e.neg(by))));
const zeroExtend = (x: Expression, width: number): Expression =>
  x.width === width ? x : e.concat(e.number(width - x.width, 0), x);

/** Operations of two terms of one width, or of one. */
export const OPERATIONS = {
  add: e.add,
  sub: e.sub,
  mul: e.mul,
  and: e.and,
  or: e.or,
  xor: e.xor,
  neg: e.neg,
  not: e.not,
  shl: (x, by) => e.shl(x, count(x, by)),
  shr_u: (x, by) => e.shrU(x, count(x, by)),
  shr_s: (x, by) => e.shrS(x, count(x, by)),
  rotl,
  rotr: (x, by) => rotl(x, e.neg(by)),
  concat: (...parts) => parts.reduce((low, high) => e.concat(high, low)),
  isZero: (x) => word(isZero(x)),
  negation: (x) => word(isZero(x)),
  equal: (x, y) => word(e.equal(x, y)),
  notEqual: (x, y) => e.choice(e.equal(x, y), e.number(32, 0), e.number(32, 1)),
  less: (x, y) => word(e.below(x, y)),
  lessSigned: (x, y) => word(e.belowSigned(x, y)),
  ite: (condition, x, y) => e.choice(isZero(condition), y, x),
  carry: (x, y) => word(e.below(e.add(x, y), x)),
} satisfies Record<string, (...args: Expression[]) => Expression>;

export const part = (x: Expression, width: number, index: number): Expression =>
  x.width === width ? x : e.extract(x, index * width, width);
export const extended = (x: Expression, width: number, signed: boolean): Expression =>
  signed && x.width !== width ? e.signExtend(x, width) : zeroExtend(x, width);

const long = (low: number, high: number): Expression => e.number(64, (BigInt(high) << 32n) | BigInt(low));
const all = (join: (x: Expression, y: Expression) => Expression, parts: readonly Expression[]): Expression =>
  parts.reduce((x, y) => join(x, y));

/** The meaning of a node, made of the meanings of its operands. */
export function meaningOf(term: Term, x: readonly Expression[]): Expression {
  const { kind, numbers: n, width } = term;
  const shift = (by: number): Expression => e.number(width, by);
  switch (kind) {
    case Kind.CONSTANT:
      return e.number(width, n[0]);
    case Kind.VARIABLE:
      return e.unknown(width);
    case Kind.SUM: {
      const products = x.map((y, i) => (n.length > 1 ? e.mul(e.number(32, n[i]), y) : y));
      return all(e.add, [...products, e.number(32, n[n.length - 1])]);
    }
    case Kind.SUM_64: {
      const products = x.map((y, i) => e.mul(long(n[2 * i + 2], n[2 * i + 3]), y));
      return all(e.add, [...products, long(n[0], n[1])]);
    }
    case Kind.PRODUCT:
    case Kind.PRODUCT_64:
      return e.mul(x[0], x[1]);
    case Kind.XOR:
      return all(e.xor, [...x, e.number(width, n[0])]);
    case Kind.AND:
      return all(e.and, [...x, e.number(width, n[0])]);
    case Kind.OR:
      return all(e.or, [...x, e.number(width, n[0])]);
    case Kind.SHR_U:
      return e.shrU(x[0], shift(n[0]));
    case Kind.SHR_S:
      return e.shrS(x[0], shift(n[0]));
    case Kind.ROTL:
      return rotl(x[0], shift(n[0]));
    case Kind.SHL_BY:
      return OPERATIONS.shl(x[0], x[1]);
    case Kind.SHR_U_BY:
      return OPERATIONS.shr_u(x[0], x[1]);
    case Kind.SHR_S_BY:
      return OPERATIONS.shr_s(x[0], x[1]);
    case Kind.ROTL_BY:
      return rotl(x[0], x[1]);
    case Kind.CONCAT:
    case Kind.PAIR:
      return OPERATIONS.concat(...x);
    case Kind.BYTE:
      return part(x[0], 8, n[0]);
    case Kind.WORD:
      return part(x[0], 32, n[0]);
    case Kind.INSIDE: {
      const intervals = Array.from({ length: n.length / 2 }, (_, i) =>
        e.both(
          e.negated(e.below(x[0], e.number(32, n[2 * i]))),
          e.negated(e.below(e.number(32, n[2 * i + 1] - 1), x[0])),
        ),
      );
      return word(all(e.either, intervals));
    }
    case Kind.LESS:
      return word(e.below(x[0], x[1]));
    case Kind.ITE:
      return e.choice(isZero(x[0]), x[2], x[1]);
  }
}
