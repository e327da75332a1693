/** Connections to a queue, in Redis, Valkey or PostgreSQL: BullMQ's classes over one or the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FlowProducer,
  Queue,
  Worker,
  type FlowJob,
  type Job,
  type Processor,
  type QueueBaseOptions,
  type WorkerOptions,
} from 'bullmq';
import type { Leaves } from '../jobs/kind.ts';
import { DAY_S, leafOptions, OLD_AT_ONCE } from '../jobs/options.ts';
import { indexOf, leafId } from '../jobs/window.ts';
import type { QueueAddress } from './address.ts';
import { createRepeatingBackend } from './give-way.ts';
import { isLost } from './lost.ts';
import { Pulse } from './pulse.ts';

/** How long the first connection may take. */
const CONNECT_MS = 10_000;

/** How long a server may be busy with itself then, and how often it is asked. */
const [BUSY_MS, BUSY_PAUSE_MS] = [60_000, 250];

/** Where a queue's data are, and how BullMQ gets there. */
interface Backend {
  readonly options: Pick<QueueBaseOptions, 'connection'>;
  readonly factory: typeof createRepeatingBackend | undefined;
  /** Whether the driver has its connection, where it knows that: PostgreSQL's has a pool, whose clients come and go. */
  readonly connected: (() => boolean) | undefined;
  /** Whether it is alive is asked by this, where BullMQ's own question will not do. */
  readonly ping: (() => Promise<unknown>) | undefined;
  /** Gives a connection up whose packets go nowhere, and makes another one. */
  reconnect(): void;
  close(): Promise<void>;
}

/** How soon the system asks a silent peer whether it is there. */
const KEEP_ALIVE_MS = 10_000;

/** How long PostgreSQL may take to answer. */
const QUERY_MS = 30_000;

/** How often a caller's connection is asked whether it is alive; a worker's as its lease demands. */
const PULSE_MS = 5000;

/** How often a queue that was lost is asked whether it is there again. */
const LOST_MS = 1000;

/** How long, and how often, a worker tries to remove an unreadable job. */
const [UNREADABLE_MS, UNREADABLE_PAUSE_MS] = [60_000, 200];

/** The most leaves of a task that are removed: many more than wait. */
const MOST_REMOVED = 1000;

/** Clients of PostgreSQL for each of BullMQ's objects. */
const POOL = 4;

/** A driver is an optional peer: a program with a queue in one store needs no driver of the other. */
async function driver<Module>(load: () => Promise<Module>, name: string, protocol: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`"queue" with ${protocol}:// needs the package ${name}: npm install ${name}`, { cause: error });
  }
}

const within = async (shown: string, ready: Promise<unknown>, lastError: () => Error | undefined): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = lastError();
      const because = reason ? `: ${(reason as NodeJS.ErrnoException).code ?? reason.message}` : '';
      reject(new Error(`cannot reach the queue ${shown} in ${CONNECT_MS / 1000} s${because}`));
    }, CONNECT_MS);
  });
  try {
    await Promise.race([ready, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** A server that is busy with itself is asked again. */
async function unlessBusy(connect: () => Promise<void>): Promise<void> {
  for (const deadline = performance.now() + BUSY_MS; ;) {
    try {
      await connect();
      return;
    } catch (error) {
      if (!isLost(error) || performance.now() > deadline) throw error;
    }
    await sleep(BUSY_PAUSE_MS);
  }
}

/** A server that may remove any key loses jobs without a word. Keys that expire are leases only: a worker that loses one gets another. */
function checkEviction(shown: string, info: string): void {
  const [, policy] = /^maxmemory_policy:(allkeys-[a-z-]+)/m.exec(info) ?? [];
  if (policy !== undefined)
    throw new Error(
      `the queue ${shown} may lose jobs, because its maxmemory-policy is ${policy}: set it to noeviction (CONFIG SET maxmemory-policy noeviction)`,
    );
}

/** A replica has the queue, and takes no job of it: workers would ask it again and again. */
function checkRole(shown: string, info: string): void {
  if (/^role:(?:slave|replica)/m.test(info))
    throw new Error(`the queue ${shown} is a read-only replica: workers and callers need the address of its master`);
}

/** The advice of a refusal, in words that name the address. */
function refusalOf(message: string): string {
  if (message.startsWith('NOAUTH')) return 'it wants a password: redis://:PASSWORD@HOST (NOAUTH)';
  if (/^(WRONGPASS|ERR invalid password)/.test(message)) return 'the user or the password is wrong (WRONGPASS)';
  if (/^Unknown RESP type|^Protocol error/i.test(message)) return 'what answers there is no Redis';
  return message;
}

async function redis({ url, shown }: QueueAddress, onError: (error: Error) => void): Promise<Backend> {
  const { Redis } = await driver(() => import('ioredis'), 'ioredis', 'redis');
  const client = new Redis(url, {
    // As BullMQ wants it: a command waits until the server is there again.
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 6), 2000),
    // A master that became a replica: the name may lead to another one by now, and commands are not repeated without a pause.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    connectionName: 'lanewise',
    keepAlive: KEEP_ALIVE_MS,
  });
  let last: Error | undefined;
  client.on('error', (error: Error) => onError((last = error)));
  try {
    await unlessBusy(async () => {
      await within(shown, client.ping(), () => last);
      // The driver selects the database, too, but goes on in the first one if there is none of that number.
      await within(shown, client.select(client.options.db ?? 0), () => last);
      checkEviction(shown, await client.info('memory'));
      checkRole(shown, await client.info('replication'));
    });
  } catch (error) {
    client.disconnect();
    // The driver's errors carry the command that was refused, and so the password: they aren't the cause either.
    const { message } = error as Error;
    throw message.includes(shown) ? error : new Error(`the queue ${shown} refuses: ${refusalOf(message)}`);
  }
  return {
    options: { connection: client },
    factory: undefined,
    connected: () => client.status === 'ready',
    ping: () => client.ping(),
    // A request without an answer is sent again.
    reconnect: () => client.disconnect(true),
    close() {
      client.disconnect();
      return Promise.resolve();
    },
  };
}

async function postgres({ url }: QueueAddress): Promise<Backend> {
  await driver(() => import('pg'), 'pg', 'postgres');
  // Makes BullMQ's tables, if they are not there. An idle client keeps no program alive.
  const connection = {
    connectionString: url,
    migrate: true,
    max: POOL,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    query_timeout: QUERY_MS,
  };
  return {
    options: { connection },
    factory: createRepeatingBackend,
    connected: undefined,
    ping: undefined,
    // Its pool gives up a client whose answer is late.
    reconnect: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** Whether a job is in the queue, but not as BullMQ writes jobs: not even JSON, or with `null` for its options. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || (error as Error).message.startsWith('WRONGTYPE');

/** How a connection is watched. */
export interface Watch {
  readonly onError: (error: Error) => void;
  /** How often it is asked whether it is alive, in milliseconds. */
  readonly pulse?: number;
}

/** A queue, for those who put work into it, and for workers. */
export class Connection {
  readonly name: string;
  readonly address: QueueAddress;
  readonly #backend: Backend;
  readonly queue: Queue;
  readonly #flows: FlowProducer;
  readonly #onError: (error: Error) => void;
  readonly #pulse: Pulse;
  #watching: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(address: QueueAddress, name: string, backend: Backend, { onError, pulse }: Required<Watch>) {
    this.name = name;
    this.address = address;
    this.#backend = backend;
    this.#onError = onError;
    // BullMQ's types know one backend at a time.
    this.queue = Reflect.construct(Queue, [
      name,
      { ...backend.options, skipMetasUpdate: false },
      backend.factory,
    ]) as Queue;
    this.#flows = Reflect.construct(FlowProducer, [backend.options, backend.factory]) as FlowProducer;
    // Lost connections come back by themselves; without a listener they would end the process.
    this.queue.on('error', (error) => this.#failed(error));
    this.#flows.on('error', (error) => this.#failed(error));
    const ask = backend.ping ?? (() => this.queue.isPaused());
    this.#pulse = new Pulse(pulse, ask, () => backend.reconnect());
  }

  /** Connects, and throws if the queue cannot be reached. */
  static async open(address: QueueAddress, name: string, { onError, pulse = PULSE_MS }: Watch): Promise<Connection> {
    const backend = await (address.kind === 'redis' ? redis(address, onError) : postgres(address));
    const connection = new Connection(address, name, backend, { onError, pulse });
    await connection.#ready(connection.queue, connection.#flows);
    return connection;
  }

  /** Waits until BullMQ's objects are connected. */
  async #ready(...all: readonly (Queue | FlowProducer | Worker)[]): Promise<void> {
    let last: Error | undefined;
    this.queue.on('error', (error) => (last = error));
    try {
      for (const each of all) await within(this.address.shown, each.waitUntilReady(), () => last);
    } catch (error) {
      await this.close();
      throw withoutUrl(error, this.address);
    }
  }

  get connected(): boolean {
    return !this.#pulse.late && (this.#backend.connected?.() ?? this.#watching === undefined);
  }

  /** Seconds since the queue last answered. */
  get silence(): number {
    return this.#pulse.seconds;
  }

  /** An error of a queue: if it is out of reach, it is asked until it answers. */
  #failed(error: Error): void {
    this.#onError(error);
    if (this.#backend.connected !== undefined || !isLost(error) || this.#closed) return;
    this.#watching ??= setInterval(() => void this.#ask(), LOST_MS).unref();
  }

  async #ask(): Promise<void> {
    try {
      await this.queue.isPaused();
    } catch {
      return;
    }
    clearInterval(this.#watching);
    this.#watching = undefined;
  }

  /** A job, or undefined if there is none, or none that can be read. */
  async job(id: string): Promise<Job | undefined> {
    try {
      return (await this.queue.getJob(id)) as Job | undefined;
    } catch (error) {
      if (isUnreadable(error)) return undefined;
      throw error;
    }
  }

  /**
   * Removes the waiting leaves of a task. When none is left that runs, its root is run. Each is removed by a command of its own, from
   * the last to the first, as workers take them from the other end: one command for all would hold up Redis, and in PostgreSQL BullMQ's
   * leaves a root that waits for nothing any more waiting. Where there are more than this version's callers leave, they were put into
   * one list by an older one's, which each removal would search: workers drop them when they take them.
   */
  async removeWaiting(root: Job): Promise<void> {
    const { unprocessed: count = 0 } = await root.getDependenciesCount({ unprocessed: true });
    if (count === 0 || count > MOST_REMOVED) return;
    const { unprocessed = [] } = await root.getDependencies({ unprocessed: { cursor: 0, count: MOST_REMOVED } });
    const leaves = unprocessed
      .map((key) => indexOf(root.id!, key.slice(key.lastIndexOf(':') + 1)))
      .filter((index) => index !== undefined)
      .sort((a, b) => a - b);
    const remover = async (): Promise<void> => {
      // A leaf that runs is locked, and stays.
      for (let index; (index = leaves.pop()) !== undefined;) await this.queue.remove(leafId(root.id!, index));
    };
    await Promise.all(Array.from({ length: POOL }, remover));
  }

  /** Puts another leaf of a root that is in the queue there, unless it is. */
  async addLeaf(root: Job, { name, at }: Leaves, index: number): Promise<void> {
    const parent = { id: root.id!, queue: this.queue.qualifiedName };
    await this.queue.add(name, at(index), { ...leafOptions, jobId: leafId(root.id!, index), parent });
  }

  /** Removes works that ended more than a day ago, some at a time. */
  async removeOld(): Promise<void> {
    for (const state of ['completed', 'failed'] as const)
      while (!this.#closed && (await this.queue.clean(DAY_S * 1000, OLD_AT_ONCE, state)).length === OLD_AT_ONCE);
  }

  /** Puts a root with its leaves into the queue, all or nothing. */
  async add(flow: FlowJob): Promise<void> {
    try {
      await this.#flows.add(flow);
    } catch (error) {
      // Redis does not say why it takes no transaction, but its answers to the commands do: its memory may be used up.
      const [reason] = (error as { previousErrors?: readonly Error[] }).previousErrors ?? [];
      if (isLost(reason ?? error)) throw reason;
      throw reason ? new Error(`the queue ${this.address.shown} refuses: ${reason.message}`) : error;
    }
  }

  /**
   * Removes a job that was lost if it cannot be read, and says whether it did: workers would take it again and again, and none could even say that it failed.
   * One that has just been taken again is locked, until its lease has run out.
   */
  async removeUnreadable(id: string): Promise<boolean> {
    for (const deadline = performance.now() + UNREADABLE_MS; !this.#closed && performance.now() < deadline;) {
      try {
        await this.queue.getJob(id);
        return false;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
      if ((await this.queue.remove(id, { removeChildren: false })) === 1) return true;
      await sleep(UNREADABLE_PAUSE_MS, undefined, { ref: false });
    }
    return false;
  }

  /** A worker of this queue, which takes no job before `run`. It must not run before it is {@link connect}ed. */
  worker(processor: Processor, options: Omit<WorkerOptions, 'connection'>): Worker {
    const worker = Reflect.construct(Worker, [
      this.name,
      processor,
      { ...options, ...this.#backend.options, autorun: false },
      this.#backend.factory,
    ]) as Worker;
    worker.on('error', (error) => this.#failed(error));
    return worker;
  }

  /** Waits until a worker is connected. BullMQ keeps the failure of its first connection to PostgreSQL for good. */
  async connect(worker: Worker): Promise<void> {
    try {
      await this.#ready(worker);
    } catch (error) {
      await worker.close(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watching);
    this.#pulse.stop();
    await Promise.allSettled([this.queue.close(), this.#flows.close()]);
    await this.#backend.close();
  }
}

/** Errors of drivers may name users and carry passwords, so they aren't the cause; the queue's address is named without. */
function withoutUrl(error: unknown, { shown }: QueueAddress): Error {
  if (error instanceof Error && error.message.includes(shown)) return error;
  const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  return new Error(`cannot reach the queue ${shown}: ${reason}`);
}
