// The properties of a kernel's form that decide which memory its calls may touch.
import type { Kernel } from '../kernels.ts';

export interface CallForm {
  /** Whether the kernel works on sets of four blocks, and reads and writes the whole last set. */
  readonly lanes: boolean;
  /** Whether the kernel is for short messages only. */
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
