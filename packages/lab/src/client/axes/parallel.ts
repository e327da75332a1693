/**
 * Sequential and parallel: how long it takes to the first byte of any position, and what workers gain that each take a part of
 * one message by the number of its first block.
 */
import { joined } from '../bytes.ts';
import { messageOf } from '../checks.ts';
import {
  describe,
  faultIn,
  randomWork,
  THOROUGH,
  type Absence,
  type ClientCase,
  type ClientContest,
} from '../contest.ts';
import { startCrew, type Crew } from '../crew.ts';
import { AUTO, casesOf } from '../field.ts';
import { blake3Output } from '../primitives/blake3.ts';
import { chacha20 } from '../primitives/chacha.ts';
import type { Operation, Work } from '../primitives/operation.ts';
import { randomBytes, type Random } from '../random.ts';

const BLOCK = 64;
/** In the keystream: the start, far from it, and half of what 32 bits of blocks reach. */
const POSITIONS = [0, 2 ** 20, 2 ** 37];
const LONG = 2 ** 22;
const CREWS = [1, 2, 4];
const PLAN = { rounds: [5, 7], budgetMilliseconds: 100, warmUpMilliseconds: 20 } as const;

const seeking = (
  operation: Operation,
  title: string,
  cases: (random: Random) => Promise<ClientCase[]>,
): ClientContest => ({
  id: `parallel/first-byte/${operation.id}`,
  axis: 'parallel',
  form: 'rounds',
  primitive: operation.primitive,
  operation: 'seek',
  title,
  parameters: { length: BLOCK },
  kinds: THOROUGH,
  prepare: async ({ random }) => ({ cases: await cases(random), absent: [] }),
});

async function positionCase(
  operation: Operation,
  position: number,
  run: () => Uint8Array,
  expected: Uint8Array,
): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  const id = `position ${position}`;
  return {
    id,
    description: describe(auto, { ...operation, operation: 'seek' }, id, BLOCK, { position }),
    before: auto.prepare,
    run,
    fault: () => faultIn(run, expected),
  };
}

const keystream = seeking(chacha20, 'ChaCha20: one block of the keystream, wherever it is', async (random) => {
  const [{ chacha20: ours }, { chacha20: noble }] = await Promise.all([
    import('lanewise/chacha.js'),
    import('@noble/ciphers/chacha.js'),
  ]);
  const [key, nonce, data] = [32, 12, BLOCK].map((bytes) => randomBytes(bytes, random));
  const out = new Uint8Array(BLOCK);
  const stream = ours.stream(key, nonce);
  return Promise.all(
    POSITIONS.map((position) => {
      const expected = noble(key, nonce, data, new Uint8Array(BLOCK), position / BLOCK);
      return positionCase(chacha20, position, () => stream.seek(position).update(data, out), expected);
    }),
  );
});

const output = seeking(blake3Output, 'BLAKE3: one block of the output, wherever it is', async (random) => {
  const [{ blake3: ours }, { blake3: noble }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('@noble/hashes/blake3.js'),
  ]);
  const message = randomBytes(BLOCK, random);
  const out = new Uint8Array(BLOCK);
  const hasher = ours.create().update(message);
  return Promise.all(
    POSITIONS.slice(0, 2).map((position) => {
      // The reference cannot seek: it makes all that comes before.
      const expected = noble(message, { dkLen: position + BLOCK }).subarray(position);
      return positionCase(blake3Output, position, () => hasher.seek(position).xofInto(out), expected);
    }),
  );
});

/** One message, all of it here, or each part by one of so many workers: from the first message to the last answer. */
async function shared(work: Work, size: number, crew: Crew): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  const { key, nonce, data, expected } = work;
  const partBytes = data.length / size;
  const counters = Array.from({ length: size }, (_, i) => (i * partBytes) / BLOCK);
  const fresh = (): ArrayBuffer[] =>
    counters.map((_, i) => Uint8Array.from(data.subarray(i * partBytes, (i + 1) * partBytes)).buffer);
  let parts = fresh();
  const run = async (): Promise<void> => {
    parts = await crew.encrypt(key, nonce, parts, counters);
  };
  const id = `${size} ${size === 1 ? 'worker' : 'workers'}`;
  return {
    id,
    description: { ...describe(auto, chacha20, id, data.length, { workers: size }), asynchronous: true },
    asynchronous: true,
    run,
    async fault() {
      parts = fresh();
      return faultIn(async () => {
        await run();
        return joined(parts.map((part) => new Uint8Array(part)));
      }, expected);
    },
  };
}

const workers: ClientContest = {
  id: `parallel/workers/${chacha20.id}/${LONG}`,
  axis: 'parallel',
  form: 'rounds',
  primitive: chacha20.primitive,
  operation: chacha20.operation,
  title: 'ChaCha20, 4 MiB: workers that each take a part of the message',
  parameters: { length: LONG },
  kinds: THOROUGH,
  places: ['page', 'node', 'bun', 'deno'],
  plan: PLAN,
  async prepare({ random, surroundings }) {
    const work = await randomWork(chacha20, LONG, random);
    const { cases, absent } = await casesOf(chacha20, AUTO, work, LONG, {
      name: () => 'main thread',
      parameters: { workers: 0 },
    });
    const crews: Crew[] = [];
    const added: ClientCase[] = [];
    const missing: Absence[] = [];
    for (const size of CREWS) {
      try {
        const crew = await startCrew(size, surroundings);
        crews.push(crew);
        added.push(await shared(work, size, crew));
      } catch (error) {
        missing.push({ case: `${size} workers`, contestant: 'lanewise', reason: messageOf(error) });
      }
    }
    return {
      cases: [...cases, ...added],
      absent: [...absent, ...missing],
      end: () => crews.forEach((crew) => crew.end()),
    };
  },
};

export const parallel: readonly ClientContest[] = [keystream, output, workers];
