/**
 * The interfaces of abstract interpretation: the lattice of values, and the results of other functions that a pass over
 * one function uses.
 */
import type { DecodedFunction, Instruction } from '../wasm/types.ts';

/** A lattice of abstract values, and the effect of instructions on them. */
export interface Lattice<V> {
  /** A local variable before it is set: WebAssembly initialises it with 0. */
  readonly zero: V;
  /** A parameter that the caller of an exported function passes. */
  parameter(f: DecodedFunction, index: number): V;
  /**
   * The join of two values. It is the first one itself, `===`, if the second adds nothing. If the second is the value
   * of the first after an iteration of a loop, `loop` names the loop.
   */
  join(a: V, b: V, loop?: string): V;
  /** The values that an instruction pushes, given its operands; branches take their condition and push nothing. */
  compute(instruction: Instruction, operands: readonly V[], f: DecodedFunction): readonly V[];
}

/** The state that is kept between passes: Analysis in analysis.ts. */
export interface Known<V> {
  readonly lattice: Lattice<V>;
  joined(a: readonly V[], b: readonly V[], loop?: string): V[];
  readonly parameterCount: (callee: number) => number;
  call(callee: number, parameters: readonly V[]): readonly V[] | undefined;
  return(index: number, values: readonly V[]): void;
  loop(index: number, opens: number, locals: readonly V[], behindTurn: boolean): V[];
}
