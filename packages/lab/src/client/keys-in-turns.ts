/** Cases that encrypt a short message under each of many keys in turns. Key setup is part of every operation. */
import { caseOf, type ClientCase, type Cases } from './contest.ts';
import { fieldOf, type Who } from './field.ts';
import type { Operation, Performer, Work } from './operation.ts';
import { randomBytes, type Random } from './random.ts';

/** Views of the callers' keys, each a separate object, in one allocation. */
export const keysOf = (count: number, bytes: number, random: Random): readonly Uint8Array[] => {
  const all = randomBytes(count * bytes, random);
  return Array.from({ length: count }, (_, i) => all.subarray(i * bytes, (i + 1) * bytes));
};

async function inTurns(
  operation: Operation,
  performer: Extract<Performer, { kind: 'synchronous' }>,
  work: Work,
  keys: readonly Uint8Array[],
  count: number,
  name: string,
): Promise<ClientCase> {
  const id = `${name}, ${count} keys`;
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

/** Every performer with each of these numbers of keys. */
export async function casesInTurns(
  operation: Operation,
  who: Who,
  work: Work,
  keys: readonly Uint8Array[],
  counts: readonly number[],
  name: (contestant: string) => string = (contestant) => contestant,
): Promise<Cases> {
  const { performers, absent } = await fieldOf(operation, who, work.data.length);
  const cases = await Promise.all(
    performers.flatMap((performer) =>
      performer.kind === 'synchronous'
        ? counts.map((count) => inTurns(operation, performer, work, keys, count, name(performer.contestant.name)))
        : [],
    ),
  );
  return { cases, absent };
}
