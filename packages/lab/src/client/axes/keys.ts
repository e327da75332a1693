/**
 * One key and many: 1, 2, 4 … keys in turns, with a short message under each. Key setup is part of every operation; the
 * additional cost of many keys is their use of the caches.
 */
import { randomWork, type ClientContest } from '../contest.ts';
import { casesInTurns, keysOf } from '../keys-in-turns.ts';
import { FULL, THOROUGH } from '../kinds.ts';
import type { Kind } from '../messages.ts';
import type { Operation } from '../operation.ts';
import { entries } from '../rooms.ts';

const LENGTH = 64;
const COUNTS = [1, 2, 4, 16, 64, 256, 1024, 4096, 16384, 65536];
const MOST = 2 ** 20;
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60 } as const;

const contest = (
  operation: Operation,
  id: string,
  counts: readonly number[],
  rivals: readonly string[],
  kinds: readonly Kind[],
  rank: number,
): ClientContest => ({
  id,
  axis: 'keys',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${LENGTH} bytes: keys in turns`,
  parameters: { length: LENGTH },
  kinds,
  rank,
  plan: PLAN,
  async prepare({ random }) {
    const work = await randomWork(operation, LENGTH, random);
    const keys = keysOf(Math.max(...counts), operation.keyBytes, random);
    return casesInTurns(operation, { ours: ['auto'], rivals }, work, keys, counts);
  },
});

export const keys: readonly ClientContest[] = entries(({ keys: all }) => all).flatMap(({ operation, rivals }) => [
  contest(operation, `keys/${operation.id}/${LENGTH}`, COUNTS, [], THOROUGH, 0),
  ...(rivals ? [contest(operation, `keys/rivals/${operation.id}/${LENGTH}`, [1, 65536], rivals, THOROUGH, 1)] : []),
  contest(operation, `keys/most/${operation.id}/${LENGTH}`, [1, MOST], [], FULL, 2),
]);
