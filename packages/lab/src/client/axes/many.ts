/** One message and many at once: many short ones in one call, and many that are under way at the same time. */
import { describe, faultIn, THOROUGH, type ClientCase, type ClientContest } from '../contest.ts';
import { joined, type Output } from '../bytes.ts';
import type { Parameters } from '../messages.ts';
import { blake3 } from '../primitives/blake3.ts';
import { chacha20 } from '../primitives/chacha.ts';
import type { Operation } from '../primitives/operation.ts';
import { randomBytes, type Random } from '../random.ts';

const AT_ONCE = 64;
const LENGTHS = [32, 64, 256, 1024];
const PIECE = 64;
const UNDER_WAY = [1, 16, 256, 4096];

const lanewise = () => import('../contestants/lanewise.ts');

interface Task {
  readonly id: string;
  readonly operation: Operation;
  readonly bytes: number;
  readonly parameters: Parameters;
  readonly run: () => unknown;
  /** Something that can be compared: the run itself, unless said. */
  readonly check: () => Output;
  readonly expected: Uint8Array;
}

async function caseFor({ id, operation, bytes, parameters, run, check, expected }: Task): Promise<ClientCase> {
  const { auto } = await lanewise();
  return {
    id,
    description: describe(auto, operation, id, bytes, parameters),
    before: auto.prepare,
    run,
    fault: () => faultIn(check, expected),
  };
}

/** The digests of all messages, in one call and one after the other. */
async function together(length: number, random: Random): Promise<ClientCase[]> {
  const [{ hashMany }, { nobleBlake3 }, { auto }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('../contestants/noble.ts'),
    lanewise(),
  ]);
  const messages = Array.from({ length: AT_ONCE }, () => randomBytes(length, random));
  const expected = joined(messages.map((message) => nobleBlake3.hash(message)));
  const common = { operation: blake3, bytes: AT_ONCE * length, expected } as const;
  const all = () => hashMany(messages);
  const each = () => messages.map((message) => auto.hash(message));
  return Promise.all([
    caseFor({ ...common, id: 'one call', parameters: { together: true }, run: all, check: all }),
    caseFor({ ...common, id: 'one after the other', parameters: { together: false }, run: each, check: each }),
  ]);
}

/** So many hashers, each of which gets a block in its turn. */
async function hashersUnderWay(random: Random): Promise<ClientCase[]> {
  const [{ blake3: hash }, { nobleBlake3 }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('../contestants/noble.ts'),
  ]);
  const piece = randomBytes(PIECE, random);
  return Promise.all(
    UNDER_WAY.map((count) => {
      const hashers = Array.from({ length: count }, () => hash.create().update(piece));
      let next = 0;
      return caseFor({
        id: `${count} hashers`,
        operation: { ...blake3, operation: 'update' },
        bytes: PIECE,
        parameters: { objects: count, stateBytes: hashers[0].save().length },
        run() {
          const hasher = hashers[next].update(piece);
          next = next + 1 === count ? 0 : next + 1;
          return hasher;
        },
        check: () => hash.create().update(piece).update(piece).digest(),
        expected: nobleBlake3.hash(joined([piece, piece])),
      });
    }),
  );
}

/** The input block, which is all that a stream keeps of key and nonce. */
const STREAM_STATE_BYTES = 64;

async function streamsUnderWay(random: Random): Promise<ClientCase[]> {
  const [{ chacha20: cipher }, { nobleCiphers }] = await Promise.all([
    import('lanewise/chacha.js'),
    import('../contestants/noble.ts'),
  ]);
  const key = randomBytes(32, random);
  const nonce = randomBytes(12, random);
  const piece = randomBytes(PIECE, random);
  const out = new Uint8Array(PIECE);
  const expected = joined(nobleCiphers.chacha20(key, nonce)(piece, new Uint8Array(PIECE)));
  return Promise.all(
    UNDER_WAY.map((count) => {
      const streams = Array.from({ length: count }, () => cipher.stream(key, nonce));
      let next = 0;
      return caseFor({
        id: `${count} streams`,
        operation: { ...chacha20, operation: 'update' },
        bytes: PIECE,
        parameters: { objects: count, stateBytes: STREAM_STATE_BYTES },
        run() {
          const output = streams[next].update(piece, out);
          next = next + 1 === count ? 0 : next + 1;
          return output;
        },
        check: () => cipher.stream(key, nonce).update(piece, out),
        expected,
      });
    }),
  );
}

const contest = (
  id: string,
  operation: Operation,
  title: string,
  parameters: Parameters,
  cases: (random: Random) => Promise<ClientCase[]>,
): ClientContest => ({
  id: `many/${id}`,
  axis: 'many',
  form: 'rounds',
  primitive: operation.primitive,
  operation: operation.operation,
  title: `${operation.primitive}: ${title}`,
  parameters,
  kinds: THOROUGH,
  prepare: async ({ random }) => ({ cases: await cases(random), absent: [] }),
});

export const many: readonly ClientContest[] = [
  ...LENGTHS.map((length) =>
    contest(
      `${blake3.id}/${length}`,
      blake3,
      `${AT_ONCE} messages of ${length} bytes`,
      { length, messages: AT_ONCE },
      (random) => together(length, random),
    ),
  ),
  contest('blake3/update', blake3, 'hashers in turns', { length: PIECE }, hashersUnderWay),
  contest('chacha20/update', chacha20, 'streams in turns', { length: PIECE }, streamsUnderWay),
];
