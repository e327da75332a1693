/** The threads of a pool: they take tasks from one queue. Where no worker can be had, the caller's thread does the tasks. */
import { messageOf } from './protocol.ts';
import { SessionState } from './session.ts';
import { portOf, refusal, spawnDefault, type Spawn } from './spawn.ts';
import { Thread, type Owner, type Task } from './thread.ts';
import { turns } from '../calls/slices.ts';
import type { Input, Session, Threads, Work } from '../calls/threads.ts';
import { isBytes } from '../calls/checks.ts';
import { getPrototypeOf } from '../engine/intrinsics.ts';

/** Tasks that a thread has at most: one that it works at, and one that waits, so that it need not wait itself. */
const LOAD = 2;
/** How often threads are looked after while they have tasks. */
const CHECK_MS = 2000;
/** How often a task is given to a worker. */
const MOST_ATTEMPTS = 2;

const CLOSED = 'the pool was closed while it worked';
const GIVEN_UP = 'the work was given up';

/** Timers that do not keep a process running, where the host can tell. */
const background = (timer: unknown): void => (timer as { unref?(): void }).unref?.();

/** An error of the caller's own `spawn`, as opposed to one of a host that forbids workers. */
const isMistake = (error: unknown): boolean =>
  error instanceof Error &&
  getPrototypeOf(error) !== (globalThis as { DOMException?: typeof DOMException }).DOMException?.prototype;

export class Crew implements Threads, Owner {
  readonly count: number;
  readonly #spawn: Spawn | undefined;
  readonly #idle: number;
  readonly #threads: Thread[] = [];
  readonly #queue: Task[] = [];
  readonly #sessions = new Set<SessionState>();
  /** Closes sessions whose handles nobody has any more. */
  readonly #dropped = new FinalizationRegistry<SessionState>((session) => this.#close(session));
  /** Tasks that are not done yet, queued or not. */
  readonly #tasks = new Set<Task>();
  #nextId = 1;
  /** Why no more workers are started. */
  #reason: string | undefined;
  /** Whether the caller's thread is at a task. */
  #working = false;
  #closed: Promise<void> | undefined;
  #checks: ReturnType<typeof setInterval> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(count: number, spawn: Spawn | undefined, idle: number) {
    this.count = count;
    this.#spawn = spawn;
    this.#idle = idle;
    if (!spawn) this.#reason = refusal();
  }

  get warm(): boolean {
    return this.#threads.some((thread) => thread.ready);
  }

  /** Workers that are ready. */
  get running(): number {
    return this.#threads.filter((thread) => thread.ready).length;
  }

  /** Why there are no workers, or no more. */
  get reason(): string | undefined {
    return this.#closed ? 'the pool is closed' : this.#reason;
  }

  session<Job, Answer>(work: Work<Job, Answer>): Session<Job, Answer> {
    this.checkOpen();
    const session = new SessionState(this.#nextId++, work);
    this.#sessions.add(session);
    const handle: Session<Job, Answer> = {
      run: (job: Job, input?: Input) => this.#run(session, job, input) as Promise<Answer>,
      close: () => {
        this.#dropped.unregister(session);
        this.#close(session);
      },
    };
    this.#dropped.register(handle, session, session);
    return handle;
  }

  checkOpen(): void {
    if (this.#closed) throw new Error('cannot use a pool after close()');
  }

  /** Ends all work and all workers. */
  close(): Promise<void> {
    return (this.#closed ??= this.#finish());
  }

  onReady(): void {
    this.#pump();
  }

  onDone(task: Task, answer: unknown): void {
    this.#settle(task, () => task.resolve(answer));
    this.#pump();
  }

  onUnread(task: Task): void {
    void this.#readHere(task);
  }

  onEnd(thread: Thread, tasks: Task[], reason: string): void {
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
    // A worker that has never been ready would not be the next time.
    if (!thread.ready && !this.#closed) this.#reason ??= reason;
    for (const task of tasks) {
      task.failures++;
      if (task.failures < MOST_ATTEMPTS) this.#queue.unshift(task);
      else
        this.#settle(task, () =>
          task.reject(new Error(`a worker ended while it worked (${reason}), as did the one before it`)),
        );
    }
    this.#pump();
  }

  #run(session: SessionState, job: unknown, input: Input | undefined): Promise<unknown> {
    const promise = new Promise((resolve, reject) => {
      const task: Task = {
        id: this.#nextId++,
        session,
        job,
        input,
        bytes: undefined,
        failures: 0,
        resolve,
        reject,
      };
      this.#tasks.add(task);
      if (session.closed || this.#closed) this.#settle(task, () => reject(new Error(this.#closed ? CLOSED : GIVEN_UP)));
      else this.#add(task);
    });
    // Who closes a session need not wait for its tasks.
    promise.catch(() => undefined);
    return promise;
  }

  #add(task: Task): void {
    this.#queue.push(task);
    if (this.#rest !== undefined) clearTimeout(this.#rest);
    this.#rest = undefined;
    if (this.#checks === undefined) {
      this.#checks = setInterval(() => this.#check(), CHECK_MS);
      background(this.#checks);
    }
    this.#pump();
  }

  /** Hands out tasks. */
  #pump(): void {
    if (this.#closed) return;
    try {
      while (this.#queue.length > 0) {
        const thread = this.#leastLoaded();
        if (thread) thread.give(this.#queue.shift()!);
        else {
          this.#startThreads();
          if (!this.warm) this.#workHere();
          break;
        }
      }
    } catch (error) {
      // The caller's `spawn` is wrong, or a job cannot be posted.
      for (const task of [...this.#queue.splice(0)]) this.#settle(task, () => task.reject(error));
    }
  }

  /** A thread that may have one task more; undefined also if another thread had better be started. */
  #leastLoaded(): Thread | undefined {
    let least: Thread | undefined;
    for (const thread of this.#threads) if (thread.ready && thread.load < (least?.load ?? LOAD)) least = thread;
    if (least?.load && this.#reason === undefined && this.#threads.length < this.count) this.#startThreads();
    return least;
  }

  /** Starts as many workers as there are tasks for them. */
  #startThreads(): void {
    const starting = this.#threads.filter((thread) => !thread.ready).length;
    for (let wanted = this.#queue.length - starting; wanted > 0; wanted--) {
      if (this.#reason !== undefined || this.#threads.length >= this.count) return;
      const thread = new Thread(this);
      this.#threads.push(thread);
      try {
        thread.start((onReport, onEnd) => portOf((this.#spawn ?? spawnDefault)(), onReport, onEnd));
      } catch (error) {
        this.#threads.pop();
        if (this.#spawn && isMistake(error)) throw error;
        this.#reason = messageOf(error);
      }
    }
  }

  /** Does one task on this thread, then lets the event loop turn. */
  #workHere(): void {
    if (this.#working) return;
    const task = this.#queue.shift();
    if (!task) return;
    this.#working = true;
    const its = turns();
    void (async () => {
      try {
        const input = await inputOf(task);
        const answer = task.session.closed ? undefined : await task.session.work.here(task.job, input);
        this.#settle(task, () => task.resolve(answer));
      } catch (error) {
        this.#settle(task, () => task.reject(error));
      }
      await its.next();
      its.end();
      this.#working = false;
      this.#pump();
    })();
  }

  /** Reads what no worker could read. */
  async #readHere(task: Task): Promise<void> {
    try {
      task.bytes = await inputOf(task);
      if (this.#tasks.has(task)) this.#queue.unshift(task);
    } catch (error) {
      this.#settle(task, () => task.reject(error));
    }
    this.#pump();
  }

  #settle(task: Task, settle: () => void): void {
    if (!this.#tasks.delete(task)) return;
    settle();
    if (this.#tasks.size > 0 || this.#closed) return;
    clearInterval(this.#checks);
    this.#checks = undefined;
    this.#rest = setTimeout(() => void this.#stopThreads(), this.#idle);
    background(this.#rest);
  }

  #close(session: SessionState): void {
    if (!this.#sessions.delete(session)) return;
    session.close();
    this.#rejectTasks((task) => task.session === session, GIVEN_UP);
  }

  #rejectTasks(which: (task: Task) => boolean, message: string): void {
    for (const task of [...this.#tasks].filter(which)) {
      const at = this.#queue.indexOf(task);
      if (at >= 0) this.#queue.splice(at, 1);
      this.#settle(task, () => task.reject(new Error(message)));
    }
  }

  #check(): void {
    const now = Date.now();
    for (const thread of [...this.#threads]) thread.check(now);
  }

  async #finish(): Promise<void> {
    // `#closed` is set when this function first waits.
    await Promise.resolve();
    clearInterval(this.#checks);
    if (this.#rest !== undefined) clearTimeout(this.#rest);
    this.#rejectTasks(() => true, CLOSED);
    for (const session of this.#sessions) this.#close(session);
    await this.#stopThreads();
  }

  async #stopThreads(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop()));
  }
}

/** The bytes of a task, read on this thread if they must be. */
const inputOf = ({ bytes, input }: Task): Uint8Array | undefined | Promise<Uint8Array> =>
  bytes ?? (input === undefined || isBytes(input) ? input : input.read());
