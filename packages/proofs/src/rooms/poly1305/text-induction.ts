/**
 * The loop of Poly1305 in doubles, by induction as in keystream/mac-induction.ts: a block at any address, of any number that are left, onto
 * the words of any state, or onto any limbs within bounds. Its limbs lie within these bounds, and are congruent to the result of RFC 8439
 * §2.5; and so are the words that are stored when the loop ends.
 */
import { counted } from '../../claims/amounts.ts';
import { require, type Claim } from '../../claims/claim.ts';
import { expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import type { LoopCut } from '../../javascript/interpret.ts';
import { parse } from '../../javascript/parse.ts';
import { JavaScriptMachine } from '../../javascript/runner.ts';
import type { FunctionText, Program, Statement } from '../../javascript/syntax.ts';
import type { KernelText } from '../../javascript/texts.ts';
import { Word, type Value } from '../../javascript/values.ts';
import { requireAccumulated } from '../../polynomials/congruence.ts';
import { PolynomialDoubles, type Grid } from '../../polynomials/doubles.ts';
import type { Sum } from '../../polynomials/ring.ts';
import { add, and, constant, sub, variable, type Term } from '../../terms/term.ts';
import { inductionClaim } from '../keystream/induction.ts';
import { MOST_TOP } from './reduction.ts';
import { blockNumbers, clamped, numberOf, requireSmallTop } from './tag.ts';

const BLOCK = 16;
const H_WORDS = 5;
const R_AT = 32;
const S_AT = 48;
const word = (n: number): Term => constant(32, n);

/** The limbs of the accumulator after an iteration: 22 bits apart, and sums of products, so they have twice as many bits. */
const LIMBS: readonly Grid[] = [49, 48, 47, 46, 45, 45].map((bits, i) => ({ exponent: 64 + 22 * i, bits }));
const isTerm = (x: Value | undefined, term: Term): boolean => x instanceof Word && x.term === term;

const loopIn = (list: readonly Statement[]): (Statement & { readonly kind: 'do' }) | undefined => {
  for (const each of list) {
    if (each.kind === 'do') return each;
    const found = each.kind === 'if' ? loopIn(each.then) : undefined;
    if (found) return found;
  }
  return undefined;
};

/** The function that absorbs blocks: the one with a loop whose numbers aren't all integers. */
function absorbIn({ functions }: Program): { readonly f: FunctionText; readonly line: number } {
  const found = [...functions.values()].flatMap((f) => {
    const loop = loopIn(f.body);
    return loop && JSON.stringify(loop).includes('e-39') ? [{ f, line: loop.line }] : [];
  });
  require(found.length === 1, () => `${found.length} functions absorb blocks in doubles`);
  return found[0];
}

const secretWords = (name: string, count: number): Term[] =>
  Array.from({ length: count }, (_, i) => variable(32, `${name}[${i}]`, true));

/** One block with this bit 128: the first of a call, onto the words of the state, or a later one, onto limbs of any iteration. */
function proveBlock({ text, memoryBytes }: KernelText, state: number, top: 0 | 1, first: boolean): void {
  const what = `${first ? 'the first' : 'a later'} block of the MAC, with bit 128 ${top}`;
  const program = parse(text);
  const { f, line } = absorbIn(program);
  const doubles = new PolynomialDoubles();
  const { ring } = doubles;
  const h = secretWords('h', H_WORDS).map((term, i) => (i === H_WORDS - 1 ? and(term, word(MOST_TOP)) : term));
  const [r, s] = [clamped(secretWords('r', 4)), secretWords('s', 4)];
  const base: Base = { name: 'data', home: 4096, length: BLOCK };
  const [address, left] = [baseTerm(base), variable(32, 'blocks', false)];
  const message = secrets('message', BLOCK);
  const [block] = blockNumbers(ring, message);
  const number = top ? block : block.minus(ring.constant(1n << 128n).polynomial);
  /** The limbs as one number, in units of the first one's. */
  const numberOfLimbs = (values: readonly Value[]): Sum =>
    LIMBS.reduce((sum, grid, i) => {
      const factor = 1n << BigInt(grid.exponent - LIMBS[0].exponent);
      return sum.plus(doubles.on(values[i], grid).scaled(factor));
    }, ring.constant(0n).polynomial);
  const limbs = LIMBS.map((grid, i) => doubles.any(`limb ${i}`, grid));
  const start = first ? numberOf(ring, h) : numberOfLimbs(limbs);
  const check = (sum: Sum): void => requireAccumulated(ring, sum, numberOf(ring, r), [number], start);
  let places: readonly number[] = [];
  const cut: LoopCut = {
    line,
    enter(variables, changed) {
      const [at, count] = variables;
      const starts = isTerm(at, address) && isTerm(count, left);
      require(starts, () => `${what}: the loop starts with other parameters`);
      // The limbs are declared after all else that has a value when the loop starts.
      const given = changed.filter((slot) => slot >= f.parameters && variables[slot] !== undefined);
      places = given.sort((x, y) => x - y).slice(-LIMBS.length);
      const values = first ? places.map((slot) => variables[slot]) : limbs;
      for (const slot of changed) if (slot >= f.parameters) variables[slot] = undefined;
      places.forEach((slot, i) => (variables[slot] = values[i]));
    },
    again({ operator, left: count, right }, variables) {
      const rest = sub(left, word(1));
      const next =
        isTerm(variables[0], add(address, word(BLOCK))) && isTerm(variables[1], rest) && variables[2] === top;
      const asked = operator === '!==' && right === 0 && isTerm(count, rest);
      require(asked && next, () => `${what}: the next block is another one`);
      check(numberOfLimbs(places.map((slot) => variables[slot]!)));
      return false;
    },
  };
  const run = new JavaScriptMachine(program, {
    memoryBytes,
    doubles,
    ranges: { reads: [range(state + R_AT, 16)], writes: [range(state, 4 * H_WORDS)] },
    bases: [base],
    inner: [f.name],
    cut,
    // The loop is not reached with no block.
    notZero: [left],
  });
  run.write(state, h);
  run.write(state + R_AT, r);
  run.write(state + S_AT, s);
  run.write(base.home, message);
  run.call(f.name, address, left, top);
  require(places.length > 0, () => `${what}: the loop is not reached`);
  expectNoEvents(run, what);
  const after = run.readWords(state, H_WORDS);
  requireSmallTop(ring, after);
  check(numberOf(ring, after));
  counted('iterations', 1);
}

/** A claim about a text that has Poly1305, whose state is at an address. */
export const doublesInduction = (text: KernelText, state: number): Claim =>
  inductionClaim(text, 'Poly1305, any number of blocks at any address', () => {
    for (const top of [0, 1] as const) for (const first of [true, false]) proveBlock(text, state, top, first);
  });
