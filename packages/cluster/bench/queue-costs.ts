/**
 * The costs of the queue, measured with real workers, a redis-server and a file of 1 GiB on this machine.
 * Everything that is compared is run in turns, and given as the median of the ratios of neighbours.
 */
import { spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { cluster, type Cluster, type HashOptions } from '../src/index.ts';
import { temporaryFolder } from '../test/servers/process.ts';
import { startRedis, type RedisServer } from '../test/servers/redis.ts';
import { startWorker, type WorkerProcess } from '../test/workers/start.ts';
import type { FiguresCommand, Part } from './arguments.ts';

const LEAVES = 10_000;
const LEASE_S = 30;
const COMMAND = join(import.meta.dirname, '../../cli/dist/main.js');

const folder = temporaryFolder();
const data = join(folder.path, 'data');
const nothing = join(folder.path, 'nothing');

/** Fills a file with random bytes. */
function fill(path: string, size: number): void {
  const file = openSync(path, 'w');
  const block = new Uint8Array(Math.min(size, 2 ** 24));
  for (let at = 0; at < size; at += block.length)
    writeSync(file, randomFillSync(block), 0, Math.min(block.length, size - at));
  closeSync(file);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const spread = (numbers: readonly number[]): string =>
  `${Math.min(...numbers).toFixed(2)} to ${Math.max(...numbers).toFixed(2)}`;

const row = (what: string, figure: string, least: string): void =>
  console.log(`| ${what.padEnd(68)} | ${figure.padEnd(34)} | ${least.padEnd(22)} |`);

let asked = 0;
/** Seconds of a hash through the queue, from an unconnected start. Each asks for another part of the output, so that none is answered from before. */
async function seconds(queue: string, path: string, options: HashOptions = {}): Promise<number> {
  const begun = performance.now();
  const client = cluster(queue);
  await client.blake3(pathToFileURL(path).href, { ...options, seek: asked++ });
  const ended = performance.now();
  await client.close();
  return (ended - begun) / 1000;
}

function secondsOfCommand(): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'hash', data], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`lanewise hash failed; npm run build builds it:\n${stderr}`);
  return (performance.now() - begun) / 1000;
}

const worker = async (queue: string): Promise<WorkerProcess> =>
  await startWorker(queue, { allow: [pathToFileURL(`${folder.path}/`).href], threads: 1 });

/** One worker and two, in turns: the second is there for the whole time and stopped while it is not wanted. */
async function speed({ url }: RedisServer, { rounds, mebibytes }: FiguresCommand): Promise<void> {
  const [first, second] = [await worker(url), await worker(url)];
  await seconds(url, data); // reads the file once, and compiles
  const turns = { one: [] as number[], two: [] as number[], command: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    turns.two.push(await seconds(url, data));
    await second.end('SIGTERM');
    turns.one.push(await seconds(url, data));
    turns.command.push(secondsOfCommand());
    Object.assign(second, await worker(url));
    await seconds(url, nothing, { leafBytes: 2 ** 20 });
    await seconds(url, data);
  }
  const scaled = turns.two.map((two, round) => turns.one[round] / two);
  const cost = turns.two.map((two, round) => turns.command[round] / two);
  const named = `${mebibytes} MiB`;
  row(`${named}, 2 workers of one thread each ÷ 1 worker`, `${median(scaled).toFixed(2)} (${spread(scaled)})`, '1.7');
  row('the same ÷ `lanewise hash` of the file on both cores', `${median(cost).toFixed(2)} (${spread(cost)})`, '0.7');
  const times = Object.values(turns).map((each) => median(each).toFixed(2));
  row('seconds: 1 worker, 2 workers, the command', times.join(', '), '');
  await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')]);
}

async function memory(redis: Redis, field: string): Promise<number> {
  const found = new RegExp(`^${field}:(\\d+)`, 'm').exec(await redis.info('memory'));
  return Number(found![1]);
}

async function overhead({ url }: RedisServer): Promise<void> {
  const redis = new Redis(url);
  const client = cluster(url);
  const before = await memory(redis, 'used_memory');
  const begun = performance.now();
  const id = await submitNothing(client);
  const added = performance.now() - begun;
  const queued = await memory(redis, 'used_memory');
  const workers = [await worker(url), await worker(url)];
  const times: number[] = [];
  const started = performance.now();
  await client.wait(id);
  times.push((performance.now() - started + added) / LEAVES);
  for (let round = 1; round < 3; round++) {
    const from = performance.now();
    await client.wait(await submitNothing(client));
    times.push((performance.now() - from) / LEAVES);
  }
  const after = await memory(redis, 'used_memory');
  const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  row(
    '10,000 leaves of 1 KiB: milliseconds a leaf, 2 workers',
    `${median(times).toFixed(2)} (${spread(times)})`,
    'at most 1',
  );
  row('putting a work of 10,000 leaves into the queue: seconds', (added / 1000).toFixed(3), 'reported');
  row(
    'memory of Redis for them, MiB: before, queued, 3 results later',
    `${mib(before)}, ${mib(queued)}, ${mib(after)}`,
    'reported',
  );
  await Promise.all(workers.map((each) => each.end('SIGTERM')));
  await client.close();
  redis.disconnect();
}

async function killed({ url }: RedisServer): Promise<void> {
  const [first, second] = [await worker(url), await worker(url)];
  await seconds(url, data);
  const usual = await seconds(url, data);
  const client = cluster(url);
  const begun = performance.now();
  let half: number | undefined;
  await client.blake3(pathToFileURL(data).href, {
    seek: asked++,
    onProgress({ done, total }) {
      if (half !== undefined || done < total / 2) return;
      half = performance.now();
      second.child.kill('SIGKILL');
    },
  });
  const extra = (performance.now() - begun) / 1000 - usual;
  row('a worker killed halfway: extra seconds', extra.toFixed(1), `at most ${LEASE_S} and a leaf`);
  await client.close();
  await Promise.all([first.end('SIGTERM'), second.end('SIGKILL')]);
}

const submitNothing = async (client: Cluster): Promise<string> =>
  await client.submit({
    kind: 'blake3',
    source: pathToFileURL(nothing).href,
    options: { leafBytes: 1024, seek: asked++ },
  });

/** An object of a byte that is asked for after three works of 10,000 leaves. */
async function turns({ url }: RedisServer): Promise<void> {
  const client = cluster(url);
  const small = join(folder.path, 'small');
  fill(small, 1);
  const workers = [await worker(url), await worker(url)];
  const waited: number[] = [];
  for (let round = 0; round < 3; round++) {
    const ids = [await submitNothing(client), await submitNothing(client), await submitNothing(client)];
    waited.push(1000 * (await seconds(url, small)));
    await Promise.all(ids.map((id) => client.cancel(id)));
  }
  row(
    'a byte, asked for after three works of 10,000 leaves: milliseconds',
    `${median(waited).toFixed(0)} (${spread(waited)})`,
    'reported',
  );
  await Promise.all(workers.map((each) => each.end('SIGTERM')));
  await client.close();
}

const WAITING = 100_000;

/** How long one command keeps Redis from others while a task is cancelled, or fails, and many leaves wait. */
async function ended({ url }: RedisServer): Promise<void> {
  const name = 'ended';
  const redis = new Redis(url);
  const client = cluster(url, { name });
  const before = await memory(redis, 'used_memory');
  const ids: string[] = [];
  while ((await redis.zcard(`bull:${name}:prioritized`)) < WAITING) ids.push(await submitNothing(client));
  const queued = await memory(redis, 'used_memory');
  await redis.config('SET', 'slowlog-log-slower-than', '0');
  await redis.config('SET', 'slowlog-max-len', '100000');
  const longest = async (act: () => Promise<unknown>): Promise<string> => {
    await redis.slowlog('RESET');
    await act();
    const entries = (await redis.slowlog('GET', '100000')) as [number, number, number, string[]][];
    const own = entries.filter(([, , , words]) => words.join().includes(`bull:${name}`));
    return (Math.max(...own.map(([, , microseconds]) => microseconds)) / 1000).toFixed(2);
  };
  const cancelled = await longest(() => client.cancel(ids[ids.length >> 1]));
  const allow = [pathToFileURL(`${folder.path}/none/`).href];
  let refusing: WorkerProcess | undefined;
  const failed = await longest(async () => {
    refusing = await startWorker(url, { name, allow, threads: 1 });
    await client.wait(ids[0]).catch(() => undefined);
  });
  row('longest command while a work is cancelled, 100,000 leaves: milliseconds', cancelled, 'at most 50');
  row('longest command while a work fails, 100,000 leaves: milliseconds', failed, 'at most 50');
  row(`memory of Redis for ${ids.length} works that wait, MiB`, ((queued - before) / 2 ** 20).toFixed(1), 'reported');
  await refusing?.end('SIGKILL');
  await client.close();
  redis.disconnect();
}

const MEASURES: Readonly<Record<Part, (redis: RedisServer, command: FiguresCommand) => Promise<void>>> = {
  speed,
  overhead,
  killed,
  turns,
  ended,
};

/** Measures and prints a table. */
export async function measureQueueCosts(command: FiguresCommand): Promise<void> {
  const redis = await startRedis();
  try {
    console.log(`${cpus()[0].model}, ${cpus().length} cores, load average ${loadavg()[0].toFixed(1)} before\n`);
    fill(data, command.mebibytes * 2 ** 20);
    fill(nothing, LEAVES * 1024);
    row('what', 'measured (least to most)', 'wanted');
    row('---', '---', '---');
    for (const part of command.parts) await MEASURES[part](redis, command);
  } finally {
    await redis.stop();
    folder.remove();
  }
}
