/** The threads of a pool: they take tasks from one queue. Where no worker can be had, the caller's thread does the tasks. */
import { CallersThread, doTask, inputOf, rangeOf, taskFor } from './caller.ts';
import { whenDropped } from './host.ts';
import { messageOf } from './protocol.ts';
import { SessionState, type Task } from './session.ts';
import { portOf, refusal, spawnDefault, type Spawn } from './spawn.ts';
import { isMistake, Starts } from './starts.ts';
import { Thread, type Owner } from './thread.ts';
import { Timers } from './timers.ts';
import type { Input, Session, Threads, Work } from '../work/threads.ts';
import { isBytes, lengthOf } from '../calls/checks.ts';
import { min } from '../engine/intrinsics.ts';

/** Tasks that a thread has at most: one that it works at, and one that waits, so that it need not wait itself. */
const LOAD = 2;
/** How often threads are looked after while they start or have tasks. */
const CHECK_MS = 2000;
/** How often a task is given to a worker. */
const MOST_ATTEMPTS = 2;

export class Crew implements Threads, Owner {
  readonly count: number;
  /** The most workers. */
  readonly #workers: number;
  readonly #caller: CallersThread;
  readonly #spawn: Spawn | undefined;
  readonly #idle: number;
  readonly #threads: Thread[] = [];
  /** Among them are tasks of closed sessions, at most so many, and no more than others. */
  #queue: Task[] = [];
  #closedTasks = 0;
  readonly #sessions = new Set<SessionState>();
  /** How many tasks are not done yet, queued or not. */
  #left = 0;
  #nextId = 1;
  readonly #starts: Starts;
  /** The ends of workers that are under way. */
  readonly #stops = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;
  readonly #timers = new Timers();

  readonly least = (warm: number, cold: number): number => this.#starts.least(this.warm, warm, cold);
  readonly missed = (bytes: number): void => this.#starts.missed(bytes);

  /** @param callerWorks - Whether the caller's thread is one of the threads. */
  constructor(count: number, spawn: Spawn | undefined, idle: number, callerWorks: boolean, threshold?: number) {
    this.count = count;
    this.#workers = callerWorks ? count - 1 : count;
    this.#caller = new CallersThread(callerWorks);
    this.#spawn = spawn;
    // Timers take no longer times.
    this.#idle = min(idle, 2 ** 31 - 1);
    this.#starts = new Starts(spawn ? undefined : refusal(), threshold);
  }

  get warm(): boolean {
    return this.#threads.some((thread) => thread.ready);
  }

  get ended(): Promise<void> | undefined {
    return this.#closed;
  }

  get running(): number {
    return this.#threads.filter((thread) => thread.ready).length;
  }

  /** Why there are no workers, or no more. */
  get reason(): string | undefined {
    return this.#closed ? 'the pool is closed' : this.#starts.refusal;
  }

  session<Job, Answer>(work: Work<Job, Answer>): Session<Job, Answer> {
    this.checkOpen();
    const ends = new AbortController();
    const session = new SessionState(this.#nextId++, work, ends);
    this.#sessions.add(session);
    const close = this.#closer(session);
    const handle: Session<Job, Answer> & { readonly ends: AbortController } = {
      signal: ends.signal,
      ends,
      run: (job, input, onProgress) => this.#run(session, handle, job, input, onProgress) as Promise<Answer>,
      reuse: (answer) => session.giveBack(answer),
      onEnd: (then) => void (session.onEnd = then),
      close() {
        stay();
        session.onEnd = undefined;
        close();
      },
    };
    const stay = whenDropped(handle, close);
    return handle;
  }

  /** In a scope of its own, because what closes a session when its handle is garbage must not hold the handle. */
  readonly #closer = (session: SessionState) => (): void => this.#close(session, 'the work was given up');

  checkOpen(): void {
    if (this.#closed) throw new Error('cannot use a pool after close()');
  }

  /** Ends all work and all workers. */
  close(): Promise<void> {
    return (this.#closed ??= this.#finish());
  }

  onReady(): void {
    this.#starts.succeeded();
    this.#pump();
    this.#rest();
  }

  onDone(task: Task, answer: unknown): void {
    this.#settle(task, () => task.resolve(answer));
    this.#pump();
  }

  onUndone(task: Task): void {
    void this.#helpWith(task);
  }

  onRefused(task: Task, error: unknown): void {
    this.#settle(task, () => task.reject(error));
  }

  onEnd(thread: Thread, tasks: Task[], reason: string): void {
    this.#remove(thread);
    if (!thread.ready) this.#starts.failed(reason);
    const error = new Error(`a worker ended while it worked (${reason}), as did the one before it`);
    for (const task of tasks.filter((its) => its.session.tasks.has(its)).reverse())
      if (++task.failures < MOST_ATTEMPTS) this.#queue.unshift(task);
      else this.#settle(task, () => task.reject(error));
    this.#pump();
  }

  #remove(thread: Thread): void {
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
  }

  #run(
    session: SessionState,
    handle: object,
    job: unknown,
    input: Input | undefined,
    onProgress: Task['onProgress'],
  ): Promise<unknown> {
    const promise = new Promise((resolve, reject) => {
      if (session.closed) reject(session.reason!);
      else {
        if (isBytes(input)) lengthOf(input, 'source');
        const its = { id: this.#nextId++, session, handle, job, input, onProgress };
        const task: Task = { ...its, bytes: undefined, failures: 0, resolve, reject };
        session.tasks.add(task);
        this.#left++;
        this.#queue.push(task);
        this.#timers.endRest();
        this.#pump(task);
      }
    });
    // Who closes a session need not wait for its tasks.
    promise.catch(() => undefined);
    return promise;
  }

  /** Hands out tasks; `came` is the last of the queue, if nothing else has changed. */
  #pump(came?: Task): void {
    if (this.#closed) return;
    try {
      while (this.#queue.length > 0) {
        const thread = this.#leastLoaded();
        if (thread) {
          this.#watch();
          const task = this.#queue.shift()!;
          if (!task.session.closed) thread.give(task);
        } else {
          this.#startThreads();
          if (!this.warm || this.#caller.isOne) this.#workHere(came);
          break;
        }
      }
    } catch (error) {
      // The caller's `spawn` is wrong.
      for (const task of this.#queue.splice(0)) this.#settle(task, () => task.reject(error));
    }
  }

  /** A thread that may have one task more; undefined also if another thread had better be started. */
  #leastLoaded(): Thread | undefined {
    let least: Thread | undefined;
    for (const thread of this.#threads) if (thread.ready && thread.load < (least?.load ?? LOAD)) least = thread;
    if (least?.load && this.#starts.refusal === undefined && this.#threads.length < this.#workers) this.#startThreads();
    return least;
  }

  /** Starts as many workers as there are tasks for them. */
  #startThreads(): void {
    const starting = this.#threads.filter((thread) => !thread.ready).length;
    for (let wanted = this.#queue.length - starting; wanted > 0; wanted--) {
      if (this.#starts.refusal !== undefined || this.#threads.length >= this.#workers) return;
      const thread = new Thread(this);
      this.#threads.push(thread);
      this.#watch();
      try {
        thread.start((onReport, onEnd) => portOf((this.#spawn ?? spawnDefault)(), onReport, onEnd));
      } catch (error) {
        this.#remove(thread);
        if (this.#spawn && isMistake(error) && !this.warm) throw error;
        this.#starts.failed(messageOf(error));
        return;
      }
    }
  }

  /** Does one task on this thread, if there is one for it. */
  #workHere(came?: Task): void {
    if (this.#caller.working) return;
    const task = taskFor(this.#queue, this.#threads.length > 0, came);
    if (task) void this.#work(task);
    else for (const thread of this.#threads) thread.await();
  }

  async #work(task: Task): Promise<void> {
    await this.#caller.work(task, (settle) => this.#settle(task, settle));
    this.#wipeFiles();
    this.#pump();
  }

  /** What was read is wiped when no session has a use for it. */
  #wipeFiles(): void {
    if (!this.#sessions.size) this.#caller.wipe();
  }

  /** Reads what no worker could read, and does what none could write. */
  async #helpWith(task: Task): Promise<void> {
    try {
      if (rangeOf(task)?.into) {
        await doTask(task);
        this.#settle(task, () => task.resolve(undefined));
      } else {
        task.bytes = await inputOf(task);
        if (task.session.tasks.has(task)) this.#queue.unshift(task);
      }
    } catch (error) {
      this.#settle(task, () => task.reject(error));
    }
    this.#pump();
  }

  #settle(task: Task, settle: () => void): void {
    if (!task.session.tasks.delete(task)) return;
    this.#left--;
    settle();
    this.#rest();
  }

  /** Ends the workers that are ready if there is no work for long. */
  #rest(): void {
    if (this.#left > 0 || this.#closed || !this.warm) return;
    this.#timers.afterRest(this.#idle, () => this.#stop(this.#threads.filter(({ ready }) => ready)));
  }

  #close(session: SessionState, message: string): void {
    if (!this.#sessions.delete(session)) return;
    session.close(new Error(message));
    this.#closedTasks += session.tasks.size;
    for (const task of session.tasks) this.#settle(task, () => task.reject(session.reason));
    this.#wipeFiles();
    // What is queued holds memory. To search the queue for each of n sessions would take n² time.
    if (2 * this.#closedTasks <= this.#queue.length) return;
    this.#queue = this.#queue.filter((task) => !task.session.closed);
    this.#closedTasks = 0;
  }

  /** Looks after threads while they start or have tasks. */
  #watch(): void {
    this.#timers.every(CHECK_MS, () => {
      for (const thread of [...this.#threads]) thread.check();
      return this.#left > 0 || this.#threads.some(({ ready }) => !ready);
    });
  }

  async #finish(): Promise<void> {
    // `#closed` is set when this function first waits.
    await Promise.resolve();
    this.#timers.stop();
    for (const session of [...this.#sessions]) this.#close(session, 'the pool was closed while it worked');
    this.#stop(this.#threads);
    await Promise.all(this.#stops);
  }

  #stop(threads: readonly Thread[]): void {
    for (const thread of [...threads]) {
      this.#remove(thread);
      const stop = thread.stop().finally(() => this.#stops.delete(stop));
      this.#stops.add(stop);
    }
  }
}
