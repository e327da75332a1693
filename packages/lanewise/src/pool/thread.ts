/** One worker of a pool, and the tasks that it has. */
import type { Port } from './spawn.ts';
import { PROTOCOL, transferable, type Order, type Report } from './protocol.ts';
import type { Input } from '../calls/threads.ts';
import { byteLengthOf, copyOf, isShared } from '../engine/intrinsics.ts';
import type { SessionState } from './session.ts';

/** A job of a session, until its answer is there. */
export interface Task {
  readonly id: number;
  readonly session: SessionState;
  readonly job: unknown;
  readonly input: Input | undefined;
  /** The bytes of a range that no worker could read. */
  bytes: Uint8Array | undefined;
  /** How many workers have ended while they had it. */
  failures: number;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** What a thread tells its pool. */
export interface Owner {
  onReady(thread: Thread): void;
  onDone(task: Task, answer: unknown): void;
  onUnread(task: Task): void;
  /** The worker has ended, and will do nothing more. */
  onEnd(thread: Thread, tasks: Task[], reason: string): void;
}

/** A worker that says nothing for so long has ended: browsers do not tell. */
const SILENCE_MS = 10_000;

export class Thread {
  readonly #owner: Owner;
  #port: Port | undefined;
  readonly #tasks = new Map<number, Task>();
  readonly #sessions = new Set<SessionState>();
  #ready = false;
  #ended = false;
  #heard = Date.now();
  #onBye: (() => void) | undefined;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** @param start - Makes the port, and may throw. */
  start(start: (onReport: (report: Report) => void, onEnd: (reason: string) => void) => Port): void {
    this.#port = start(
      (report) => this.#onReport(report),
      (reason) => this.#end(reason),
    );
  }

  /** Whether it has said hello. */
  get ready(): boolean {
    return this.#ready;
  }

  /** How many tasks it has. */
  get load(): number {
    return this.#tasks.size;
  }

  /** Gives it a task. */
  give(task: Task): void {
    const { session } = task;
    if (!this.#sessions.has(session)) {
      this.#sessions.add(session);
      session.threads.add(this);
      const { kind, parameters, secrets } = session.work;
      const copies = secrets.map((secret) => copyOf(secret));
      this.#post({ type: 'open', session: session.id, kind, parameters, secrets: copies }, transferable(copies));
    }
    if (!this.#tasks.size) this.#port!.hold(true);
    this.#heard = Date.now();
    this.#tasks.set(task.id, task);
    const order = { type: 'run', session: session.id, task: task.id, job: task.job } as const;
    const { input, bytes = input } = task;
    if (bytes === undefined) this.#post(order, []);
    else if (!(bytes instanceof Uint8Array)) {
      const { file, from, to } = bytes;
      try {
        this.#post({ ...order, range: { file: file!, from, to } }, []);
      } catch {
        // The host cannot post such a file.
        this.#take(task.id);
        this.#owner.onUnread(task);
      }
    } else if (isShared(bytes)) this.#post({ ...order, input: bytes }, []);
    else {
      const sent = session.copyOf(bytes);
      this.#post({ ...order, input: sent }, [sent.buffer]);
    }
  }

  /** The session has ended: the worker wipes its keys. */
  close(session: SessionState): void {
    if (!this.#sessions.delete(session)) return;
    this.#post({ type: 'close', session: session.id }, []);
  }

  /** Called now and then while it has tasks. Asks for a sign of life, and ends the thread if there was none for long. */
  check(now: number): void {
    if (!this.#tasks.size && this.#ready) return;
    if (now - this.#heard > SILENCE_MS)
      this.#end(this.#ready ? 'it did not answer' : 'it did not say hello: does it import lanewise/worker.js?');
    else if (this.#ready) this.#post({ type: 'ping' }, []);
  }

  /** Ends the worker after it has wiped its keys; at the latest after a second. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    if (this.#ready) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, 1000);
        this.#onBye = () => {
          clearTimeout(late);
          resolve();
        };
        this.#port!.hold(true);
        this.#post({ type: 'end' }, []);
      });
    }
    this.#end('it was stopped');
  }

  #post(order: Order, transfer: ArrayBuffer[]): void {
    if (!this.#ended) this.#port!.post(order, transfer);
  }

  #onReport(report: Report): void {
    if (this.#ended) return;
    this.#heard = Date.now();
    if (report.type === 'hello') {
      if (report.protocol !== PROTOCOL) this.#end('it imports lanewise/worker.js of another version');
      else {
        this.#ready = true;
        this.#port!.hold(this.#tasks.size > 0);
        this.#owner.onReady(this);
      }
    } else if (report.type === 'bye') this.#onBye?.();
    else if (report.type === 'failed') this.#end(report.reason);
    else if (report.type !== 'pong') {
      const task = this.#take(report.task);
      if (!task) return;
      if (report.type === 'unread') this.#owner.onUnread(task);
      else {
        if (report.input && byteLengthOf(report.input)) task.session.giveBack(report.input);
        this.#owner.onDone(task, report.answer);
      }
    }
  }

  /** Takes a task from it that it has done, or cannot do. */
  #take(id: number): Task | undefined {
    const task = this.#tasks.get(id);
    this.#tasks.delete(id);
    if (!this.#tasks.size) this.#port!.hold(false);
    return task;
  }

  #end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onBye?.();
    for (const session of this.#sessions) session.threads.delete(this);
    const tasks = [...this.#tasks.values()];
    this.#tasks.clear();
    this.#port?.terminate();
    this.#owner.onEnd(this, tasks, reason);
  }
}
