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
 * Stand-ins for exported functions, wherever these are called: a claim about a caller takes the functions' results from
 * other claims. The parameters of such calls are known.
 */
export type Instead = Readonly<Record<string, (run: Runnable, ...parameters: number[]) => void>>;

/** A kernel with a memory of its own, in which a byte that was not written yet is the variable `memory[address]`. */
export interface Runnable {
  /** The bounds within which later calls may read and write. */
  ranges: Ranges;
  /** Writes terms of 8 or 32 bits one after the other, whatever the ranges. */
  write(address: number, terms: readonly Term[]): void;
  /** Reads bytes, as terms of 8 bits. */
  read(address: number, length: number): Term[];
  /** Reads words, as terms of 32 bits. */
  readWords(address: number, count: number): Term[];
  /** The addresses that calls have written to so far, ascending. */
  written(): number[];
  /** The addresses of bytes that now depend on a secret, ascending. */
  secretBytes(): number[];
  /** Runs an exported function; its result, if it has one, is a term of 32 bits. Throws if the run cannot go on. */
  call(name: string, ...parameters: readonly (number | Term)[]): Term | undefined;
  readonly events: readonly RunEvent[];
}

/** A kernel that a claim can run any number of times, each time from an unknown memory. */
export interface RunnableKernel {
  /** The form, as kernels.ts names it, or for example `chacha js`. */
  readonly name: string;
  /** Bytes of memory. */
  readonly memoryBytes: number;
  /** Starts a run. With `bases`, parameters of later calls may be unknown addresses. */
  start(ranges?: Ranges, instead?: Instead, bases?: readonly Base[]): Runnable;
}

/**
 * A kernel that runs without terms, with a mark for each byte of memory that is secret: FlowMachine (flow.ts) over a module,
 * and JavaScriptFlow (javascript/flow.ts) over a text.
 */
export interface FlowRunnable {
  /** Marks `length` bytes as written by the caller. */
  write(address: number, length: number, secret: boolean): void;
  /** Marks bytes as read by the caller. */
  read(address: number, length: number): void;
  /** Calls an exported function; throws a Failure if the kernel did something forbidden. */
  call(name: string, ...parameters: readonly number[]): void;
  /** The addresses of secret bytes; with `taken`, those that the caller has read are left out. */
  secretBytes(options: { readonly taken: boolean }): number[];
}

/** A call, and the run whose memory it has left. */
export interface Called {
  readonly run: FlowRunnable;
  readonly name: string;
  readonly parameters: readonly number[];
}

export function called(run: FlowRunnable, name: string, ...parameters: readonly number[]): Called {
  run.call(name, ...parameters);
  return { run, name, parameters };
}
