/** The i32 instructions. WebAssembly core specification §4.3.2 */
import * as terms from '../terms/term.ts';
import type { Term } from '../terms/term.ts';
import type { Opcode } from '../wasm/types.ts';
import type { Operation, Run } from './run.ts';

const binary =
  (combine: (x: Term, y: Term) => Term): Operation =>
  (run) => {
    const y = run.word();
    run.push(combine(run.word(), y));
  };

const shift =
  (combine: (x: Term, count: Term) => Term): Operation =>
  (run) => {
    const count = run.word();
    run.shiftCount(count.secret);
    run.push(combine(run.word(), count));
  };

const { less, lessSigned, negation } = terms;

/**
 * Quotient or remainder: of constants only, and neither operand may depend on a secret, because the time of a division
 * depends on its operands.
 */
function division<V>(run: Run<V>, signed: boolean, remainder: boolean): void {
  const operands = [run.word(), run.word()].map((term) => run.decide(term, 'division'));
  const [y, x] = signed ? operands.map((n) => n | 0) : operands;
  if (y === 0) throw run.stopped('trap', 'a division by zero');
  if (signed && !remainder && x === -(2 ** 31) && y === -1)
    throw run.stopped('trap', 'a quotient of more than 32 bits');
  run.push(terms.constant(32, remainder ? x % y : Math.trunc(x / y)));
}

export const wordOperations: Partial<Record<Opcode, Operation>> = {
  'i32.eqz': (run) => run.push(terms.isZero(run.word())),
  'i32.eq': binary(terms.equal),
  'i32.ne': binary(terms.notEqual),
  'i32.lt_u': binary(less),
  'i32.gt_u': binary((x, y) => less(y, x)),
  'i32.le_u': binary((x, y) => negation(less(y, x))),
  'i32.ge_u': binary((x, y) => negation(less(x, y))),
  'i32.lt_s': binary(lessSigned),
  'i32.gt_s': binary((x, y) => lessSigned(y, x)),
  'i32.le_s': binary((x, y) => negation(lessSigned(y, x))),
  'i32.ge_s': binary((x, y) => negation(lessSigned(x, y))),
  'i32.add': binary(terms.add),
  'i32.sub': binary(terms.sub),
  'i32.mul': binary(terms.mul),
  'i32.div_s': (run) => division(run, true, false),
  'i32.div_u': (run) => division(run, false, false),
  'i32.rem_s': (run) => division(run, true, true),
  'i32.rem_u': (run) => division(run, false, true),
  'i32.and': binary(terms.and),
  'i32.or': binary(terms.or),
  'i32.xor': binary(terms.xor),
  'i32.shl': shift(terms.shl),
  'i32.shr_s': shift(terms.shr_s),
  'i32.shr_u': shift(terms.shr_u),
  'i32.rotl': shift(terms.rotl),
  'i32.rotr': shift(terms.rotr),
};
