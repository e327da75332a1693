/** The caller's thread, which does tasks where no worker can, or as one of the threads. */
import { Files } from './files.ts';
import { bytesOf, type Task } from './thread.ts';
import { isBytes } from '../calls/checks.ts';
import { turns } from '../calls/slices.ts';
import type { Input } from '../calls/threads.ts';

export class CallersThread {
  readonly #files: Files | undefined;
  #working = false;

  /** @param isOne - Whether it is one of the threads, and so reads files as they do. */
  constructor(isOne: boolean) {
    this.#files = isOne ? new Files() : undefined;
  }

  /** Whether it is one of the threads. */
  get isOne(): boolean {
    return this.#files !== undefined;
  }

  /** Whether it is at a task. */
  get working(): boolean {
    return this.#working;
  }

  /** Does a task, then lets the event loop turn. */
  async work(task: Task, settle: (settle: () => void) => void): Promise<void> {
    this.#working = true;
    const its = turns();
    try {
      const read = (this.#files && readBy(this.#files, task)) ?? inputOf(task);
      // Nothing is awaited if the bytes are there: they may be in memory that the next task uses, too.
      const input = read instanceof Promise ? await read : read;
      const answer = task.session.closed ? undefined : await task.session.work.here(task.job, input);
      settle(() => task.resolve(answer));
    } catch (error) {
      settle(() => task.reject(error));
    }
    await its.next();
    its.end();
    this.#working = false;
  }

  /** Wipes the memory into which files were read, unless a task has a use for it. */
  wipe(): void {
    if (!this.#working) this.#files?.wipe();
  }
}

/** The bytes of a range, read as workers do; undefined if that cannot be. */
function readBy(files: Files, task: Task): Uint8Array | undefined {
  const { input } = task;
  if (bytesOf(task) || input === undefined || isBytes(input) || !input.file || !('fd' in input.file)) return undefined;
  return files.readOpen(input.file, input.from, input.to);
}

/** The bytes of a task, read on this thread if they must be. */
export const inputOf = (task: Task): Uint8Array | undefined | Promise<Uint8Array> => {
  const bytes = bytesOf(task);
  return bytes ?? (task.input as Exclude<Input, Uint8Array> | undefined)?.read();
};

/** Takes a task for the caller's thread from the queue: long ones are left for workers, if there are any. */
export function taskFor(queue: Task[], areWorkers: boolean): Task | undefined {
  const at = queue.findIndex(({ session }) => !areWorkers || !session.work.isLong);
  return at < 0 ? undefined : queue.splice(at, 1)[0];
}
