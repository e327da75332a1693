/** What abstract interpretation needs to know of values, and what a pass over a function needs to know of all others. */
import type { DecodedFunction, Instruction } from '../wasm/types.ts';

/** What is known of values, and what instructions do with it. */
export interface Lattice<V> {
  /** A variable that a function declares, before it is set. */
  readonly zero: V;
  /** A parameter that the caller of an exported function gives. */
  parameter(f: DecodedFunction, index: number): V;
  /**
   * What a value is that is one or the other. It is the first one itself, `===`, if the second adds nothing. If the second
   * is what a turn of a loop has made of the first, `loop` says of which loop.
   */
  join(a: V, b: V, loop?: string): V;
  /** What an instruction leaves on the stack of what it takes; branches take their condition and leave nothing. */
  compute(instruction: Instruction, operands: readonly V[], f: DecodedFunction): readonly V[];
}

/** What is known between passes: Analysis in analysis.ts. */
export interface Known<V> {
  readonly lattice: Lattice<V>;
  joined(a: readonly V[], b: readonly V[], loop?: string): V[];
  readonly parameterCount: (callee: number) => number;
  call(callee: number, parameters: readonly V[]): readonly V[] | undefined;
  return(index: number, values: readonly V[]): void;
  loop(index: number, opens: number, locals: readonly V[], behindTurn: boolean): V[];
}
