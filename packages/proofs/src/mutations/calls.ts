/** Random calls of a kernel's functions, as the library may make them: the content of its memory, and the parameters. */
import type { Range } from '../execute/machine.ts';
import type { Form, Kernel } from '../kernels.ts';
import { proofsOf } from '../rooms.ts';
import type { ScratchOf } from './random-calls.ts';
import { Random } from './random.ts';

export interface Call {
  readonly name: string;
  readonly parameters: readonly number[];
  /** The content after the call does not matter: the library wipes it, or writes over it before it is read. */
  readonly scratch: readonly Range[];
  /** The memory that the call itself wipes; any bytes that do not depend on secrets may be there. */
  readonly wiped: readonly Range[];
}

const randomCallsOf = ({ family }: Kernel) => proofsOf(family).mutations.calls;

/** The exported functions that the library calls. */
export function callNames(kernel: Kernel): readonly string[] {
  const { calls, ofShort } = randomCallsOf(kernel);
  return (kernel.short && ofShort) || Object.keys(calls);
}

/** The masks of vectors with the relaxed instructions. */
const masksTo = (form: Form): number => (form === 'relaxed' ? 32 : 0);

/** Fills memory with random bytes, except the module's constants, and returns the parameters of a call. */
export function prepare(kernel: Kernel, name: string, random: Random, memory: Uint8Array<ArrayBuffer>): Call {
  const { calls, scratch, wiped, most, state, constantsTo = masksTo } = randomCallsOf(kernel);
  const constants = kernel.form === 'scalar' ? new Uint8Array(0) : memory.slice(0, constantsTo(kernel.form));
  random.fill(memory);
  memory.set(constants);
  const view = new DataView(memory.buffer);
  state?.(random, view);
  const parameters = calls[name](random, view, most(kernel));
  const rangesOf = (of: Readonly<Record<string, ScratchOf | undefined>> = {}): readonly Range[] =>
    of[name]?.(...parameters) ?? [];
  return { name, parameters, scratch: rangesOf(scratch), wiped: rangesOf(wiped) };
}

/**
 * The same random calls of each function each time, many of them with lengths next to a boundary; also of those functions that the
 * library does not call in a kernel for short messages.
 */
export function* randomCalls(kernel: Kernel, times: number): Generator<Call> {
  const random = new Random(31);
  const memory = new Uint8Array(kernel.memoryBytes);
  for (const name of Object.keys(randomCallsOf(kernel).calls))
    for (let i = 0; i < times; i++) yield prepare(kernel, name, random, memory);
}
