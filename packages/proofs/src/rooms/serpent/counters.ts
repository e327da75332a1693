/** Counters of 128 bits, in words: sums with carries as the kernels write them, and that these are the carries. */
import { Failure } from '../../claims/claim.ts';
import * as terms from '../../terms/term.ts';
import { toSmt, type Term } from '../../terms/term.ts';
import { bytesOf } from '../../specifications/algebra.ts';
import { ask } from '../poly1305/reduction.ts';
import { symbols } from '../../specifications/terms.ts';

/** A way to add a number to four words, the lowest first. */
export interface Counting {
  plus(counter: readonly Term[], number: number): Term[];
  /** So many added one by one. */
  after(counter: readonly Term[], times: number): Term[];
  /** The block of a counter: its words, or all of its bytes in the other order. NIST SP 800-38A Appendix B.1 */
  block(counter: readonly Term[], big: 0 | 1): Term[];
}

/** Any counter. */
export const counterOf = (name: string): Term[] =>
  [0, 1, 2, 3].map((i) => terms.variable(32, `${name}, word ${i}`, true));

type Carry = (word: Term, added: Term, sum: Term) => Term;

/** In words: of one bit, which was added, there is a carry if the top bit was set before and is clear after. */
const byTopBit: Carry = (word, _added, sum) => terms.shr_u(terms.and(word, terms.not(sum)), 31);
/** In lanes: the sum is below what was added to. */
const bySum: Carry = (word, _added, sum) => terms.less(sum, word);

function countingOf(carry: Carry): Counting {
  const plus = (counter: readonly Term[], number: number): Term[] => {
    let added: Term = terms.constant(32, number);
    return counter.map((word) => {
      const sum = terms.add(word, added);
      added = carry(word, added, sum);
      return sum;
    });
  };
  return {
    plus,
    after: (counter, times) => Array.from({ length: times }).reduce<Term[]>((x) => plus(x, 1), [...counter]),
    block(counter, big) {
      const bytes = bytesOf(symbols, counter);
      return big ? bytes.reverse() : bytes;
    },
  };
}

/** Asks a solver whether a carry is the 33rd bit of the sum, for all words and all numbers up to `most`. */
async function decide(carry: Carry, most: number): Promise<void> {
  const [word, added] = ['word', 'added'].map((name) => terms.variable(32, `counter: ${name}`, true));
  const { text, names } = toSmt([word, added, carry(word, added, terms.add(word, added))]);
  const [x, y, out] = names.map((name) => `((_ zero_extend 32) ${name})`);
  await ask(async (say) => {
    const sum = `(bvlshr (bvadd ${x} ${y}) (_ bv32 64))`;
    const answer = await say(
      `(set-logic QF_BV)\n${text}\n(assert (bvule ${names[1]} (_ bv${most} 32)))\n(assert (distinct ${out} ${sum}))\n(check-sat)`,
    );
    if (answer.trim() !== 'unsat') throw new Failure(`a counter has another carry: z3 says ${answer.trim()}`);
  });
}

const known = new Map<boolean, Promise<void>>();

/** The counting of a form of the kernels, once a solver has found its carries right. */
export async function requireCarries(lanes: boolean): Promise<Counting> {
  const carry = lanes ? bySum : byTopBit;
  // In words one is added at a time, and in lanes up to four.
  const proved = known.get(lanes) ?? decide(carry, lanes ? 4 : 1);
  known.set(lanes, proved);
  await proved;
  return countingOf(carry);
}
