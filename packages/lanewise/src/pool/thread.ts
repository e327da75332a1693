/** One worker of a pool, and the tasks that it has. */
import type { Port } from './spawn.ts';
import { messageOf, PROTOCOL, transferable, type Order, type Report } from './protocol.ts';
import { patiently } from '../work/abort.ts';
import { isBytes, present } from '../calls/checks.ts';
import { byteLengthOf, Bytes, copyOf, fillBytes, isShared } from '../engine/intrinsics.ts';
import type { SessionState, Task } from './session.ts';

type RunOrder = Extract<Order, { type: 'run' }>;

/** What a thread tells its pool. */
export interface Owner {
  onReady(thread: Thread): void;
  onDone(task: Task, answer: unknown): void;
  /** The worker cannot read the range of a task, or cannot write the result. */
  onUndone(task: Task): void;
  /** The task cannot be given to any worker. */
  onRefused(task: Task, error: unknown): void;
  /** The worker has ended, and will do nothing more. */
  onEnd(thread: Thread, tasks: Task[], reason: string): void;
}

/** How often a worker is looked after before it has said hello, and how often it is asked for a sign of life before it counts as ended. */
const MOST_WAITS = 5;
const MOST_UNANSWERED = 15;
/** The bytes of a task that are in memory. A buffer that was transferred or resized would make them others, in silence. */
export const bytesOf = ({ bytes, input }: Task): Uint8Array | undefined =>
  isBytes(input) ? present(input, 'source') : bytes;

export class Thread {
  readonly #owner: Owner;
  #port: Port | undefined;
  readonly #tasks = new Map<number, Task>();
  readonly #sessions = new Set<SessionState>();
  #ready = false;
  #ended = false;
  /** How often it was looked after since it said something. */
  #unanswered = 0;
  #onBye: (() => void) | undefined;
  #gone: Promise<unknown> | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** @param start - Makes the port, and may throw. */
  start(start: (onReport: (report: Report) => void, onEnd: (reason: string) => void) => Port): void {
    this.#port = start(
      (report) => this.#onReport(report),
      (reason) => this.#end(reason),
    );
    // Until it is ready, the work is done elsewhere.
    this.#port.hold(false);
  }

  /** Whether it has said hello. */
  get ready(): boolean {
    return this.#ready;
  }

  /** How many tasks it has. */
  get load(): number {
    return this.#tasks.size;
  }

  /** Keeps the process running until it is ready: there is work that waits for it. */
  await(): void {
    if (!this.#ready) this.#port!.hold(true);
  }

  /** Gives it a task. */
  give(task: Task): void {
    if (!this.#tasks.size) {
      this.#port!.hold(true);
      this.#unanswered = 0;
    }
    this.#tasks.set(task.id, task);
    try {
      if (!this.#gives(task)) {
        this.#take(task.id);
        this.#owner.onUndone(task);
      }
    } catch (error) {
      this.#take(task.id);
      this.#owner.onRefused(task, error);
    }
  }

  /** Posts a task; false if another thread must read its input. */
  #gives(task: Task): boolean {
    const { session, input } = task;
    const bytes = bytesOf(task);
    const order = { type: 'run', session: session.id, task: task.id, job: task.job } as const;
    this.#open(session);
    if (bytes === undefined && input && !isBytes(input)) {
      const { file, from, to, into } = input;
      if (!file || (into && !into.file)) return false;
      // Bun copies all bytes of a Blob that is posted. Node ends the process if another thread reads a slice of a file's Blob.
      const range =
        'Bun' in globalThis && !('fd' in file)
          ? { file: file.slice(from, to), from: 0, to: to - from, into: undefined }
          : { file, from, to, into: into?.file };
      return this.#posts({ ...order, range }, into ? undefined : session.outputFor(to - from), session);
    }
    if (bytes === undefined) this.#post(order, []);
    else if (
      !isShared(bytes) ||
      !this.#posts({ ...order, input: bytes }, session.outputFor(byteLengthOf(bytes)), session)
    ) {
      const sent = session.copyOf(bytes);
      const output = session.work.inPlace ? undefined : session.outputFor(byteLengthOf(bytes));
      this.#post(output ? { ...order, input: sent, output } : { ...order, input: sent }, transferable([sent, output]));
    }
    return true;
  }

  /** Gives it the keys of a session, unless it has them. */
  #open(session: SessionState): void {
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    session.threads.add(this);
    const { kind, parameters, secrets } = session.work;
    const copies = secrets.map((secret) => copyOf(secret));
    this.#post({ type: 'open', session: session.id, kind, parameters, secrets: copies }, transferable(copies));
  }

  /** The session has ended: the worker wipes its keys. */
  close(session: SessionState): void {
    if (!this.#sessions.delete(session)) return;
    this.#post({ type: 'close', session: session.id }, []);
  }

  /**
   * Called now and then. Asks for a sign of life while there is work, and ends the thread if there was none for several times. Times
   * are counted instead of seconds, which pass also while this thread is held up, or the machine sleeps.
   */
  check(): void {
    if (this.#ready && !this.#tasks.size) return;
    this.#unanswered++;
    if (!this.#ready) {
      if (this.#unanswered >= MOST_WAITS) this.#end('it did not say hello: does it import lanewise/worker.js?');
    } else if (this.#unanswered > MOST_UNANSWERED) this.#end('it did not answer');
    else this.#post({ type: 'ping' }, []);
  }

  /** Ends the worker after it has wiped its keys, or when it has not said so for a while. */
  async stop(): Promise<void> {
    if (this.#ready && !this.#ended) {
      this.#port!.hold(true);
      const bye = new Promise<void>((resolve) => (this.#onBye = resolve));
      this.#post({ type: 'end' }, []);
      await patiently(bye);
    }
    this.#end('it was stopped');
    if (this.#gone) await patiently(this.#gone);
  }

  /** Posts an order. An error means that the worker has ended, or that the order cannot be posted, which it throws. */
  #post(order: Order, transfer: ArrayBuffer[]): void {
    try {
      this.#send(order, transfer);
    } catch (error) {
      if ((error as Partial<Error> | undefined)?.name === 'DataCloneError') throw error;
      this.#end(messageOf(error));
    }
  }

  #send(order: Order, transfer: ArrayBuffer[]): void {
    if (!this.#ended) this.#port!.post(order, transfer);
  }

  /**
   * Posts a task whose input stays where it is, if the host can: Node cannot post Blobs of files, browsers shared memory of some pages.
   *
   * @param output - Memory for the answer, if it must have some, or some came back.
   */
  #posts(order: RunOrder, output: Uint8Array<ArrayBuffer> | undefined, session: SessionState): boolean {
    try {
      this.#send(output ? { ...order, output } : order, transferable(output));
      return true;
    } catch {
      if (output) session.giveBack(output);
      return false;
    }
  }

  #onReport(report: Report): void {
    if (this.#ended) return;
    this.#unanswered = 0;
    if (report.type === 'hello') {
      if (report.protocol !== PROTOCOL) this.#end('it imports lanewise/worker.js of another version');
      else {
        this.#ready = true;
        this.#port!.hold(this.#tasks.size > 0);
        this.#owner.onReady(this);
      }
    } else if (report.type === 'bye') this.#onBye?.();
    else if (report.type === 'failed') this.#end(report.reason);
    else if (report.type === 'progress') this.#tasks.get(report.task)?.onProgress?.(report.progress);
    else if (report.type !== 'pong') {
      const task = this.#take(report.task);
      if (!task) return;
      if (report.type === 'undone') this.#owner.onUndone(task);
      else {
        if (isBytes(report.memory) && byteLengthOf(report.memory)) task.session.giveBack(report.memory);
        // The answer is not wanted then.
        if (task.session.closed) for (const buffer of transferable(report.answer)) fillBytes(new Bytes(buffer), 0);
        this.#owner.onDone(task, report.answer);
      }
    }
  }

  /** Takes a task from it that it has done, or cannot do. */
  #take(id: number): Task | undefined {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    if (task && !this.#tasks.size) this.#port!.hold(false);
    return task;
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onBye?.();
    for (const session of this.#sessions) session.threads.delete(this);
    const tasks = [...this.#tasks.values()];
    this.#tasks.clear();
    this.#gone = this.#port?.terminate();
    this.#owner.onEnd(this, tasks, reason);
  }
}
