/** Operations on a store, written once as generators: they run at once, or wait for promises. */

/** An operation. It waits for whatever it yields, and goes on with the result. */
export type Operation<T> = Generator<unknown, T>;

/** Runs an operation on a store that answers at once. */
export function synchronously<T>(begin: () => Operation<T>): T {
  const steps = begin();
  for (let step = steps.next(); ; step = steps.next(step.value)) if (step.done === true) return step.value;
}

/** Runs an operation on a store that gives promises. Where a signal was aborted meanwhile, the operation fails with its reason. */
export async function awaited<T>(steps: Operation<T>, signal?: AbortSignal): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value;
      signal?.throwIfAborted();
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** The operations over one handle: each reads bytes that others write, so they run one after the other. */
export class Queue {
  /** The file that ran the last operation: the state that any other file remembers of the store may be outdated. */
  lastUser: { leave(): Operation<void> } | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param signal - Ends the operation between two answers of the store. */
  run<T>(begin: () => Operation<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      signal?.throwIfAborted();
      return awaited(begin(), signal);
    });
    this.#last = result.catch(() => undefined);
    return result;
  }
}

const queues = /* @__PURE__ */ new WeakMap<object, Queue>();

/** The queue that all files over this handle share. */
export function queueOf(handle: object): Queue {
  let queue = queues.get(handle);
  if (!queue) queues.set(handle, (queue = new Queue()));
  return queue;
}
