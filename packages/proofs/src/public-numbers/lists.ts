// The lists of permitted uses of public numbers, besides additions, subtractions, shifts and masks by constants, and
// uses as addresses, lengths and conditions. Each room has the lists of its modules; this file has their types, and the
// entries that rooms share. Each entry has a reason, and an entry that no kernel needs is an error.
import type { Limits } from './flow.ts';

export interface Permission {
  readonly reason: string;
  /** The uses, by the names that nameOfUse gives them. */
  readonly uses: readonly string[];
  /** The parameters that the numbers may come from; `loop` stands for the counter of a loop. */
  readonly of: readonly string[];
}

/** A comparison with a constant, and the decision that it makes. */
export interface Threshold {
  readonly what: string;
  readonly use: string;
  readonly of: readonly string[];
  /**
   * The one kernel that has the comparison, or the one that lacks it; unless given, all of the module's kernels have
   * it.
   */
  readonly only?: string;
  readonly unless?: string;
  /** The numbers are multiples of `step`; 1 unless given. */
  readonly step?: number;
  /** The reason why a number next to the constant never occurs. */
  readonly never?: Partial<Record<'below' | 'equal' | 'above', string>>;
}

/** The public numbers of a module. */
export interface Numbers {
  /**
   * The parameters of each exported function. All of them are public: kinds, rounds, addresses, lengths, counters, flags. Keys
   * and messages are in memory.
   */
  readonly parameters: Readonly<Record<string, string>>;
  readonly permitted: readonly Permission[];
  readonly thresholds: readonly Threshold[];
  /** The longest period of each number, as an exponent of 2. */
  readonly limits: Limits;
}

export const LENGTHS = ['aadLength', 'before', 'head', 'headLength', 'length', 'pageLength'] as const;
const COUNTS = ['blocks', 'count', 'doubleRounds', 'streams', 'units'] as const;

/** Uses in every module. */
export const COMMON: readonly Permission[] = [
  {
    reason: 'A loop counts down to zero, or the last of some blocks is the one before the end.',
    uses: ['subtract i32.sub 1'],
    of: [...LENGTHS, ...COUNTS, 'level', 'loop'],
  },
  {
    reason: 'A loop ends at a number that was computed in front of it.',
    uses: ['compare i32.lt_u'],
    of: [...LENGTHS, ...COUNTS, 'level', 'loop'],
  },
];

/** A use in modules whose last block may be incomplete. */
export const PADDING: Permission = {
  reason: 'What is missing to a whole block is filled up.',
  uses: ['subtract i32.sub from 15', 'subtract i32.sub from 16'],
  of: LENGTHS,
};
