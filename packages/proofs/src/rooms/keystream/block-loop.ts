/**
 * Loops over blocks, or rows, at addresses in a row, by induction as in induction.ts: one iteration at any address, with any number
 * of them left. The number is a parameter of the function, and the address is one or starts as a constant; nothing else tells how far
 * the loop is.
 */
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectNoEvents, range } from '../../claims/compare.ts';
import { baseTerm, type Base } from '../../execute/bases.ts';
import { Machine, type Cut, type Range } from '../../execute/machine.ts';
import type { Kernel } from '../../kernels.ts';
import { add, sub, type Term } from '../../terms/term.ts';
import { decode } from '../../wasm/decode.ts';
import { exported } from '../../wasm/types.ts';
import { NOTHING, outerLoop, unknown, word } from './induction.ts';

/** Where the run has the bytes at the address, unless it is given. */
export const HOME = 60_000 & -16;

export interface BlockLoop {
  readonly kernel: Kernel;
  readonly name: string;
  readonly what: string;
  /** The bytes from the address on that an iteration touches, and those after which the next one begins. */
  readonly touched: number;
  readonly step: number;
  /** Whether the bytes at the address are written. */
  readonly writes: boolean;
  /** The locals of the address and of the number that is left. */
  readonly address: number;
  readonly left: number;
  /** The address with which the loop starts, where it isn't a parameter. */
  readonly first?: Term;
  readonly home?: number;
  /** What may be read of the bytes from the address on, if not all of them. */
  readonly data?: readonly Range[];
  readonly reads?: readonly Range[];
  readonly work: readonly Range[];
  readonly assume?: (address: Term) => ReadonlyMap<Term, number>;
  /** Other parameters, in their places. */
  readonly others?: Readonly<Record<number, Term>>;
  /** Their values in the next iteration, if they change. */
  readonly next?: Readonly<Record<number, Term>>;
}

/** Runs an iteration; `before` writes the memory that it starts with. */
export function runIteration(loop: BlockLoop, before: (run: Machine) => void): Machine {
  const { kernel, name, what, others = {}, next = {}, work, reads = [], home = HOME } = loop;
  const module = decode(kernel.bytes);
  const { index, type } = exported(module, name);
  const base: Base = { name: 'data', home, length: loop.touched };
  const [address, left] = [baseTerm(base), unknown('left')];
  const rest = sub(left, word(1));
  const given: Readonly<Record<number, Term>> = { ...others, [loop.address]: address, [loop.left]: left };
  const started = { ...given, [loop.address]: loop.first ?? address };
  const after = { ...others, ...next, [loop.address]: add(address, word(loop.step)), [loop.left]: rest };
  const are = (locals: readonly unknown[], expected: Readonly<Record<number, Term>>): boolean =>
    Object.entries(expected).every(([local, term]) => locals[Number(local)] === term);
  const cut: Cut<Term> = {
    at: outerLoop(module, index),
    enter(locals, changed) {
      require(are(locals, started), () => `${what}: the loop starts with other parameters`);
      for (const local of changed) if (!(local in given)) locals[local] = NOTHING;
      locals[loop.address] = address;
    },
    again(condition, locals) {
      require(condition === rest && are(locals, after), () => `${what}: the next one is another one`);
      return false;
    },
  };
  const data = loop.data ?? [range(home, loop.touched)];
  const run = new Machine<Term>(module, {
    ranges: { reads: [...reads, ...work, ...data], writes: [...work, ...(loop.writes ? data : [])] },
    bases: [base],
    cut,
    assume: loop.assume?.(address),
    mostSteps: kernel.mostSteps,
  });
  before(run);
  run.call(name, ...type.parameters.map((_, i) => given[i]));
  counted('iterations', 1);
  expectNoEvents(run, what);
  return run;
}
