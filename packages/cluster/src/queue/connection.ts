/** Connections to a queue, in Redis, Valkey or PostgreSQL: BullMQ's classes over one or the other. */
import {
  createPostgresBackend,
  FlowProducer,
  Queue,
  Worker,
  type FlowJob,
  type Processor,
  type QueueBaseOptions,
  type WorkerOptions,
} from 'bullmq';
import type { QueueAddress } from './address.ts';

/** How long the first connection may take. */
const CONNECT_MS = 10_000;

/** Where a queue's data are, and how BullMQ gets there. */
interface Backend {
  readonly options: Pick<QueueBaseOptions, 'connection'>;
  readonly factory: typeof createPostgresBackend | undefined;
  connected(): boolean;
  close(): Promise<void>;
}

/** A driver is an optional peer: whoever has a queue in one store needs no driver of the other. */
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

/** A server that may remove any key loses jobs without a word. Keys that expire are leases only: whoever loses one is given another. */
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

/** What a refusal asks for, in words that name the address. */
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
  });
  let last: Error | undefined;
  client.on('error', (error: Error) => onError((last = error)));
  try {
    await within(shown, client.ping(), () => last);
    // The driver selects the database, too, but goes on in the first one if there is none of that number.
    await within(shown, client.select(client.options.db ?? 0), () => last);
    checkEviction(shown, await client.info('memory'));
    checkRole(shown, await client.info('replication'));
  } catch (error) {
    client.disconnect();
    // The driver's errors carry the command that was refused, and so the password: they are no cause either.
    const { message } = error as Error;
    throw message.includes(shown) ? error : new Error(`the queue ${shown} refuses: ${refusalOf(message)}`);
  }
  return {
    options: { connection: client },
    factory: undefined,
    connected: () => client.status === 'ready',
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
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  };
  return {
    options: { connection },
    factory: createPostgresBackend,
    connected: () => true,
    close: () => Promise.resolve(),
  };
}

/** A queue, for those who put work into it, and for workers. */
export class Connection {
  readonly name: string;
  readonly address: QueueAddress;
  readonly #backend: Backend;
  readonly queue: Queue;
  readonly #flows: FlowProducer;
  readonly #onError: (error: Error) => void;

  private constructor(address: QueueAddress, name: string, backend: Backend, onError: (error: Error) => void) {
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
    this.queue.on('error', onError);
    this.#flows.on('error', onError);
  }

  /** Connects, and throws if the queue cannot be reached. */
  static async open(address: QueueAddress, name: string, onError: (error: Error) => void): Promise<Connection> {
    const backend = await (address.kind === 'redis' ? redis(address, onError) : postgres(address));
    const connection = new Connection(address, name, backend, onError);
    try {
      let last: Error | undefined;
      connection.queue.on('error', (error) => (last = error));
      await within(address.shown, connection.queue.waitUntilReady(), () => last);
      await within(address.shown, connection.#flows.waitUntilReady(), () => last);
    } catch (error) {
      await connection.close();
      throw withoutUrl(error, address);
    }
    return connection;
  }

  get connected(): boolean {
    return this.#backend.connected();
  }

  /** Puts a root with its leaves into the queue, all or nothing. */
  async add(flow: FlowJob): Promise<void> {
    await this.#flows.add(flow);
  }

  /** A worker of this queue, which takes no job before `run`. */
  worker(processor: Processor, options: Omit<WorkerOptions, 'connection'>): Worker {
    const worker = Reflect.construct(Worker, [
      this.name,
      processor,
      { ...options, ...this.#backend.options, autorun: false },
      this.#backend.factory,
    ]) as Worker;
    worker.on('error', this.#onError);
    return worker;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.queue.close(), this.#flows.close()]);
    await this.#backend.close();
  }
}

/** Errors of drivers may name users and carry passwords, so they are no cause; the queue's address is named without. */
function withoutUrl(error: unknown, { shown }: QueueAddress): Error {
  if (error instanceof Error && error.message.includes(shown)) return error;
  const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  return new Error(`cannot reach the queue ${shown}: ${reason}`);
}
