/**
 * Takes the place of execute/bits64.ts where certificates are written: the result of each instruction is a new variable, which
 * stands for that instruction of its operands. So no rule of terms/ sees a value of 64 bits.
 */
import type { Integers64 } from '../execute/domain.ts';
import { meaningOf, OPERATIONS, part } from '../smt/meaning.ts';
import * as e from '../smt/expression.ts';
import type { Expression } from '../smt/expression.ts';
import * as terms from '../terms/term.ts';
import type { Term, Width } from '../terms/term.ts';

const meanings = new WeakMap<Term, Expression>();

/** The meaning of a term. A variable that no instruction has made is an unknown; equal terms get one expression. */
export function meaning(term: Term): Expression {
  let known = meanings.get(term);
  if (!known) {
    const number = terms.valueOf(term);
    known = number === undefined ? meaningOf(term, term.operands.map(meaning)) : e.number(term.width, number);
    meanings.set(term, known);
  }
  return known;
}

const made = new Map<string, Term>();

/** The variable for an instruction: the same for the same operands. */
function instruction(name: string, width: Width, operands: readonly Term[], mean: (...x: Expression[]) => Expression) {
  const key = [name, width, ...operands.map(({ id }) => id)].join(' ');
  let result = made.get(key);
  if (!result) {
    const isSecret = operands.some(({ secret }) => secret);
    made.set(key, (result = terms.variable(width, `instruction ${key}`, isSecret)));
    meanings.set(result, mean(...operands.map(meaning)));
  }
  return result;
}

type Name = 'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor' | 'shl' | 'shr_u' | 'rotl' | 'rotr';
const long =
  (name: Name) =>
  (x: Term, y: Term): Term =>
    instruction(name, 64, [x, y], OPERATIONS[name]);
const word = (x: Term, index: number): Term => instruction(`word ${index}`, 32, [x], (y) => part(y, 32, index));

export const bits64: Integers64<Term> = {
  constant: (value) => terms.constant(64, value),
  constantOf: (x) => terms.valueOf(x) as bigint | undefined,
  isSecret: (x) => x.secret,
  extend_i32_u: (x) => instruction('extend', 64, [x], (y) => e.concat(e.number(32, 0), y)),
  wrap: (x) => word(x, 0),
  words: (x) => [word(x, 0), word(x, 1)],
  fromWords: (low, high) => instruction('pair', 64, [low, high], (x, y) => e.concat(y, x)),
  add: long('add'),
  sub: long('sub'),
  mul: long('mul'),
  and: long('and'),
  or: long('or'),
  xor: long('xor'),
  shl: long('shl'),
  shr_u: long('shr_u'),
  rotl: long('rotl'),
  rotr: long('rotr'),
  eqz: (x) => instruction('eqz', 32, [x], OPERATIONS.isZero),
  eq: (x, y) => instruction('eq', 32, [x, y], OPERATIONS.equal),
  lt_u: (x, y) => instruction('lt_u', 32, [x, y], OPERATIONS.less),
};
