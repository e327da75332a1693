/** Workers of all hosts, behind one interface. */
import { builtin, isNode } from '../io/node.ts';
import { contentsOf, messageOf, type Order, type Report } from './protocol.ts';
import { typeOf } from '../calls/checks.ts';
import { hosted } from '../engine/intrinsics.ts';

/** As far as they are used, a MessageEvent and an ErrorEvent, which the types of Node lack. */
interface EventOfWorker {
  readonly data?: unknown;
  readonly message?: string;
  readonly error?: unknown;
}
/** As far as it is used, a `Worker` of a browser, Bun or Deno. */
interface EventWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  addEventListener(type: string, listener: (event: EventOfWorker) => void): void;
  terminate(): unknown;
  ref?(): void;
  unref?(): void;
}
/** As far as it is used, a `Worker` of `node:worker_threads`. */
interface NodeWorker {
  postMessage(message: unknown, transfer: readonly ArrayBuffer[]): void;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- listeners differ by event
  on(event: string, listener: (value: any) => void): unknown;
  terminate(): unknown;
  ref(): void;
  unref(): void;
}

/** A worker: that of browsers, of Bun and Deno, or of `node:worker_threads`. */
export type WorkerLike = EventWorker | NodeWorker;

/** A worker that was started, and may not have loaded yet. */
export interface Port {
  post(order: Order, transfer: ArrayBuffer[]): void;
  /** Whether it keeps the process running. */
  hold(held: boolean): void;
  /** @returns A promise that is settled when it has ended, where the host tells. */
  terminate(): Promise<unknown>;
}

/** Starts the worker of the library. */
export type Spawn = () => WorkerLike;

interface WorkerThreads {
  readonly Worker: new (url: URL, options: object) => NodeWorker;
}
const HostWorker = /* @__PURE__ */ hosted<new (url: URL, options: object) => EventWorker>('Worker');

/** Why the host has no workers; undefined if it has. */
export function refusal(): string | undefined {
  if (HostWorker() || builtin('node:worker_threads')) return undefined;
  return isNode() ? 'workers need Node 20.16, 22.3 or later' : 'the host has no Worker';
}

/**
 * The URL of a file whose name bundlers do not know here: the URL of one that they know makes them copy the file as it is,
 * without what it imports. The comment keeps webpack from looking for all files that may be meant.
 */
const beside = (file: string): URL => new URL(/* webpackIgnore: true */ file, import.meta.url);

/** Starts the worker of the library. Bundlers find its file by the expression with `new Worker`. */
export function spawnDefault(): WorkerLike {
  if (HostWorker()) return new Worker(new URL('../worker.ts', import.meta.url), { type: 'module' });
  const { Worker: Thread } = builtin('node:worker_threads') as WorkerThreads;
  return new Thread(beside('../worker.ts'), { name: 'lanewise' });
}

/** The number of threads that a pool has unless it is told: in browsers one core is left to the page. */
export function defaultCount(): number {
  const system = builtin('node:os') as { availableParallelism?(): number } | undefined;
  const cores =
    system?.availableParallelism?.() ??
    hosted<{ hardwareConcurrency?: number }>('navigator')()?.hardwareConcurrency ??
    1;
  return Math.max(1, hosted('document')() ? cores - 1 : cores);
}

/** Workers that pools have. */
const known = /* @__PURE__ */ new WeakSet<object>();

/**
 * Listens to a worker.
 *
 * @param onEnd - Called when it has ended, or could not start: with the reason. It may be called again.
 */
export function portOf(worker: WorkerLike, onReport: (report: Report) => void, onEnd: (reason: string) => void): Port {
  const given = worker as Partial<EventWorker & NodeWorker> | undefined;
  const take = (data: unknown): void => {
    const report = contentsOf<Report>(data);
    if (report) onReport(report);
  };
  const isWorker =
    typeof given?.postMessage === 'function' &&
    typeof given.terminate === 'function' &&
    typeof (given.on ?? given.addEventListener) === 'function';
  if (!isWorker)
    throw new TypeError(`"spawn" expected function that gives a Worker, got one that gives ${typeOf(worker)}`);
  if (known.has(given))
    throw new Error('"spawn" expected function that gives a new Worker each time, got one that gives the same again');
  known.add(given);
  if (typeof given.on === 'function') {
    given.on('message', take);
    given.on('messageerror', () => onEnd('a message could not be read'));
    given.on('error', (error: unknown) => onEnd(messageOf(error)));
    given.on('exit', (code: number) => onEnd(`it ended with exit code ${code}`));
  } else {
    given.addEventListener!('message', ({ data }) => take(data));
    given.addEventListener!('messageerror', () => onEnd('a message could not be read'));
    given.addEventListener!('error', (event) => {
      // The error is told to the caller of the pool; Node-like hosts would end the process for it, too.
      (event as Partial<Event>).preventDefault?.();
      onEnd(event.message || 'its file is not there, or a policy of the page forbids it');
    });
    // Bun and Deno tell when a worker has ended; browsers do not.
    given.addEventListener!('close', () => onEnd('it ended'));
  }
  return {
    post: (order, transfer) => given.postMessage!({ lanewise: order }, transfer),
    hold: (held) => (held ? given.ref?.() : given.unref?.()),
    terminate: () => Promise.resolve(given.terminate!()),
  };
}
