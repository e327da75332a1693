/** Evaluates terms for given values of their variables, and lists the terms that occur in them. */
import { Kind, type Term } from './node.ts';

/** The value of each variable, by its name. Only its low bits count. */
export type Assignment = (name: string) => number | bigint;

/** All terms that occur in these, operands before the nodes that use them. */
export function reachable(terms: readonly Term[]): Term[] {
  const seen = new Set<Term>();
  const open = [...terms];
  for (let term = open.pop(); term; term = open.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    open.push(...term.operands);
  }
  return [...seen].sort((x, y) => x.id - y.id);
}

export const variablesOf = (...terms: readonly Term[]): Term[] =>
  reachable(terms).filter((term) => term.kind === Kind.VARIABLE);

export const secretsOf = (...terms: readonly Term[]): Term[] => variablesOf(...terms).filter((term) => term.secret);

/**
 * The meaning of each kind, directly from its description in node.ts and without the constructors, which are tested
 * against it. Values are bigints from 0 to 2^width - 1.
 */
function valueOf(term: Term, x: readonly bigint[], assignment: Assignment): bigint {
  const n = term.numbers.map(BigInt);
  const width = BigInt(term.width);
  const unsigned = (value: bigint): bigint => BigInt.asUintN(term.width, value);
  const signed = (value: bigint): bigint => BigInt.asIntN(term.width, value);
  const count = (value: bigint): bigint => value % width;
  const rotated = (value: bigint, by: bigint): bigint => (value << by) | (value >> (width - by));
  switch (term.kind) {
    case Kind.CONSTANT:
      return n[0];
    case Kind.VARIABLE:
      return BigInt(assignment(term.name));
    case Kind.SUM:
      return x.reduce((sum, value, i) => sum + value * (n.length > 1 ? n[i] : 1n), n[n.length - 1]);
    case Kind.PRODUCT:
    case Kind.PRODUCT_64:
      return x[0] * x[1];
    case Kind.XOR:
      return x.reduce((a, b) => a ^ b, n[0]);
    case Kind.AND:
      return x.reduce((a, b) => a & b, n[0]);
    case Kind.OR:
      return x.reduce((a, b) => a | b, n[0]);
    case Kind.SHR_U:
      return x[0] >> n[0];
    case Kind.SHR_S:
      return signed(x[0]) >> n[0];
    case Kind.ROTL:
      return rotated(x[0], n[0]);
    case Kind.SHL_BY:
      return x[0] << count(x[1]);
    case Kind.SHR_U_BY:
      return x[0] >> count(x[1]);
    case Kind.SHR_S_BY:
      return signed(x[0]) >> count(x[1]);
    case Kind.ROTL_BY:
      return rotated(x[0], count(x[1]));
    case Kind.CONCAT:
      return x.reduceRight((word, byte) => (word << 8n) | byte, 0n);
    case Kind.BYTE:
      return unsigned(x[0] >> (8n * n[0]));
    case Kind.INSIDE:
      return n.some((from, i) => i % 2 === 0 && from <= x[0] && x[0] < n[i + 1]) ? 1n : 0n;
    case Kind.LESS:
      return x[0] < x[1] ? 1n : 0n;
    case Kind.ITE:
      return x[0] !== 0n ? x[1] : x[2];
    case Kind.PAIR:
      return (x[1] << 32n) | x[0];
    case Kind.WORD:
      return unsigned(x[0] >> (32n * n[0]));
    case Kind.SUM_64:
      return x.reduce((sum, value, i) => sum + value * ((n[2 * i + 3] << 32n) | n[2 * i + 2]), (n[1] << 32n) | n[0]);
  }
}

/** The unsigned values of terms: numbers for terms of 8 and 32 bits, bigints for terms of 64. */
export function evaluateAll(terms: readonly Term[], assignment: Assignment): (number | bigint)[] {
  const values = new Map<Term, bigint>();
  for (const term of reachable(terms)) {
    const operands = term.operands.map((operand) => values.get(operand)!);
    values.set(term, BigInt.asUintN(term.width, valueOf(term, operands, assignment)));
  }
  return terms.map((term) => (term.width === 64 ? values.get(term)! : Number(values.get(term)!)));
}

export const evaluate = (term: Term, assignment: Assignment): number | bigint => evaluateAll([term], assignment)[0];
