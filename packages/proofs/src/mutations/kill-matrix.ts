/**
 * For each kind of claims, a fault that no other kind finds, which shows that no kind is redundant. A kind is a row of
 * the table of claims; for Serpent, each mode is a kind. The rooms define the faults.
 */
import type { Claim } from '../claims/claim.ts';
import { topicOf } from '../prove-report.ts';
import { rooms } from '../rooms.ts';
import type { KillMatrix } from './kill-tools.ts';

/** The kind of a claim. */
export function kindOf(claim: Claim): string {
  const topic = topicOf(claim);
  return topic === 'serpent' ? claim.claim.split(/:| in parts/, 1)[0] : topic;
}

/**
 * Kinds that also find the faults of other kinds: the hash of the bytes finds all faults; most of these faults have
 * uses of public numbers that are not in the list; and every claim that fails leaves code that is not covered.
 */
export const UNSPECIFIC: readonly string[] = ['golden', 'public numbers', 'coverage'];

/**
 * Kinds without a fault in a kernel. Known answers prove nothing; threshold claims are about the other claims, which
 * must reach the thresholds; and wiping after a call is done by the modules around a kernel: wiping.test.ts changes
 * their recorded calls.
 */
export const WITHOUT: readonly string[] = ['known answers', 'thresholds', 'wiped after every call'];

/** The faults by kernel, and then by kind. */
export const killMatrix = Object.assign({}, ...rooms.map((room) => room.killMatrix)) as KillMatrix;
