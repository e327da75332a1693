/** Permutations of the bytes of vectors. */
import { sequence, set } from './control.ts';
import type { Frame } from './module.ts';
import type { Expression, Statement } from './types.ts';
import * as v128 from './v128.ts';

/** The instruction that permutes, the permutations, and the address of their masks in memory, one after the other. */
export interface Permutations {
  readonly relaxed: boolean;
  readonly address: number;
  readonly masks: readonly (readonly number[])[];
}

/**
 * The relaxed swizzle takes its mask from memory, where the engine cannot know it: V8 since 13 makes a constant anew at each
 * use (four instructions). Without relaxed SIMD, i.e. on older engines, the constant is faster.
 *
 * Both forms are the same bytes but for the opcode of the swizzle, and for the local to which the load goes: the mask's own
 * or the one after it, which nothing reads. So engine/plain.ts makes the bytes of one form from those of the other.
 */
export function permutations(
  frame: Frame,
  { relaxed, address, masks }: Permutations,
): { prologue: Statement; permuted: (x: Expression<'v128'>, mask: number) => Expression<'v128'> } {
  const locals = masks.map(() => frame.locals('v128', 2));
  const swizzle = relaxed ? v128.i8x16_relaxed_swizzle : v128.i8x16_swizzle;
  return {
    prologue: sequence(
      ...locals.flatMap(([mask, unread], i) => [
        set(mask, v128.i8x16(...masks[i])),
        set(relaxed ? mask : unread, v128.load_marked(0, address + 16 * i)),
      ]),
    ),
    permuted: (x, i) => swizzle(x, locals[i][0]),
  };
}
