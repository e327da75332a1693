// How a kernel is built, as far as this decides which memory a call of it may touch.
import type { Kernel } from '../kernels.ts';

export interface CallForm {
  /** Whether it works on sets of four blocks, of which the last set is read and written whole. */
  readonly lanes: boolean;
  /** Whether it is for short messages only. */
  readonly short: boolean;
  /** Whether addresses must be multiples of four. */
  readonly aligned: boolean;
}

export const formOf = ({ form, short }: Kernel): CallForm => ({
  lanes: form !== 'scalar',
  short: short === true,
  aligned: false,
});

/** The text of the `js` engine takes messages of all lengths, and reads and writes words at multiples of four. */
export const TEXT_FORM: CallForm = { lanes: false, short: false, aligned: true };
