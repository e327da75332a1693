/**
 * Sequential and parallel: how long it takes to the first byte of any position, and what workers gain that each take a part of
 * one message by the number of its first block or chunk.
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
import type { PartJob } from '../crew-member.ts';
import { startCrew, type Crew } from '../crew.ts';
import { AUTO, casesOf } from '../field.ts';
import { blake3, blake3Output } from '../primitives/blake3.ts';
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

/** How workers share an operation: the job for one of the parts, and what their answers are together. */
interface Sharing {
  readonly operation: Operation;
  readonly job: (work: Work, data: ArrayBuffer, offset: number) => PartJob;
  /** In pieces, if it comes in pieces. */
  readonly result: (answers: Awaited<ReturnType<Crew['share']>>) => Promise<Uint8Array[]>;
}

const byCounter: Sharing = {
  operation: chacha20,
  job: ({ key, nonce }, data, offset) => ({ kind: 'encrypt', key, nonce, counter: offset / BLOCK, data }),
  result: (answers) => Promise.resolve(answers.map(({ data }) => new Uint8Array(data))),
};

/** The parts are subtrees, whose chaining values are merged here. */
const bySubtree: Sharing = {
  operation: blake3,
  job: (_, data, offset) => ({ kind: 'hash', data, offset: data.byteLength === LONG ? undefined : offset }),
  async result(answers) {
    const { merge, root, subtreeFrom } = await import('lanewise/blake3.js');
    if (answers[0].digest) return [answers[0].digest];
    let parts = answers.map(({ part }) => subtreeFrom(part!));
    while (parts.length > 2) parts = parts.flatMap((left, i) => (i % 2 === 0 ? [merge(left, parts[i + 1])] : []));
    return [root(parts[0], parts[1])];
  },
};

const nameOf = (size: number): string => `${size} ${size === 1 ? 'worker' : 'workers'}`;

/** One message, each part by one of so many workers: from the first message to the last answer, and what it gives. */
async function shared({ operation, job, result }: Sharing, work: Work, size: number, crew: Crew): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  const { data, expected } = work;
  const partBytes = data.length / size;
  const offsets = Array.from({ length: size }, (_, i) => i * partBytes);
  const fresh = (): ArrayBuffer[] =>
    offsets.map((offset) => Uint8Array.from(data.subarray(offset, offset + partBytes)).buffer);
  let parts = fresh();
  const run = async (): Promise<Uint8Array[]> => {
    const answers = await crew.share(parts.map((part, i) => job(work, part, offsets[i])));
    parts = answers.map((answer) => answer.data);
    return result(answers);
  };
  const id = nameOf(size);
  return {
    id,
    description: { ...describe(auto, operation, id, data.length, { workers: size }), asynchronous: true },
    asynchronous: true,
    run,
    fault() {
      parts = fresh();
      return faultIn(async () => joined(await run()), expected);
    },
  };
}

const workers = (sharing: Sharing, { primitive, operation, id } = sharing.operation): ClientContest => ({
  id: `parallel/workers/${id}/${LONG}`,
  axis: 'parallel',
  form: 'rounds',
  primitive,
  operation,
  title: `${primitive}, 4 MiB: workers that each take a part of the message`,
  parameters: { length: LONG },
  kinds: THOROUGH,
  places: ['page', 'node', 'bun', 'deno'],
  plan: PLAN,
  async prepare({ random, surroundings }) {
    const work = await randomWork(sharing.operation, LONG, random);
    const { cases, absent } = await casesOf(sharing.operation, AUTO, work, LONG, {
      name: () => 'main thread',
      parameters: { workers: 0 },
    });
    let crew: Crew;
    try {
      // The smaller ones are parts of it.
      crew = await startCrew(Math.max(...CREWS), surroundings);
    } catch (error) {
      const reason = messageOf(error);
      const missing = CREWS.map((size): Absence => ({ case: nameOf(size), contestant: 'lanewise', reason }));
      return { cases, absent: [...absent, ...missing] };
    }
    const added = await Promise.all(CREWS.map((size) => shared(sharing, work, size, crew)));
    return { cases: [...cases, ...added], absent, end: () => crew.end() };
  },
});

export const parallel: readonly ClientContest[] = [keystream, output, ...[byCounter, bySubtree].map((s) => workers(s))];
