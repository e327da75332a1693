/**
 * Faults planted in real kernels, for claims to find: wrong rotations, rounds and constants, keyed backdoors, scratch that is not wiped,
 * writes where nothing may be written, results that are wrong at one length. Each room has one table of the faults of its kernels.
 *
 * A keyed fault does nothing unless a word of the key has one value, so no test vector meets it. It selects with a mask, because a branch
 * would be a leak.
 */
import type { Plant } from './plant.ts';

export interface Fault {
  /** A module, in whose kernels of every form the fault is planted, or one kernel: `chacha`, `chacha long scalar`. */
  readonly module: string;
  /** The function with the fault, by its name in coverage claims. */
  readonly name: string;
  /** The change, which names the behaviour that claims must check. */
  readonly planted: string;
  readonly plant: Plant;
  readonly found: Found;
}

/** How a fault must be found. */
export type Found =
  /** A claim about the function fails, with the message of such a fault. The static checks see none of them. */
  | { readonly by: 'function'; readonly as: 'result' | 'backdoor' | 'unwiped' | 'stray write' }
  /** A claim of each of these topics fails, each topic alone; other static checks see nothing. All claims once missed these faults. */
  | { readonly by: 'topics'; readonly topics: readonly string[] }
  /** Claims of this kind fail, and those of no other kind: no kind is redundant. */
  | { readonly by: 'kind'; readonly kind: string };

/** The engine itself sees another result, too. */
export const RESULT: Found = { by: 'function', as: 'result' };
/** A result that differs for one value of a word. */
export const BACKDOOR: Found = { by: 'function', as: 'backdoor' };
export const UNWIPED: Found = { by: 'function', as: 'unwiped' };
export const STRAY: Found = { by: 'function', as: 'stray write' };

/** The topic that refutes all faults that compare a length or a number of blocks, because no list permits the comparison. */
export const NUMBERS = 'public numbers';

/** By these topics, besides that of public numbers. */
export const byTopics = (...topics: readonly string[]): Found => ({ by: 'topics', topics: [...topics, NUMBERS] });
/** In code that runs for one value of a parameter: by coverage. */
export const UNCOVERED = byTopics('coverage');

/**
 * A length chosen without a comparison: by an address, by data, by a counter in a vector. Neither the lists of public numbers
 * nor coverage see it, and no claim about results has the length.
 */
export const atSomeLength = (...topics: readonly string[]): Found => ({ by: 'topics', topics });
/** A number of iterations, in a loop whose iterations are alike. */
export const INDUCTION = atSomeLength('induction');
export const EVERY_LENGTH = atSomeLength('every length');

export const onlyBy = (kind: string): Found => ({ by: 'kind', kind });
