/** The caller's thread, which does tasks where no worker can, or as one of the threads. */
import { Files } from '../io/files.ts';
import type { Task } from './session.ts';
import { bytesOf } from './thread.ts';
import { isBytes } from '../calls/checks.ts';
import { turn } from '../work/slices.ts';
import type { Range } from '../work/threads.ts';

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
    try {
      const answer = await doTask(task, this.#files);
      settle(() => task.resolve(answer));
    } catch (error) {
      settle(() => task.reject(error));
    }
    await turn();
    this.#working = false;
  }

  /** Wipes the memory into which files were read, unless a task has a use for it. */
  wipe(): void {
    if (!this.#working) this.#files?.wipe();
  }
}

/** The range of a task; undefined if its bytes are in memory, or if it has none. */
export const rangeOf = ({ input }: Task): Range | undefined => (isBytes(input) ? undefined : input);

/** The bytes of a range, read as workers do; undefined if that cannot be. */
function readBy(files: Files, task: Task): Uint8Array | undefined {
  const range = rangeOf(task);
  if (bytesOf(task) || !range?.file || !('fd' in range.file)) return undefined;
  return files.readOpen(range.file, range.from, range.to);
}

/** The bytes of a task, read on this thread if they must be. */
export const inputOf = (task: Task): Uint8Array | undefined | Promise<Uint8Array> =>
  bytesOf(task) ?? rangeOf(task)?.read();

/**
 * Does a task on this thread.
 *
 * @param files - Given if files are read and written as workers do it: then what fails is done again by the functions of the range, whose
 * errors are those that the caller hears of.
 */
export async function doTask(task: Task, files?: Files): Promise<unknown> {
  const { session, job } = task;
  const read = (files && readBy(files, task)) ?? inputOf(task);
  // Nothing is awaited if the bytes are there: they may be in memory that the next task uses, too.
  const input = read instanceof Promise ? await read : read;
  if (session.closed) return undefined;
  const answer = await session.work.here(job, input);
  const { into, from } = rangeOf(task) ?? {};
  if (!into) return answer;
  if (!session.closed && !(files && into.file && files.write(into.file, input!, from!))) await into.write(input!);
  return undefined;
}

/**
 * Takes a task for the caller's thread from the queue: long ones are left for workers, if there are any.
 *
 * @param came - The last of the queue, if nothing else has changed since the queue was searched.
 */
export function taskFor(queue: Task[], areWorkers: boolean, came?: Task): Task | undefined {
  // To search those before it once more would take n² time for n long tasks.
  if (areWorkers && came?.session.work.isLong) return undefined;
  const at = queue.findIndex(({ session }) => !session.closed && (!areWorkers || !session.work.isLong));
  return at < 0 ? undefined : queue.splice(at, 1)[0];
}
