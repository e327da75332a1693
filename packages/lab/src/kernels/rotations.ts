/** Three ways to rotate the four words of a vector, for kernels that are written by hand. */
import { sequence, set, tee } from '../../../lanewise/src/wasm/control.ts';
import type { Frame } from '../../../lanewise/src/wasm/module.ts';
import type { Expression } from '../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../lanewise/src/wasm/v128.ts';

/**
 * `shifts`: two shifts and an OR. `swizzles`: rotations by whole bytes permute bytes by a constant mask. `relaxed`: the
 * same with the relaxed instruction, and its mask in a local.
 */
export type Rotations = 'shifts' | 'swizzles' | 'relaxed';
export type Count = 16 | 12 | 8 | 7;

const ROTATE_16 = [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13];
const ROTATE_8 = [3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14];

/** The address of the masks. */
export const MASKS = 0;
export const masks: readonly number[] = [...ROTATE_16, ...ROTATE_8];

const constant = (mask: readonly number[]): Expression<'v128'> => v128.i8x16(...mask);

/** Rotations in a function; `load` must run before the first one. */
export function rotationsIn(frame: Frame, form: Rotations) {
  const shifted = frame.local('v128');
  const by16 = frame.local('v128');
  const by8 = frame.local('v128');
  return {
    load:
      form === 'relaxed' ? sequence(set(by16, v128.load(0, MASKS)), set(by8, v128.load(0, MASKS + 16))) : sequence(),
    rotated(x: Expression<'v128'>, count: Count): Expression<'v128'> {
      if (form === 'shifts' || count === 12 || count === 7) {
        return v128.or(v128.i32x4_shl(tee(shifted, x), count), v128.i32x4_shr_u(shifted, 32 - count));
      }
      return form === 'relaxed'
        ? v128.i8x16_relaxed_swizzle(x, count === 16 ? by16 : by8)
        : v128.i8x16_swizzle(x, constant(count === 16 ? ROTATE_16 : ROTATE_8));
    },
  };
}
