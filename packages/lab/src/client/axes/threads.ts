/**
 * Pools: a long message on one thread, on the threads of a pool, and in workers of libraries that have no pool. Peers get parts of
 * a shorter message, because only their throughput is compared.
 */
import type { createPool as CreatePool, Pool } from 'lanewise/pool.js';
import { joined } from '../bytes.ts';
import { messageOf } from '../checks.ts';
import { about, describe, faultIn, NODE_LIKE, type Absence, type ClientCase, type ClientContest } from '../contest.ts';
import { peerName } from '../crew-member.ts';
import { inParts, startCrew, type Crew } from '../crew.ts';
import { ALWAYS, FULL } from '../kinds.ts';
import type { Kind } from '../messages.ts';
import { cores, place } from '../place.ts';
import { CALLER_WORKS, ONE_THREAD, POOLS, poolOf } from '../pool-cases.ts';
import { libraryOf, type LongWork, type Peer, type ThreadsEntry } from '../room.ts';
import { entries } from '../rooms.ts';

const MIB = 2 ** 20;
/** The shorter size is more than a pool starts its workers for. */
export const SIZES: readonly (readonly [bytes: number, kinds: readonly Kind[]])[] = [
  [64 * MIB, ALWAYS],
  [256 * MIB, FULL],
];
/** The share of the message that the workers of a peer handle together. */
const PEER_SHARE = 1 / 8;
const PLAN = { rounds: [5, 5], budgetMilliseconds: 0, warmUpMilliseconds: 0 } as const;
/** Longer than any pause between two samples of a contest: no sample waits for workers to start. */
const IDLE_MILLISECONDS = 120_000;

/** 1, 2, 4 and so on, and all cores. */
export const threadsFor = (most: number): readonly number[] =>
  Array.from({ length: Math.ceil(Math.log2(most)) }, (_, i) => 2 ** i).concat(most);

const ignored = (): void => undefined;

/** The beginning of the output, and the hash of all of it. */
async function outputOf(
  { beginning, restore }: LongWork,
  run: (take: (piece: Uint8Array) => void) => unknown,
): Promise<Uint8Array> {
  const { blake3 } = await import('lanewise/blake3.js');
  const hasher = blake3.create();
  const first = new Uint8Array(beginning.length);
  let at = 0;
  restore?.();
  await run((piece) => {
    hasher.update(piece);
    first.set(piece.subarray(0, first.length - at), at);
    at = Math.min(first.length, at + piece.length);
  });
  return joined([first, hasher.digest()]);
}

type Run = (take: (piece: Uint8Array) => void) => unknown;

/** Shared by the cases of a contest. */
interface Common {
  readonly entry: ThreadsEntry;
  readonly work: LongWork;
  /** The right output, from one thread; its beginning was compared with that of another implementation. */
  readonly whole: Uint8Array;
}

async function ours({ entry, work, whole }: Common, id: string, threads: number, run: Run): Promise<ClientCase> {
  const { auto } = await import('../contestants/lanewise.ts');
  return {
    id,
    description: { ...describe(auto, entry.operation, id, work.bytes, { threads }), asynchronous: true },
    asynchronous: true,
    // The check of its answer has warmed it up, and one message is longer than any batch.
    count: 1,
    run: () => run(ignored),
    fault: () => faultIn(() => outputOf(work, run), whole),
  };
}

async function theirs({ entry, work }: Common, peer: Peer, threads: number, crew: Crew): Promise<ClientCase> {
  const contestant = await peer.contestant();
  const bytes = PEER_SHARE * work.bytes;
  const id = `${peer.name}, ${threads} ${threads === 1 ? 'worker' : 'workers'}`;
  const { fresh, run } = inParts(crew, peerName(entry.id, peer.name), () =>
    Array.from({ length: threads }, (_, i) => ({
      nonce: new Uint8Array(0),
      whole: false,
      ...work.part(i, threads, bytes),
    })),
  );
  return {
    id,
    description: { ...describe(contestant, entry.operation, id, bytes, { threads }), asynchronous: true },
    asynchronous: true,
    count: 1,
    run,
    async fault() {
      const expected = await Promise.all(fresh().map(async (part) => peer.expected(part)));
      return faultIn(
        async () =>
          (await run()).map(
            ({ out, found }, i) => new Uint8Array(out, 0, Math.min(found as number, expected[i].length)),
          ),
        joined(expected),
      );
    },
  };
}

/** The cases of pools; a pool whose workers did not start isn't a contestant. */
async function pools(common: Common, createPool: typeof CreatePool, made: Pool[]): Promise<(ClientCase | Absence)[]> {
  const { shared } = common.work;
  const found: (ClientCase | Absence)[] = [];
  const all = cores();
  const kindsOfPool = [
    ...threadsFor(all).map((threads) => ({ threads, callerWorks: false })),
    ...(all > 1 ? [{ threads: all, callerWorks: true }] : []),
  ];
  for (const { threads, callerWorks } of kindsOfPool) {
    const pool = createPool({ threads, callerWorks, idle: IDLE_MILLISECONDS });
    made.push(pool);
    const id = callerWorks ? `${poolOf(threads)}${CALLER_WORKS}` : poolOf(threads);
    // Long enough that all its workers start.
    await pool.blake3(new Uint8Array(128 * MIB));
    const { parallel, reason = 'its workers did not start' } = pool.describe();
    if (!parallel) {
      found.push({ case: id, contestant: 'lanewise', reason });
      continue;
    }
    found.push(await ours(common, id, threads, (take) => common.work.run(take, pool)));
    if (shared && threads === all)
      found.push(await ours(common, `${id}, shared memory`, threads, (take) => shared(take, pool)));
  }
  return found;
}

async function peers(common: Common, crew: Crew): Promise<(ClientCase | Absence)[]> {
  const found: (ClientCase | Absence)[] = [];
  for (const peer of common.entry.peers) {
    if (peer.nodeOnly === true && !NODE_LIKE.includes(place())) continue;
    for (const threads of new Set([1, cores()])) {
      try {
        const made = await theirs(common, peer, threads, crew);
        // A library that cannot do it here has not given a wrong answer.
        await made.run();
        found.push(made);
      } catch (error) {
        found.push({ case: peer.name, contestant: libraryOf(peer.name), reason: messageOf(error) });
        break;
      }
    }
  }
  return found;
}

const isCase = (item: ClientCase | Absence): item is ClientCase => 'run' in item;
const isAbsence = (item: ClientCase | Absence): item is Absence => 'reason' in item;

const contest = (entry: ThreadsEntry, bytes: number, kinds: readonly Kind[]): ClientContest =>
  about(POOLS, { ...entry.operation, id: entry.id }, bytes, {
    title: `${entry.operation.primitive}, ${entry.operation.operation}, ${bytes / MIB} MiB: threads of a pool`,
    kinds,
    places: ['page', 'worker', 'node', 'bun', 'deno'],
    // Users get pools: they come before workers that share a message by hand.
    rank: 1,
    plan: PLAN,
    async prepare({ random, surroundings }) {
      const { createPool } = await import('lanewise/pool.js');
      const made: Pool[] = [];
      let crew: Crew | undefined;
      const end = (): void => {
        crew?.end();
        for (const pool of made) void pool.close();
      };
      try {
        const work = await entry.begin(bytes, random).catch(messageOf);
        if (typeof work === 'string')
          return { cases: [], absent: [{ case: ONE_THREAD, contestant: 'lanewise', reason: work }] };
        const whole = await outputOf(work, (take) => work.run(take));
        whole.set(work.beginning);
        const common: Common = { entry, work, whole };
        crew = await startCrew(cores(), surroundings);
        const found = [
          await ours(common, ONE_THREAD, 0, (take) => work.run(take)),
          ...(await pools(common, createPool, made)),
          ...(await peers(common, crew)),
        ];
        return { cases: found.filter(isCase), absent: found.filter(isAbsence), end };
      } catch (error) {
        end();
        throw error;
      }
    },
  });

export const threads: readonly ClientContest[] = entries((room) => room.threads).flatMap((entry) =>
  SIZES.map(([bytes, kinds]) => contest(entry, bytes, kinds)),
);
