/** Work that ends when a signal is aborted, even if the promise that it waits for never hears of the signal. */
import { typeOf } from '../calls/checks.ts';

/** The value of an option that is an AbortSignal, of any realm. */
export function signalOf(value: unknown): AbortSignal | undefined {
  if (value === undefined) return undefined;
  const { aborted, addEventListener } = (value ?? {}) as Partial<AbortSignal>;
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function')
    throw new TypeError(`"signal" expected AbortSignal, got ${typeOf(value)}`);
  return value as AbortSignal;
}

/** All that ends with a signal, by one listener of it: to remove one of many listeners, Node walks a list of them. */
class Followers {
  readonly ends = new Set<(reason: unknown) => void>();
  readonly abort: () => void;

  constructor(signal: AbortSignal) {
    this.abort = () => this.ends.forEach((end) => end(signal.reason));
  }
}

const followers = /* @__PURE__ */ new WeakMap<AbortSignal, Followers>();

/** Calls a function with the reason of a signal when that is aborted, until the function that this gives is called. */
export function follow(signal: AbortSignal | undefined, end: (reason: unknown) => void): () => void {
  if (!signal) return () => undefined;
  const all = followers.get(signal) ?? new Followers(signal);
  if (!all.ends.size) signal.addEventListener('abort', all.abort);
  followers.set(signal, all);
  all.ends.add(end);
  return () => {
    all.ends.delete(end);
    if (!all.ends.size) signal.removeEventListener('abort', all.abort);
  };
}

/**
 * Does work until one of the signals is aborted; then the promise is rejected with its reason. The work is given a signal
 * of its own that is aborted then, and when it fails. `AbortSignal.any` is missing in browsers of 2023.
 */
export async function abortable<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  for (const signal of signals) if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  let stops: (() => void)[] = [];
  try {
    return await new Promise<Result>((resolve, reject) => {
      const end = (reason: unknown): void => {
        controller.abort(reason);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a reason is whatever the caller gave
        reject(reason);
      };
      stops = signals.map((signal) => follow(signal, end));
      // `resolve` alone would leave the end to the work's promise.
      Promise.resolve(work(controller.signal)).then(resolve, end);
    });
  } finally {
    for (const stop of stops) stop();
  }
}

/**
 * Makes a promise and the functions that settle it. `giveUp` rejects it for an end from outside, which the host doesn't report if the
 * caller has left the promise alone. The promise holds nothing of the work: where a source waits, all that waits for it may be garbage,
 * and the caller still hears of the end.
 */
export function outcome<Result>() {
  let resolve!: (result: Result) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Result>((...both) => ([resolve, reject] = both));
  const giveUp = (reason: unknown): void => {
    promise.catch(() => undefined);
    reject(reason);
  };
  return { promise, resolve, reject, giveUp };
}

/** Waits for the end of foreign code, but not for long: a second unless given; and hears no error of it. */
export async function patiently(promise: Promise<unknown>, most = 1000): Promise<void> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<void>((resolve) => (late = setTimeout(resolve, most)));
  await Promise.race([promise, end]).catch(() => undefined);
  clearTimeout(late);
}
