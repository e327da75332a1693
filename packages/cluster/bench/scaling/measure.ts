/** Measures the costs of a leaf on this machine: hashing, and a queue in a redis-server of its own with leaves of nothing. */
import { FlowProducer, Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { blake3, subtreeFrom, TreeBuilder } from 'lanewise/blake3.js';
import { startRedis } from '../../test/servers/redis.ts';
import { MIB } from './limits.ts';
import type { Costs } from './model.ts';

/** The costs, and the queue's memory for a leaf in bytes. */
export interface Measurement extends Costs {
  readonly memory: number;
}

const LEAVES = 5000;
const ROUNDS = 5;
const CONCURRENCY = 16;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Seconds of one thread for a MiB, hashed in pieces of a MiB as workers do. */
function hashCost(): number {
  const piece = new Uint8Array(MIB).fill(1);
  const pieces = 128;
  const once = (): number => {
    const hasher = blake3.create();
    const start = performance.now();
    for (let i = 0; i < pieces; i++) hasher.update(piece);
    hasher.destroy();
    return (performance.now() - start) / 1000 / pieces;
  };
  once();
  return median(Array.from({ length: ROUNDS }, once));
}

/** Seconds of processor time that the server has used, by `INFO cpu`, and the bytes of its data. */
async function stateOf(redis: Redis): Promise<{ processor: number; memory: number }> {
  const text = `${await redis.info('cpu')}${await redis.info('memory')}`;
  const field = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)![1]);
  return { processor: field('used_cpu_user') + field('used_cpu_sys'), memory: field('used_memory_dataset') };
}

/** A worker's result for a leaf: a chaining value in hexadecimal, and its position. */
const resultOf = (index: number) => ({
  offset: index * 64 * MIB,
  length: 64 * MIB,
  value: '0123456789abcdef'.repeat(4),
});

/** One flow: its leaves are added, then done by a worker that does nothing else, then fetched and merged. */
async function flowCosts(port: number, round: number): Promise<Omit<Measurement, 'hash'>> {
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const redis = new Redis(connection);
  const [leaves, roots] = [`leaves-${round}`, `roots-${round}`];
  const flow = new FlowProducer({ connection });
  const events = new QueueEvents(roots, { connection });
  const queue = new Queue(roots, { connection });
  await events.waitUntilReady();

  const before = await stateOf(redis);
  let start = performance.now();
  const { job } = await flow.add({
    name: 'root',
    queueName: roots,
    children: Array.from({ length: LEAVES }, (_, index) => ({
      name: 'leaf',
      queueName: leaves,
      data: { source: 's3://a-bucket-with-a-name/a/key/of/usual/length.tar', etag: '"0123456789abcdef-640"', index },
      opts: { attempts: 5, backoff: { type: 'exponential', delay: 1000 }, failParentOnFailure: true },
    })),
  });
  const add = (performance.now() - start) / 1000 / LEAVES;
  const added = await stateOf(redis);

  const worker = new Worker<{ index: number }>(leaves, ({ data }) => Promise.resolve(resultOf(data.index)), {
    connection,
    concurrency: CONCURRENCY,
  });
  let merge = 0;
  const merger = new Worker(
    roots,
    async (root) => {
      start = performance.now();
      const results = Object.values(await root.getChildrenValues<ReturnType<typeof resultOf>>());
      results.sort((a, b) => a.offset - b.offset);
      const tree = new TreeBuilder();
      for (const { value, offset, length } of results)
        tree.add(subtreeFrom({ chainingValue: new Uint8Array(Buffer.from(value, 'hex')), offset, length }));
      tree.digest();
      merge = (performance.now() - start) / 1000 / LEAVES;
    },
    { connection },
  );
  await job.waitUntilFinished(events);
  const done = await stateOf(redis);
  for (const each of [worker, merger, events, queue, flow]) await each.close();
  await redis.quit();
  return {
    add,
    serve: (done.processor - added.processor) / LEAVES,
    merge,
    memory: (added.memory - before.memory) / LEAVES,
  };
}

/** Medians of some rounds. */
export async function measure(): Promise<Measurement> {
  const hash = hashCost();
  const server = await startRedis({ durable: false });
  try {
    const rounds: Omit<Measurement, 'hash'>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await flowCosts(server.port, round));
    const of = (name: 'add' | 'serve' | 'merge' | 'memory'): number => median(rounds.map((each) => each[name]));
    return { hash, add: of('add'), serve: of('serve'), merge: of('merge'), memory: Math.round(of('memory')) };
  } finally {
    await server.stop();
  }
}
