/** The faults of all rooms, and the kinds of claims that find them. */
import type { Claim } from '../claims/claim.ts';
import type { Kernel } from '../kernels.ts';
import { topicOf } from '../prove-report.ts';
import { rooms } from '../rooms.ts';
import type { Fault, Found } from './fault.ts';

const faults = rooms.flatMap((room) => room.faults);

/** A fault that is found in this way. */
export type FoundBy<By extends Found['by']> = Fault & { readonly found: Extract<Found, { readonly by: By }> };

export const faultsFoundBy = <By extends Found['by']>(by: By): readonly FoundBy<By>[] =>
  faults.filter((fault): fault is FoundBy<By> => fault.found.by === by);

/** A fault, and the kernel that has it. */
export type Planted = FoundBy<'function'> & { readonly kernel: Kernel };

/** The faults of a kernel that claims about the function find, planted. */
export const plantedIn = (kernel: Kernel): readonly Planted[] =>
  faultsFoundBy('function')
    .filter(({ module }) => module === kernel.family)
    .map((fault) => ({ ...fault, kernel: fault.plant(kernel) }));

/** The kind of a claim: a row of the table of claims; for Serpent, each mode is a kind. */
export function kindOf(claim: Claim): string {
  const topic = topicOf(claim);
  return topic === 'serpent' ? claim.claim.split(/:| in parts/, 1)[0] : topic;
}

/**
 * Kinds that also find the faults of other kinds: the hash of the bytes finds all faults; most of these faults have
 * uses of public numbers that are not in the list; and every claim that fails leaves code that is not covered.
 */
export const UNSPECIFIC: readonly string[] = [
  'golden',
  'public numbers',
  'coverage',
  'every length',
  'induction',
  // A block after any number depends on the offsets, which claims of the kind OCB are about.
  'OCB encrypt',
  'OCB decrypt',
];

/**
 * Kinds without a fault in a kernel. Known answers prove nothing; threshold claims are about the other claims, which
 * must reach the thresholds; and wiping after a call is done by the modules around a kernel: wiping.test.ts changes
 * their recorded calls. The start of BLAKE2 copies a table, and its compressions find a wrong one, too. The constants of SHA-2 are
 * what its binding writes: sha2-constants.test.ts changes them. Claims of plain forms are about two modules:
 * plain-form.test.ts changes both. Claims of functions and of translations are about texts: text-functions.test.ts.
 */
export const WITHOUT: readonly string[] = [
  'constants',
  'functions',
  'known answers',
  'plain form',
  'start',
  'thresholds',
  'translation',
  'wiped after every call',
];
