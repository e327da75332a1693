/** Works while everything fails at once: workers are killed, redis-server is restarted, and every fourth request to the store fails. */
import { Decrypter } from '@lanewise/age';
import { blake3 } from 'lanewise/blake3.js';
import { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { cluster } from '../src/index.ts';
import { bytesFor } from './objects-on-disk.ts';
import { s3Error, type Fault, type FaultProxy } from './servers/fault-proxy.ts';
import type { RedisServer } from './servers/redis.ts';
import type { S3Server } from './servers/s3.ts';
import { startWorker, type WorkerProcess } from './workers/start.ts';

/** The shortest lease: the tests wait for it. */
const LEASE_MS = 3000;
const WORKERS = 3;
const LEAF_BYTES = 2 ** 16;
const MiB = 2 ** 20;

/** Faults of the store and the network that pass, as they come in a bad hour. */
const PASSING: readonly Fault[] = [
  s3Error(500, 'InternalError'),
  s3Error(503, 'SlowDown'),
  { kind: 'refused' },
  { kind: 'lost' },
  { kind: 'cut', bytes: 40_000 },
  { kind: 'short', bytes: 40_000 },
  { kind: 'slow', bytes: 16_384, milliseconds: 5 },
];

/** Numbers from 0 to 1 that a seed gives: "mulberry32". */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Every fourth request fails somehow. */
export function stormOf(seed: number): () => Fault | undefined {
  const random = randomOf(seed);
  return () => (random() < 0.25 ? PASSING[Math.floor(random() * PASSING.length)] : undefined);
}

/** The servers and objects of storms. */
export interface Place {
  readonly redis: RedisServer;
  readonly s3: S3Server;
  readonly proxy: FaultProxy;
  /** How the store is reached through the proxy. */
  readonly objects: Readonly<Record<string, unknown>>;
  /** The recipient of encrypted objects. */
  readonly identity: string;
  readonly recipients: readonly string[];
  /** The workers' identities. */
  readonly identityFile: string;
  readonly workers: readonly string[];
  /** The plaintext. */
  readonly large: Uint8Array;
  /** URLs of objects in the store: it, and an age file of it. */
  readonly given: { readonly plain: string; readonly sealed: string };
}

export interface Storm {
  /** The blows to the workers and the queue. */
  readonly faults: readonly string[];
  /** How each task ended: `right`, `wrong`, or its error. */
  readonly ends: Readonly<Record<'hash' | 'encrypt' | 'decrypt', string>>;
  /** Leftovers that should not be there. */
  readonly left: readonly string[];
}

/** Kills and restarts, random in time and in kind, while the works last. */
async function disturb(
  place: Place,
  random: () => number,
  workers: WorkerProcess[],
  start: () => Promise<WorkerProcess>,
  isOver: () => boolean,
): Promise<string[]> {
  const faults: string[] = [];
  let restarted = false;
  for (let fault = 0; fault < 5; fault++) {
    await sleep(random() * 1000);
    if (isOver()) break;
    const index = Math.floor(random() * WORKERS);
    const kind = random();
    if ((kind < 0.3 || fault === 2) && !restarted) {
      restarted = true;
      const kill = random() < 0.5;
      faults.push(`redis-server is ${kill ? 'killed' : 'stopped'} and started again`);
      await place.redis.restart({ kill, down: random() * 500 });
    } else {
      const signal = kind < 0.85 ? 'SIGKILL' : 'SIGTERM';
      faults.push(`a worker gets ${signal}`);
      await workers[index].end(signal);
      workers[index] = await start();
    }
  }
  return faults;
}

/** Jobs and locks that are in the queue when all works have ended; roots stay for a day. */
async function leftIn(redis: RedisServer, name: string): Promise<string[]> {
  const client = new Redis(redis.url);
  const keys = await client.keys(`bull:${name}:*`);
  const lists = await Promise.all(
    ['wait', 'active', 'delayed', 'waiting-children'].map(async (list) => {
      const key = `bull:${name}:${list}`;
      const entries = list === 'wait' || list === 'active' ? client.llen(key) : client.zcard(key);
      return (await entries) > 0 ? [key] : [];
    }),
  );
  client.disconnect();
  return [...keys.filter((key) => /\.\d+(:|$)|:lock$|:dependencies$/.test(key)), ...lists.flat()];
}

export async function storm(place: Place, name: string, seed: number): Promise<Storm> {
  const { redis, s3, proxy, objects, identity, recipients, workers, large } = place;
  const random = randomOf(seed);
  const url = (key: string): string => `s3://${s3.bucket}/${name}/${key}`;
  const key = (of: string): string => `${name}/${of}`;
  const content = bytesFor(name, 8 * MiB + seed);
  await s3.put(key('object'), content);
  const start = (): Promise<WorkerProcess> =>
    startWorker(redis.url, {
      name,
      threads: 2,
      lease: LEASE_MS,
      identityFile: place.identityFile,
      objects,
      allow: [`s3://${s3.bucket}/`],
      allowWrite: [url('')],
    });
  const running = await Promise.all(Array.from({ length: WORKERS }, start));
  const queue = cluster(redis.url, { name, objects: { ...objects, attempts: 12 } });
  // Connects: a caller who finds no queue in 10 seconds is told so at once, and does not wait for one.
  await queue.jobs();
  proxy.inject(stormOf(seed));
  let over = false;
  const endOf = async (work: Promise<unknown>, isRight: (result: unknown) => Promise<boolean>): Promise<string> => {
    try {
      return (await isRight(await work)) ? 'right' : 'wrong';
    } catch (error) {
      return String(error);
    }
  };
  const opened = async (of: string): Promise<Uint8Array> => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    return await decrypter.decrypt(new Uint8Array((await s3.get(key(of)))!));
  };
  const parts = { workers, partChunks: 80 };
  const works = Promise.all([
    endOf(queue.blake3(url('object'), { leafBytes: LEAF_BYTES }), (result) =>
      Promise.resolve(Buffer.compare((result as { hash: Uint8Array }).hash, blake3(content)) === 0),
    ),
    endOf(
      queue.encrypt(place.given.plain, url('large.age'), { ...parts, recipients }),
      async () => Buffer.compare(await opened('large.age'), large) === 0,
    ),
    endOf(
      queue.decrypt(place.given.sealed, url('large.plain'), { ...parts, identities: [identity] }),
      async () => Buffer.compare((await s3.get(key('large.plain')))!, large) === 0,
    ),
  ]).finally(() => {
    over = true;
  });
  const faults = await disturb(place, random, running, start, () => over);
  const [hash, encrypt, decrypt] = await works;
  proxy.inject();

  const left: string[] = [];
  // A root that failed may still clear up, though its caller has done so, too.
  for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
    await sleep(50);
    left.splice(0, Infinity, ...(await leftIn(redis, name)), ...(await s3.uploads()));
    if (left.length === 0) break;
  }
  await Promise.all(running.map((worker) => worker.end('SIGTERM')));
  for (const { child } of running) if (child.exitCode !== 0) left.push(`a worker that ended with ${child.exitCode}`);
  const keys = (await s3.keys()).filter((each) => each.startsWith(`${name}/`));
  const ends = { hash, encrypt, decrypt };
  const expected = ['object'];
  if (encrypt === 'right') expected.push('large.age');
  if (decrypt === 'right') expected.push('large.plain');
  left.push(...keys.filter((each) => !expected.includes(each.slice(name.length + 1))));
  await queue.close();
  for (const each of keys) await s3.remove(each);
  return { faults, ends, left };
}
