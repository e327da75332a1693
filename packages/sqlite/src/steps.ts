/** Work that waits only where a file system answers later: one text for synchronous and asynchronous ones. */

/** Each `yield` takes a value or a promise, and returns the value. */
export type Steps<Result> = Generator<unknown, Result, unknown>;

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';

/** Runs all steps: at once, unless one of them gives a promise. */
export function run<Result>(steps: Steps<Result>): Result | Promise<Result> {
  let step = steps.next();
  while (!step.done) {
    if (isPromise(step.value)) return wait(steps, step.value);
    step = steps.next(step.value);
  }
  return step.value;
}

async function wait<Result>(steps: Steps<Result>, first: PromiseLike<unknown>): Promise<Result> {
  let waited: unknown = first;
  for (;;) {
    let step: IteratorResult<unknown, Result>;
    try {
      const value = await waited;
      step = steps.next(value);
    } catch (error) {
      // An error of the steps themselves has ended them: this throws it again.
      step = steps.throw(error);
    }
    if (step.done) return step.value;
    waited = step.value;
  }
}
