/**
 * Groups of sets of BLAKE3 in lanes, of any number that is left. Names stand for what the seven rounds compute, which are a function of
 * their own; a different call of it is a failure.
 */
import { CVS, SETS } from '../../../../lanewise/src/blake3/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectNoEvents, range, secrets } from '../../claims/compare.ts';
import type { Base } from '../../execute/bases.ts';
import { Machine, type Cut, type Range } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { symbols } from '../../specifications/terms.ts';
import { add, and, less, variable, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedFunction, type DecodedModule } from '../../wasm/types.ts';
import { ends } from '../keystream/ended.ts';
import { calleesOf } from '../keystream/every-length.ts';
import { NOTHING, unknown, word } from '../keystream/induction.ts';
import { compressWords } from './specification.ts';

export const LANES = 4;
export const MOST_SETS = 4;
/** The nodes or blocks of a whole group. */
export const GROUP = LANES * MOST_SETS;
/** A set has the words of four messages, and after them the words of four states. */
export const SET_BYTES = 576;
const VECTOR = 16;
export const STATE = 256;
/** After the states, the low and the high words of the counters. */
export const COUNTERS = 512;
export const SIXTEEN = Array.from({ length: 16 }, (_, i) => i);
export const LANE_NUMBERS = [0, 1, 2, 3];

export const secretWords = (name: string, count: number): Term[] =>
  Array.from({ length: count }, (_, i) => variable(32, `${name} ${i}`, true));
export const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The address of a word of a lane: of its message, or with STATE of its state. */
export const wordAt = (set: number, lane: number, w: number, of = 0): number =>
  SETS + SET_BYTES * set + of + VECTOR * w + 4 * lane;
export const messagesOf = (set: number): Range => range(SETS + SET_BYTES * set, STATE);
export const statesOf = (set: number): Range => range(SETS + SET_BYTES * set + STATE, STATE);

/** The functions of a form with lanes. */
export function functionsOf(module: DecodedModule) {
  const second = (name: string): DecodedFunction => {
    const callees = calleesOf(exported(module, name));
    require(callees.length === 2, () => `${name} calls ${callees.length} functions`);
    return module.functions[callees[1]];
  };
  const [output, nodes] = [second('output'), second('many')];
  const [called, ...others] = new Set([output, nodes].flatMap(calleesOf));
  require(others.length === 0, () => 'the loops in lanes call several functions');
  return { output, nodes, rounds: module.functions[called] };
}

/** Names for what the rounds compute, and the compression with them. */
export class NamedRounds {
  readonly #numbers = new Map<string, number>();

  of = (state: readonly Term[], message: readonly Term[]): Term[] => {
    const key = [...state, ...message].map(({ id }) => id).join();
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return secretWords(`rounds ${number}, word`, 16);
  };

  /** The stand-in for a kernel's function. */
  readonly onSets = (machine: Machine, end: Term, what: string): void => {
    const sets = upTo(1, MOST_SETS).find((count) => end === word(SET_BYTES * count));
    require(sets !== undefined, () => `${what}: rounds of a number of sets of which nothing is claimed`);
    for (let set = 0; set < sets; set++)
      for (const lane of LANE_NUMBERS) {
        const wordsAt = (of: number): Term[] => SIXTEEN.flatMap((w) => machine.readWords(wordAt(set, lane, w, of), 1));
        this.of(wordsAt(STATE), wordsAt(0)).forEach((term, w) => machine.write(wordAt(set, lane, w, STATE), [term]));
      }
  };

  compress(value: readonly Term[], block: readonly Term[], numbers: readonly Term[]): Term[] {
    return compressWords(symbols, value, block, numbers, (_, state, message) => this.of(state, message));
  }
}

/** How many are left: more than a group, or a number up to it, with which the loop ends. */
export type Left = 'more' | number;
export const more = (): Term => unknown('more');
const leftOf = (left: Left): Term => (left === 'more' ? add(more(), word(GROUP)) : word(left));
/** Lanes are filled in sets. */
export const takenOf = (left: Left): number => (left === 'more' ? GROUP : (left + LANES - 1) & -LANES);

interface Group {
  readonly kernel: Kernel;
  readonly what: string;
  readonly left: Left;
  readonly of: 'output' | 'nodes';
  /** Which loop of the function it is. */
  readonly loop: number;
  /** The parameters with which the loop starts, those of any group, and those of the next one, but for the number that is left. */
  readonly first: readonly Term[];
  readonly any: readonly Term[];
  readonly next: readonly Term[];
  /** The place of the number that is left. */
  readonly count: number;
  readonly bases: readonly Base[];
  readonly reads: readonly Range[];
  readonly writes: readonly Range[];
  readonly assume: readonly (readonly [Term, number])[];
  /** A loop within the group. */
  readonly inner?: {
    readonly loop: number;
    readonly cut: Omit<Cut<Term>, 'at'>;
  };
  /** Writes the memory that the function starts with, and then that of any group. */
  before(machine: Machine): void;
  begin(machine: Machine): void;
}

export function runGroup(group: Group, named: NamedRounds): Machine {
  const { kernel, what, left, of, loop, first, any, next, count, bases, reads, writes, assume, inner } = group;
  const module = decode(kernel.bytes);
  const functions = functionsOf(module);
  const run = functions[of];
  const [least, rest] = [leftOf(left), left === 'more' ? more() : word(0)];
  const are = (locals: readonly unknown[], expected: readonly Term[], number: Term): boolean =>
    expected.every((term, i) => locals[i] === (i === count ? number : term));
  const start = unknown('count');
  const loops = run.code.filter(({ op }) => op === 'loop');
  const cut: Cut<Term> = {
    at: loops[loop].at,
    enter(locals) {
      require(are(locals, first, start), () => `${what}: the loop starts with other numbers`);
      for (let i = 0; i < locals.length; i++) locals[i] = i < any.length ? any[i] : NOTHING;
      locals[count] = least;
      group.begin(machine);
    },
    again(condition, locals) {
      require(condition === rest && are(locals, next, rest), () => `${what}: the next group is another one`);
      return false;
    },
  };
  const taken = and(add(least, word(LANES - 1)), word(-LANES));
  const machine: Machine = new Machine<Term>(module, {
    ranges: {
      reads: [...reads, range(SETS, CVS - SETS)],
      writes: [...writes, range(SETS, CVS - SETS)],
    },
    bases,
    cut: inner ? [cut, { at: loops[inner.loop].at, ...inner.cut }] : cut,
    calls: new Map([[functions.rounds.index, ([end]) => named.onSets(machine, end as Term, what)]]),
    assume: new Map<Term, number>([
      ...assume,
      // With more than a group left the number does not wrap around: it is one of nodes or blocks in memory.
      [less(word(GROUP), taken), 1],
      [less(least, word(GROUP)), 0],
    ]),
    mostSteps: kernel.mostSteps,
  });
  group.before(machine);
  ends(() => machine.callFunction(run, ...first.map((term, i) => (i === count ? start : term))));
  counted('iterations', 1);
  expectNoEvents(machine, what);
  return machine;
}

/** Memory of the sets that an earlier group left: any bytes. */
export const anySets = (machine: Machine): void => machine.write(SETS, secrets('left by the group before', CVS - SETS));
