/** The threads of a worker, each with one task at a time. */
import { MessageChannel, Worker } from 'node:worker_threads';
import { errorOf } from '../jobs/errors.ts';
import { serveProvider } from '../objects/provided.ts';
import type { SentSettings, ThreadSettings } from './settings.ts';
import type { FromThread, Task, ToThread } from './thread.ts';

/** Beside this file in the sources, and beside the only file in the package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url);

/** Threads inherit Node's options, and none starts with that of a program that is typed (`node --input-type=module -e …`). */
const forTyped = process.execArgv.some((option) => option.startsWith('--input-type')) ? { execArgv: [] } : {};

/** How long a thread may take to end a task that is aborted. */
const ABORT_MS = 5000;

export class Threads {
  readonly #settings: ThreadSettings;
  readonly #free: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #notices = new Set<string>();
  readonly #onNotice: (notice: string) => void;
  #closed = false;

  /** @param onNotice - Called with each notice of a thread, the first time. */
  constructor(settings: ThreadSettings, onNotice: (notice: string) => void) {
    this.#settings = settings;
    this.#onNotice = onNotice;
  }

  /** Starts threads, so that the first tasks need not wait for them. */
  start(count: number): void {
    while (this.#all.size < count) this.#free.push(this.#make());
  }

  /** How many tasks run now. */
  get busy(): number {
    return this.#all.size - this.#free.length;
  }

  /** Runs a task in a free thread, or in a new one. */
  async run(task: Task, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed) throw new Error('the worker is stopped');
    const thread = this.#free.pop() ?? this.#make();
    thread.ref();
    return await new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (settle: () => void, usable: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        thread.off('message', answered).off('error', broken).off('exit', exited);
        thread.unref();
        if (usable && !this.#closed) this.#free.push(thread);
        else this.#end(thread);
        settle();
      };
      const answered = (answer: FromThread): void => {
        if (!('notice' in answer))
          end(() => ('error' in answer ? reject(errorOf(answer.error)) : resolve(answer.result)), true);
      };
      // A thread that ran out of memory, or was ended: the task may go better elsewhere.
      const broken = (error: Error): void => end(() => reject(new Error(`a thread failed: ${error.message}`)), false);
      const exited = (code: number): void => end(() => reject(new Error(`a thread ended with code ${code}`)), false);
      const abort = (): void => {
        thread.postMessage({ abort: true } satisfies ToThread);
        timer = setTimeout(() => end(() => reject(new Error('the job was handed back')), false), ABORT_MS);
      };
      thread.on('message', answered).on('error', broken).on('exit', exited);
      signal?.addEventListener('abort', abort, { once: true });
      thread.postMessage({ task } satisfies ToThread);
    });
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((thread) => thread.terminate()));
    this.#all.clear();
    this.#free.length = 0;
  }

  #make(): Worker {
    const { credentials, ...objects } = this.#settings.objects;
    const channel = credentials && new MessageChannel();
    if (channel) serveProvider(credentials, channel.port1);
    const workerData: SentSettings = { ...this.#settings, objects, credentials: channel?.port2 };
    const transferList = channel ? [channel.port2] : [];
    const thread = new Worker(THREAD, { ...forTyped, workerData, transferList, name: 'lanewise' });
    thread.once('exit', () => channel?.port1.close());
    this.#all.add(thread);
    // Without a task, it neither keeps the process alive nor brings it down.
    thread.unref();
    thread.on('error', () => this.#end(thread));
    thread.on('message', (message: FromThread) => 'notice' in message && this.#noticed(message.notice));
    return thread;
  }

  /** Threads say the same, each for itself. */
  #noticed(notice: string): void {
    if (this.#notices.has(notice)) return;
    this.#notices.add(notice);
    this.#onNotice(notice);
  }

  #end(thread: Worker): void {
    this.#all.delete(thread);
    const index = this.#free.indexOf(thread);
    if (index >= 0) this.#free.splice(index, 1);
    thread.terminate().catch(() => undefined);
  }
}
