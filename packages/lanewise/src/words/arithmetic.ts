/** Arithmetic on words of 32 bits that several kernels need besides their rounds. */
import * as i32 from '../wasm/i32.ts';
import type { Expression, Operand } from '../wasm/types.ts';

/** The carry of a sum of two words: the majority of the top bits of both and of the carry into them. */
export const carried = (x: Operand<'i32'>, y: Operand<'i32'>, sum: Operand<'i32'>): Expression<'i32'> =>
  i32.shr_u(i32.or(i32.and(x, y), i32.and(i32.or(x, y), i32.xor(sum, -1))), 31);

/**
 * 1 if two blocks of 16 bytes are equal. All differences are gathered first, and only the result is returned, which is
 * public.
 */
export const equalBlocks = (
  x: (offset: number) => Expression<'i32'>,
  y: (offset: number) => Expression<'i32'>,
): Expression<'i32'> =>
  i32.eqz([0, 4, 8, 12].map((at) => i32.xor(x(at), y(at))).reduce((all, difference) => i32.or(all, difference)));
