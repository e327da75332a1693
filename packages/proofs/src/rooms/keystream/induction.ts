/**
 * The loops of a keystream, by induction. Nothing is known of the address, of the number of blocks, or of
 * how many iterations there were: one iteration, from any state in which an iteration may start, computes the
 * specification's blocks, leaves such a state, and nothing but the count decides whether there is another one. A variable that
 * an iteration changes has no value at its start, unless it belongs to that state.
 *
 * Calls from which no length can be seen are run here too, at any address: the functions for exactly one, two and three blocks.
 */
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { counted } from '../../claims/amounts.ts';
import { Failure, require, type Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Runnable } from '../../claims/runnable.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Cut } from '../../execute/machine.ts';
import type { Value } from '../../execute/run.ts';
import { Vector } from '../../execute/vector.ts';
import type { Kernel } from '../../kernels.ts';
import { bytesOf, xorBytes } from '../../specifications/algebra.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, constant, less, shr_u, sub, variable, type Term } from '../../terms/term.ts';
import type { DecodedModule } from '../../wasm/types.ts';
import { carried, requireCarry } from '../disk/sums.ts';
import type { Rounds } from '../chacha/specification.ts';
import type { Leaves } from './every-length.ts';

const { SETS, STAGE, STATE } = map;
const BLOCK = map.BLOCK_BYTES;
const LANES = 4;
const MOST_SETS = 4;

/** A cipher: its block of a state in the kernel's order, and the place of the counter in it. */
export interface BlockCipher {
  readonly block: (state: readonly Term[], rounds: Rounds) => Term[];
  readonly counter: number;
  readonly rounds: readonly Rounds[];
}

/** An unknown public number. */
export const unknown = (name: string): Term => variable(32, name, false);
export const word = (n: number): Term => constant(32, n);

/** Has no value: whatever uses it fails. */
export const NOTHING = undefined as never;

export const sameVector = (x: unknown, y: readonly Term[]): boolean =>
  x instanceof Vector && x.words.every((term, i) => term === y[i]);

/** The offset of the first loop of a function, which contains all others. */
export function outerLoop(module: DecodedModule, index: number): number {
  const loop = module.functions[index].code.find(({ op }) => op === 'loop');
  require(loop !== undefined, () => `function ${index} has no loop`);
  return loop.at;
}

/** Using a variable without a value shows as an error of the domain that it belongs to. */
export function withoutValues<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(`a variable of an earlier iteration is used: ${error.message}`);
    throw error;
  }
}

/** A claim of induction about a kernel, or a text. */
export const inductionClaim = (kernel: Pick<Kernel, 'name'>, text: string, prove: () => void): Claim => ({
  kernel: kernel.name,
  topic: 'induction',
  claim: `induction: ${text}`,
  prove() {
    withoutValues(prove);
  },
});

/** Any state, with any counter. */
export function anyState({ counter }: BlockCipher) {
  const words = Array.from({ length: 16 }, (_, i) => variable(32, `state word ${i}`, true));
  const [low, high] = [words[counter], words[counter + 1]];
  /**
   * The state of the block so many blocks after the counter: a sum of words carries if it is below its first operand. `from` is the
   * high word of the first block.
   */
  const after = (blocks: Term, from = high): Term[] => {
    const sum = add(low, blocks);
    return words.map((one, i) => (i === counter ? sum : i === counter + 1 ? add(from, less(sum, low)) : one));
  };
  /** The state of the call after this one: here the carry is the majority of top bits, which `requireCarry` is about. */
  const next = (blocks: Term): Term[] => {
    const sum = add(low, blocks);
    return words.map((one, i) =>
      i === counter ? sum : i === counter + 1 ? add(high, carried(low, blocks, sum)) : one,
    );
  };
  return { words, after, next, low };
}

export interface InductionSetting {
  readonly kernel: Kernel;
  readonly module: DecodedModule;
  readonly leaves: Pick<Leaves, 'blocks'>;
  readonly cipher: BlockCipher;
}

export const homeOf = (blocks: number, name = 'data', home = STAGE): Base => ({ name, home, length: BLOCK * blocks });

function started(
  { module }: InductionSetting,
  bases: readonly Base[],
  cut: Cut<Term> | undefined,
  assume?: ReadonlyMap<Term, number>,
): Machine {
  const homes = bases.map(({ home, length }) => range(home, length));
  const ranges = {
    reads: [range(STATE, 64), ...homes],
    writes: [range(STATE, 64), range(SETS, 1024), ...homes],
  };
  return new Machine<Term>(module, { ranges, bases, cut, assume });
}

export function expectBlocks(
  run: Runnable,
  at: number,
  data: readonly Term[],
  keystream: readonly Term[],
  what: string,
): void {
  counted('iterations', 1);
  expectNoEvents(run, what);
  expectBytes(run, at, xorBytes(symbols, data, keystream), `${what}: data`);
}

/** A loop of blocks in words: one block, at any address, of any number that are left. */
function proveWords(setting: InductionSetting, index: number, rounds: Rounds): void {
  const what = `a block, ${rounds} rounds`;
  const { module, cipher } = setting;
  const base = homeOf(1);
  const [address, left] = [baseTerm(base), unknown('blocks')];
  const cut: Cut<Term> = {
    at: outerLoop(module, index),
    enter(locals, changed) {
      require(locals[1] === address && locals[2] === left, () => `${what}: the loop starts with other parameters`);
      for (const local of changed) if (local !== 1 && local !== 2) locals[local] = NOTHING;
    },
    again(condition, locals) {
      const rest = sub(left, word(1));
      const next = locals[1] === add(address, word(BLOCK)) && locals[2] === rest;
      require(condition === rest && next, () => `${what}: the next block is another one`);
      return false;
    },
  };
  const run = started(setting, [base], cut);
  const state = anyState(cipher);
  run.write(STATE, state.words);
  const data = secrets('data', BLOCK);
  run.write(base.home, data);
  run.callFunction(module.functions[index], rounds / 2, address, left);
  expectBlocks(run, base.home, data, cipher.block(state.words, rounds), what);
  expectBytes(run, STATE, bytesOf(symbols, state.after(word(1))), `${what}: state`);
}

/** Exactly so many blocks, at any address. */
function proveFew(setting: InductionSetting, index: number, rounds: Rounds, count: number): void {
  const what = `${count} blocks, ${rounds} rounds`;
  const { module, cipher } = setting;
  const base = homeOf(count);
  const run = started(setting, [base], undefined);
  const state = anyState(cipher);
  run.write(STATE, state.words);
  const data = secrets('data', BLOCK * count);
  run.write(base.home, data);
  run.callFunction(module.functions[index], rounds / 2, baseTerm(base), count);
  const keystream = Array.from({ length: count }, (_, i) => cipher.block(state.after(word(i)), rounds));
  expectBlocks(run, base.home, data, keystream.flat(), what);
  expectBytes(run, STATE, bytesOf(symbols, state.after(word(count))), `${what}: state`);
}

/** The local, among those that a loop changes, that has a value when the loop is reached. */
export function localWith<V>(
  locals: readonly Value<V>[],
  changed: readonly number[],
  is: (value: Value<V>) => boolean,
  what: string,
): number {
  const found = changed.filter((local) => is(locals[local]));
  require(found.length === 1, () => `${found.length} variables have ${what} when the loop starts`);
  return found[0];
}

/**
 * Groups of up to four sets. So many sets are left: `full` means four, and any number after them; or a number up to four, with
 * which the loop ends.
 */
function proveSets(setting: InductionSetting, index: number, rounds: Rounds, left: 'full' | number): void {
  const what = `${left === 'full' ? 'a group' : `the last ${left} sets`}, ${rounds} rounds`;
  const { module, cipher } = setting;
  const sets = left === 'full' ? MOST_SETS : left;
  const base = homeOf(LANES * sets);
  const [address, blocks, done, more] = [baseTerm(base), unknown('blocks'), unknown('done'), unknown('more')];
  const leftTerm = left === 'full' ? add(more, word(MOST_SETS)) : word(left);
  const rest = left === 'full' ? more : word(0);
  let low = -1;
  let count = -1;
  const state = anyState(cipher);
  const countersFrom = (first: Term): Term[] => [0, 1, 2, 3].map((lane) => add(state.low, add(first, word(lane))));
  const cut: Cut<Term> = {
    at: outerLoop(module, index),
    enter(locals, changed) {
      require(locals[1] === address && locals[2] === blocks, () => `${what}: the loop starts with other parameters`);
      low = localWith(locals, changed, (value) => sameVector(value, countersFrom(word(0))), 'the counters');
      const all = shr_u(add(blocks, word(LANES - 1)), word(2));
      count = localWith(locals, changed, (value) => value === all, 'the number of sets');
      for (const local of changed) if (local !== 1) locals[local] = NOTHING;
      locals[low] = new Vector(countersFrom(done));
      locals[count] = leftTerm;
    },
    again(condition, locals) {
      const next =
        locals[1] === add(address, word(BLOCK * LANES * sets)) &&
        locals[count] === rest &&
        locals[2] === blocks &&
        sameVector(locals[low], countersFrom(add(done, word(LANES * sets))));
      require(condition === rest && next, () => `${what}: the next group is another one`);
      return false;
    },
  };
  // The number of sets is one of 30 bits: it was shifted by two.
  const assume = left === 'full' ? new Map([[less(leftTerm, word(MOST_SETS)), 0]]) : undefined;
  const run = started(setting, [base], cut, assume);
  run.write(STATE, state.words);
  const data = secrets('data', base.length);
  run.write(base.home, data);
  run.callFunction(module.functions[index], rounds / 2, address, blocks);
  const keystream = Array.from({ length: LANES * sets }, (_, i) =>
    cipher.block(state.after(add(done, word(i))), rounds),
  );
  expectBlocks(run, base.home, data, keystream.flat(), what);
  expectBytes(run, STATE, bytesOf(symbols, state.next(blocks)), `${what}: state`);
}

export async function keystreamInduction(setting: InductionSetting): Promise<void> {
  await requireCarry();
  const { leaves, cipher } = setting;
  for (const rounds of cipher.rounds)
    for (const { index, count, sets } of leaves.blocks)
      withoutValues(() => {
        if (sets) for (const left of ['full', 1, 2, 3, 4] as const) proveSets(setting, index, rounds, left);
        else if (count === undefined) proveWords(setting, index, rounds);
        else proveFew(setting, index, rounds, count);
      });
}
