/** Shifts to the left that engines without relaxed instructions replace by a multiplication. */
import { set } from './control.ts';
import type { Frame } from './module.ts';
import { byte, type Expression, type Statement } from './types.ts';
import * as i32 from './i32.ts';
import * as v128 from './v128.ts';

/** By how many bits, and the address of 2^count in each lane. */
export interface Multiplied {
  readonly count: number;
  readonly address: number;
}

/** The bytes of 2^count in four lanes. */
export const multiplierOf = (count: number): number[] =>
  Array.from({ length: 16 }, (_, i) => (count >> 3 === (i & 3) ? 1 << (count & 7) : 0));

/** A number of one byte at the end of an instruction, in two bytes. WebAssembly core specification §5.2.2 */
const padded = <T extends Expression<'i32'> | Expression<'v128'>>(code: T): T =>
  (code.slice(0, -1) + byte(code.charCodeAt(code.length - 1) | 128, 0)) as T;

/**
 * JavaScriptCore without relaxed SIMD shifts on x64 by a count in a register: three instructions make it anew for each shift.
 * A multiplication takes a vector instead, which stays in a register or on the stack. It must come from memory: the
 * engine would make a constant anew at each use, too. docs/inside/javascriptcore.md has the figures.
 *
 * Both forms have the same length, and a shift and the load of its multiplier have marks: numbers and hints of alignment
 * that nothing else has. So engine/plain.ts makes the bytes of one form from those of the other.
 */
export function leftShift(
  frame: Frame,
  relaxed: boolean,
  { count, address }: Multiplied,
): { prologue: Statement; shifted: (x: Expression<'v128'>) => Expression<'v128'> } {
  const multiplier = frame.local('v128');
  return {
    prologue: set(multiplier, v128.load_marked_apart(0, address)),
    shifted: (x) => (relaxed ? v128.i32x4_shl(x, padded(i32.value(count))) : v128.i32x4_mul(x, padded(multiplier))),
  };
}
