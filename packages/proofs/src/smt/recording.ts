/**
 * Takes the place of terms/term.ts where obligations are written (hooks.ts): the same operations, and each is recorded with its
 * operands and its result. `npm run prove` never loads it.
 */
import * as terms from '../terms/term.ts';
import * as nodes from '../terms/node.ts';
import type { Term, Width } from '../terms/term.ts';
import * as e from './expression.ts';
import { extended, OPERATIONS, part } from './meaning.ts';
import { define, step } from './rules.ts';

export * from '../terms/node.ts';
export * from '../terms/term.ts';

/** Steps that were recorded, by their operation and operands. */
let seen = new Set<string>();
let calls = 0;

export const callsOfConstructors = (): number => calls;

function once(key: string, record: () => void): void {
  calls++;
  if (seen.size > 3e6) seen = new Set();
  if (seen.has(key)) return;
  seen.add(key);
  record();
}

type Operation = keyof typeof OPERATIONS;

function recorded<F extends (...args: never[]) => Term>(name: Operation): F {
  const operation = terms[name] as unknown as (...args: (Term | number)[]) => Term;
  const mean: (...args: e.Expression[]) => e.Expression = OPERATIONS[name];
  // A list's `reduce` gives its function more than two parameters. Only parts have no fixed number.
  const count = mean.length || 8;
  const wrapped = (...given: (Term | number)[]): Term => {
    const args = given.slice(0, count);
    const result = operation(...args);
    once(`${name} ${args.map((x) => (typeof x === 'number' ? `#${x}` : x.id)).join(' ')}`, () => {
      const operands = args.filter((x) => typeof x !== 'number');
      // A count that is a number is a constant of the width of the other operand.
      const numbers = args.map((x) => (typeof x === 'number' ? e.number(operands[0].width, x) : undefined));
      step(name, operands, result, (...means) => {
        let next = 0;
        return mean(...numbers.map((number) => number ?? means[next++]));
      });
    });
    return result;
  };
  return wrapped as unknown as F;
}

export const add = recorded<typeof terms.add>('add');
export const sub = recorded<typeof terms.sub>('sub');
export const mul = recorded<typeof terms.mul>('mul');
export const and = recorded<typeof terms.and>('and');
export const or = recorded<typeof terms.or>('or');
export const xor = recorded<typeof terms.xor>('xor');
export const neg = recorded<typeof terms.neg>('neg');
export const not = recorded<typeof terms.not>('not');
export const shl = recorded<typeof terms.shl>('shl');
export const shr_u = recorded<typeof terms.shr_u>('shr_u');
export const shr_s = recorded<typeof terms.shr_s>('shr_s');
export const rotl = recorded<typeof terms.rotl>('rotl');
export const rotr = recorded<typeof terms.rotr>('rotr');
export const concat = recorded<typeof terms.concat>('concat');
export const isZero = recorded<typeof terms.isZero>('isZero');
export const negation = recorded<typeof terms.negation>('negation');
export const equal = recorded<typeof terms.equal>('equal');
export const notEqual = recorded<typeof terms.notEqual>('notEqual');
export const less = recorded<typeof terms.less>('less');
export const lessSigned = recorded<typeof terms.lessSigned>('lessSigned');
export const ite = recorded<typeof terms.ite>('ite');
export const carry = recorded<typeof terms.carry>('carry');

export function extract(x: Term, width: Width, index: number): Term {
  const result = terms.extract(x, width, index);
  once(`extract ${x.id} ${width} ${index}`, () => step('extract', [x], result, (y) => part(y, width, index)));
  return result;
}

export function parts(x: Term, width: Width): Term[] {
  const results = terms.parts(x, width);
  results.forEach((result, i) =>
    once(`extract ${x.id} ${width} ${i}`, () => step('extract', [x], result, (y) => part(y, width, i))),
  );
  return results;
}

export function zeroExtend(x: Term, width: Width): Term {
  const result = terms.zeroExtend(x, width);
  once(`zeroExtend ${x.id} ${width}`, () => step('zeroExtend', [x], result, (y) => extended(y, width, false)));
  return result;
}

export function signExtend(x: Term, width: Width): Term {
  const result = terms.signExtend(x, width);
  once(`signExtend ${x.id} ${width}`, () => step('signExtend', [x], result, (y) => extended(y, width, true)));
  return result;
}

/** cuts.ts names the outputs of S-boxes. */
export function standIn(term: Term, other: Term): void {
  define(other, term);
  nodes.standIn(term, other);
}
