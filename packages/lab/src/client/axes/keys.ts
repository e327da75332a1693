/**
 * One key and many: 1, 2, 4 … keys in turns, with a short message under each. Key setup is part of every operation; the
 * additional cost of many keys is their use of the caches.
 */
import { caseOf, randomWork, type ClientCase, type ClientContest } from '../contest.ts';
import { fieldOf } from '../field.ts';
import { FULL, THOROUGH } from '../kinds.ts';
import type { Kind } from '../messages.ts';
import type { Operation, Performer, Work } from '../operation.ts';
import { randomBytes } from '../random.ts';
import { entries } from '../rooms.ts';

const LENGTH = 64;
const COUNTS = [1, 2, 4, 16, 64, 256, 1024, 4096, 16384, 65536];
const MOST = 2 ** 20;
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60 } as const;

/** Views of the callers' keys, each a separate object, in one allocation. */
const keysOf = (count: number, bytes: number, random: () => number): readonly Uint8Array[] => {
  const all = randomBytes(count * bytes, random);
  return Array.from({ length: count }, (_, i) => all.subarray(i * bytes, (i + 1) * bytes));
};

async function inTurns(
  operation: Operation,
  performer: Extract<Performer, { kind: 'synchronous' }>,
  work: Work,
  keys: readonly Uint8Array[],
  count: number,
): Promise<ClientCase> {
  const id = `${performer.contestant.name}, ${count} keys`;
  const single = await caseOf(operation, performer, work, { id, parameters: { keys: count } });
  const { nonce, data, room } = work;
  const out = new Uint8Array(room);
  let next = 0;
  return {
    ...single,
    run() {
      const output = performer.start(keys[next], nonce)(data, out);
      next = next + 1 === count ? 0 : next + 1;
      return output;
    },
  };
}

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
    const { performers, absent } = await fieldOf(operation, { ours: ['auto'], rivals }, LENGTH);
    const cases = await Promise.all(
      performers.flatMap((performer) =>
        performer.kind === 'synchronous' ? counts.map((count) => inTurns(operation, performer, work, keys, count)) : [],
      ),
    );
    return { cases, absent };
  },
});

export const keys: readonly ClientContest[] = entries(({ keys: all }) => all).flatMap(({ operation, rivals }) => [
  contest(operation, `keys/${operation.id}/${LENGTH}`, COUNTS, [], THOROUGH, 0),
  ...(rivals ? [contest(operation, `keys/rivals/${operation.id}/${LENGTH}`, [1, 65536], rivals, THOROUGH, 1)] : []),
  contest(operation, `keys/most/${operation.id}/${LENGTH}`, [1, MOST], [], FULL, 2),
]);
