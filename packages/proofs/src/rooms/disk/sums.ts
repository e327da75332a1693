// Sums modulo 2^128 of four words, as the kernels of disk encryption write them: a carry is the majority of the top
// bits of x, of y, and of the complement of their sum. A solver decides that this is correct.
import * as terms from '../../terms/term.ts';
import { toSmt, type Term } from '../../terms/term.ts';
import { Failure } from '../../claims/claim.ts';
import { ask } from '../poly1305/reduction.ts';

export const carried = (x: Term, y: Term, sum: Term): Term =>
  terms.shr_u(terms.or(terms.and(x, y), terms.and(terms.or(x, y), terms.not(sum))), 31);

interface Step {
  readonly word: Term;
  readonly carry: Term;
}

/** The words of the result from the lowest on, each computed with the carry of the one before. */
function chained(count: number, carry: Term, step: (i: number, carry: Term) => Step): Term[] {
  const words: Term[] = [];
  for (let i = 0; i < count; i++) {
    const { word, carry: next } = step(i, carry);
    words.push(word);
    carry = next;
  }
  return words;
}

/** The first carry: x - y is x + ~y + 1. */
const first = (minus: boolean): Term => terms.constant(32, minus ? 1 : 0);

/** x + y, or x - y. */
export const sumOf = (x: readonly Term[], y: readonly Term[], minus = false): Term[] =>
  chained(x.length, first(minus), (i, carry) => {
    const other = minus ? terms.not(y[i]) : y[i];
    const word = terms.add(terms.add(x[i], other), carry);
    return { word, carry: carried(x[i], other, word) };
  });

/** The y for which x + y, or x - y, is `sum`. */
export const addendOf = (sum: readonly Term[], x: readonly Term[], minus = false): Term[] =>
  chained(x.length, first(minus), (i, carry) => {
    const added = terms.sub(terms.sub(sum[i], x[i]), carry);
    // ~y is -1 - y.
    const word = minus ? terms.sub(terms.constant(32, -1), added) : added;
    return { word, carry: carried(x[i], minus ? terms.not(word) : word, sum[i]) };
  });

let answer: Promise<void> | undefined;

/** Throws Failure unless the majority is the carry, for all words and an incoming carry of 0 or 1. */
export const requireCarry = (): Promise<void> => (answer ??= decideCarry());

function decideCarry(): Promise<void> {
  const [x, y] = [0, 1].map((i) => terms.variable(32, `carry ${i}`, true));
  const into = terms.and(terms.variable(32, 'carry in', true), terms.constant(32, 1));
  const { text, names } = toSmt([x, y, into, carried(x, y, terms.add(terms.add(x, y), into))]);
  const [a, b, c, out] = names.map((name) => `((_ zero_extend 32) ${name})`);
  return ask(async (say) => {
    const sum = `(bvlshr (bvadd ${a} ${b} ${c}) (_ bv32 64))`;
    const answer = await say(`(set-logic QF_BV)\n${text}\n(assert (distinct ${out} ${sum}))\n(check-sat)`);
    if (answer.trim() !== 'unsat') throw new Failure(`the majority is not the carry: z3 says ${answer.trim()}`);
  });
}
