/** Isolation and context: one call with its code and data in the caches, without them, and after other code has run. */
import { casesInCompany } from '../company.ts';
import { randomWork, type ClientContest } from '../contest.ts';
import { AUTO } from '../field.ts';
import { THOROUGH } from '../kinds.ts';
import { entries } from '../rooms.ts';

const LENGTH = 4096;
const PLAN = { rounds: [20, 20], budgetMilliseconds: 0 } as const;

export const context: readonly ClientContest[] = entries(({ principal }) => principal).map(({ operation }) => ({
  id: `context/${operation.id}/${LENGTH}`,
  axis: 'context',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${LENGTH} bytes: one call in different company`,
  parameters: { length: LENGTH },
  kinds: THOROUGH,
  plan: PLAN,
  prepare: async ({ random, hooks }) =>
    casesInCompany(
      operation,
      AUTO,
      await randomWork(operation, LENGTH, random),
      hooks.now ?? (() => performance.now()),
    ),
}));
