// A claim runs the functions that a kernel exports, over a memory of symbolic bytes. The executor's Machine over a
// WebAssembly module is one, the interpreter of the `js` engine's text (javascript/runner.ts) another: so a statement about
// ChaCha, Poly1305 or BLAKE3 is written once, as a function of a RunnableKernel, and holds for every engine's form.
import type { Base } from '../execute/bases.ts';
import type { Ranges } from '../execute/run.ts';
import type { Term } from '../terms/term.ts';

/** An action of a run that is forbidden to kernels. A run with such an event proves nothing else. */
export interface RunEvent {
  readonly kind: 'leak' | 'over-read' | 'stray-write';
  /** The leak, or the address: for messages. */
  readonly what: string;
}

/**
 * Stand-ins for exported functions, wherever these are called: a claim about a caller takes their results from other claims.
 * Their parameters are known.
 */
export type Instead = Readonly<Record<string, (run: Runnable, ...parameters: number[]) => void>>;

/** A kernel with a memory of its own, in which a byte to which nothing was written is the variable `memory[address]`. */
export interface Runnable {
  /** The bounds of later calls. */
  ranges: Ranges;
  /** Writes terms of 8 or 32 bits one after the other, whatever the ranges. */
  write(address: number, terms: readonly Term[]): void;
  /** Terms of 8 bits. */
  read(address: number, length: number): Term[];
  /** Terms of 32 bits. */
  readWords(address: number, count: number): Term[];
  /** The addresses to which calls wrote so far, ascending. */
  written(): number[];
  /** The addresses that now hold something that depends on a secret, ascending. */
  secretBytes(): number[];
  /** Runs an exported function; its result, if it has one, is a term of 32 bits. Throws if it cannot go on. */
  call(name: string, ...parameters: readonly (number | Term)[]): Term | undefined;
  readonly events: readonly RunEvent[];
}

/** Something that can be run, as often as a claim wants, each time from a memory of which nothing is known. */
export interface RunnableKernel {
  /** The form, as kernels.ts names it, or for example `chacha js`. */
  readonly name: string;
  /** Bytes of memory. */
  readonly memoryBytes: number;
  /** With `bases`, parameters of later calls may be addresses of which nothing is known. */
  start(ranges?: Ranges, instead?: Instead, bases?: readonly Base[]): Runnable;
}

/**
 * A kernel that runs without terms, with a mark for each byte of memory that is secret: FlowMachine (flow.ts) over a module,
 * and JavaScriptFlow (javascript/flow.ts) over a text.
 */
export interface FlowRunnable {
  /** The caller writes so many bytes. */
  write(address: number, length: number, secret: boolean): void;
  /** The caller takes bytes out. */
  read(address: number, length: number): void;
  /** Throws a Failure if the kernel did something that is forbidden. */
  call(name: string, ...parameters: readonly number[]): void;
  /** The addresses of secrets, without those that the caller has taken if `taken` may stay. */
  secretBytes(options: { readonly taken: boolean }): number[];
}

/** A call that was made, and the memory behind it. */
export interface Called {
  readonly run: FlowRunnable;
  readonly name: string;
  readonly parameters: readonly number[];
}

export function called(run: FlowRunnable, name: string, ...parameters: readonly number[]): Called {
  run.call(name, ...parameters);
  return { run, name, parameters };
}
