/**
 * Every step of rewriting that claims rely on, as an obligation of its own: an operation was asked for, a term came back, and both
 * must have one value for all inputs. The obligation has variables in place of operands, or of parts of them, as near to the
 * operation as it holds; whatever it does not mention may be any expression. So a few obligations stand for all steps.
 *
 * Of a part that has become a variable an obligation may assume which bits are 0. That is an obligation, too, of
 * the part's own node.
 *
 * An obligation that has become too general is refuted by the solver, though the step is right; numbers are tried here, so that
 * this is rare. One that has become too special would be a step like all others. Neither can make a claim pass.
 */
import { Kind, type Term } from '../terms/node.ts';
import * as e from './expression.ts';
import type { Expression } from './expression.ts';
import { meaningOf } from './meaning.ts';

export interface Obligation {
  /** The operation, or `bits` for an obligation about bits that are 0. */
  readonly about: string;
  /** SMT-LIB without a head: declarations, definitions, and the assertion that must not be satisfiable. */
  readonly text: string;
  readonly number: number;
  /** How many steps it stands for. */
  steps: number;
}

const obligations = new Map<string, Obligation>();
/** Texts that numbers refute: their steps need more of their operands. */
const tooGeneral = new Set<string>();
/** Terms whose zero bits are obligations already. */
const justified = new WeakSet<Term>();
const definitions = new WeakMap<Term, Term>();

/** From now on the variable is another name for the term. */
export const define = (variable: Term, term: Term): void => void definitions.set(variable, term);

const TRIALS = 64;
/** Deeper than any rule looks; after that a step is written with all that its operands are made of. */
const DEEPEST = 40;

const maybeOf = (term: Term): bigint => (BigInt(term.maybeHigh) << 32n) | BigInt(term.maybe);
const maskOf = (width: number): bigint => (1n << BigInt(width)) - 1n;
const isLeaf = (term: Term): boolean =>
  term.kind === Kind.CONSTANT || (term.kind === Kind.VARIABLE && !definitions.has(term));

let state = 0x9e3779b9;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state ^ (state >>> 15)) >>> 0;
};
const EDGES = [0n, 1n, -1n, 0x80000000n, 0x7fffffffn, 0xffffffffn, 0x8000000000000000n, 0x80n];
function trial(): bigint {
  if (random() % 3 === 0) return EDGES[random() % EDGES.length];
  return (BigInt(random()) << 32n) | BigInt(random());
}

/** Whether numbers refute the equality of two expressions: any, and then only two, so that some variables are equal. */
function refuted(x: Expression, y: Expression): boolean {
  for (let i = 0; i < TRIALS; i++) {
    const few = i % 2 === 0 ? undefined : [trial(), trial()];
    const [a, b] = e.valuesOf([x, y], ({ width }) => BigInt.asUintN(width, few ? few[random() & 1] : trial()));
    if (a !== b) return true;
  }
  return false;
}

/** The terms that are not variables in an obligation that is `depth` levels deep. */
function opened(roots: readonly Term[], result: Term, depth: number): Set<Term> {
  const open = new Set<Term>(depth === 0 ? (roots.includes(result) ? [] : [result]) : [...roots, result]);
  let last = [...open];
  for (let level = 1; level < depth && last.length > 0; level++) {
    last = last.flatMap((term) => {
      const defined = definitions.get(term);
      return (defined ? [defined] : term.operands).filter((operand) => !open.has(operand));
    });
    last.forEach((term) => open.add(term));
  }
  return open;
}

/** Expressions over the terms that are opened; the others are variables, which are collected. */
function writer(open: ReadonlySet<Term>, cut: Set<Term>): (term: Term) => Expression {
  const known = new Map<Term, Expression>();
  const write = (term: Term): Expression => {
    let made = known.get(term);
    if (made) return made;
    if (term.kind === Kind.CONSTANT) made = meaningOf(term, []);
    else if (!open.has(term) || isLeaf(term)) {
      made = e.unknown(term.width, BigInt.asUintN(term.width, maybeOf(term)));
      cut.add(term);
    } else {
      const defined = definitions.get(term);
      made = defined ? meaningOf(defined, defined.operands.map(write)) : meaningOf(term, term.operands.map(write));
    }
    known.set(term, made);
    return made;
  };
  return write;
}

function textOf(x: Expression, y: Expression): string {
  const { lines, names } = e.printed([x, y]);
  return [...lines, `(assert (distinct ${names[0]} ${names[1]}))`].join('\n');
}

function keep(about: string, text: string): void {
  const known = obligations.get(text);
  if (known) known.steps++;
  else obligations.set(text, { about, text, number: obligations.size + 1, steps: 1 });
}

/** The bits of a term that are said to be 0 are 0, if those of its operands are. */
function justify(term: Term): void {
  if (term.kind === Kind.CONSTANT || justified.has(term)) return;
  justified.add(term);
  const maybe = maybeOf(term);
  if (maybe === maskOf(term.width)) return;
  const cut = new Set<Term>();
  const x = writer(new Set([term]), cut)(term);
  keep('bits', textOf(e.and(x, e.number(term.width, ~maybe)), e.number(term.width, 0)));
  cut.forEach(justify);
}

/** A step: `mean` makes the operation that was asked for of the meanings of its operands, and `result` came back. */
export function step(
  about: string,
  operands: readonly Term[],
  result: Term,
  mean: (...operands: Expression[]) => Expression,
): void {
  for (let depth = 0; ; depth++) {
    const cut = new Set<Term>();
    const write = writer(opened(operands, result, depth), cut);
    const asked = mean(...operands.map(write));
    const given = write(result);
    const text = textOf(asked, given);
    if (depth < DEEPEST && tooGeneral.has(text)) continue;
    if (depth < DEEPEST && !obligations.has(text) && refuted(asked, given)) {
      tooGeneral.add(text);
      continue;
    }
    keep(about, text);
    cut.forEach(justify);
    return;
  }
}

export const obligationsOfRules = (): readonly Obligation[] => [...obligations.values()];

/** An obligation as a file for a solver, which has to answer unsat. */
export const fileOf = (head: string, text: string): string =>
  [
    ...head.split('\n').map((line) => `; ${line}`),
    '; Expected: unsat.',
    '(set-logic QF_BV)',
    text,
    '(check-sat)',
    '',
  ].join('\n');
