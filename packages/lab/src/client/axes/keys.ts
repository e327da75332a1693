/**
 * One key and many: keys taken in turns, 1, 2, 4 … of them, a short message under each. What is prepared for a key is a part
 * of each operation; what many keys cost beyond that is what they need of the caches.
 */
import { caseOf, FULL, randomWork, THOROUGH, type ClientCase, type ClientContest } from '../contest.ts';
import { fieldOf } from '../field.ts';
import type { Kind } from '../messages.ts';
import { xchacha20poly1305 } from '../primitives/aead.ts';
import { chacha20 } from '../primitives/chacha.ts';
import type { Operation, Performer, Work } from '../primitives/operation.ts';
import { poly1305 } from '../primitives/poly1305.ts';
import { randomBytes } from '../random.ts';

const LENGTH = 64;
const COUNTS = [1, 2, 4, 16, 64, 256, 1024, 4096, 16384, 65536];
const MOST = 2 ** 20;
const PLAN = { rounds: [8, 12], budgetMilliseconds: 60 } as const;

const who = { ours: ['auto'], rivals: ['libsodium.js', 'noble', 'node:crypto'] } as const;

/** Views of the callers' keys, each an object of its own, in one piece of memory. */
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
): ClientContest => ({
  id,
  axis: 'keys',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}, ${operation.operation}, ${LENGTH} bytes: keys in turns`,
  parameters: { length: LENGTH },
  kinds,
  plan: PLAN,
  async prepare({ random }) {
    const work = await randomWork(operation, LENGTH, random);
    const keys = keysOf(Math.max(...counts), operation.keyBytes, random);
    const { performers, absent } = await fieldOf(operation, { ...who, rivals }, LENGTH);
    const cases = await Promise.all(
      performers.flatMap((performer) =>
        performer.kind === 'synchronous' ? counts.map((count) => inTurns(operation, performer, work, keys, count)) : [],
      ),
    );
    return { cases, absent };
  },
});

const operations = [chacha20, xchacha20poly1305.seal, poly1305];

export const keys: readonly ClientContest[] = [
  ...operations.map((operation) => contest(operation, `keys/${operation.id}/${LENGTH}`, COUNTS, [], THOROUGH)),
  contest(chacha20, `keys/rivals/${chacha20.id}/${LENGTH}`, [1, 65536], who.rivals, THOROUGH),
  ...operations.map((operation) => contest(operation, `keys/most/${operation.id}/${LENGTH}`, [1, MOST], [], FULL)),
];
