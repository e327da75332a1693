/** All kinds of works. */
import type { Work } from '../types.ts';
import { decryptPlan, encryptPlan } from './plan-age.ts';
import { hashPlan } from './plan-hash.ts';
import type { WorkPlan } from './plan.ts';

const PLANS: Readonly<Partial<Record<Work['kind'], WorkPlan>>> = {
  blake3: hashPlan,
  encrypt: encryptPlan,
  decrypt: decryptPlan,
};

/** The plan of a task that a caller describes. */
export function planOf(kind: unknown): WorkPlan {
  const plan = Object.hasOwn(PLANS, kind as string) ? PLANS[kind as Work['kind']] : undefined;
  if (!plan) throw new RangeError(`"kind" expected ${Object.keys(PLANS).join(' or ')}, got another`);
  return plan;
}

/** The plan of a task in the queue, by the name of its root; undefined if that isn't a root. */
export const planOfRoot = (name: string): WorkPlan | undefined =>
  Object.values(PLANS).find((plan) => plan.root === name);
