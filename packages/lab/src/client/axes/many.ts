/** Many messages: short ones in one call, and many streams or hashers in progress at the same time. */
import { describe, faultIn, type ClientCase, type ClientContest } from '../contest.ts';
import { THOROUGH } from '../kinds.ts';
import type { ManyCase, ManyEntry } from '../room.ts';
import { entries } from '../rooms.ts';

async function caseFor({ id, operation, bytes, parameters, run, check, expected }: ManyCase): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  return {
    id,
    description: describe(auto, operation, id, bytes, parameters),
    before: auto.prepare,
    run,
    fault: () => faultIn(check, expected),
  };
}

const contest = ({ id, operation, title, parameters, cases, rank }: ManyEntry): ClientContest => ({
  id: `many/${id}`,
  axis: 'many',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}: ${title}`,
  parameters,
  kinds: THOROUGH,
  rank,
  prepare: async ({ random }) => ({ cases: await Promise.all((await cases(random)).map(caseFor)), absent: [] }),
});

export const many: readonly ClientContest[] = entries(({ many: all }) => all).map(contest);
