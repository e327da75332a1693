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

/**
 * Does work until one of the signals is aborted; then the promise is rejected with its reason. The work is given a signal
 * of its own that is aborted then. `AbortSignal.any` is missing in browsers of 2023.
 */
export async function abortable<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Result | Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const stops: (() => void)[] = [];
  try {
    return await new Promise<Result>((resolve, reject) => {
      for (const signal of signals) {
        if (!signal) continue;
        const stop = (): void => {
          controller.abort(signal.reason);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a reason is whatever the caller gave
          reject(signal.reason);
        };
        if (signal.aborted) {
          stop();
          return;
        }
        signal.addEventListener('abort', stop);
        stops.push(() => signal.removeEventListener('abort', stop));
      }
      // `resolve` alone would leave the end to the work's promise.
      Promise.resolve(work(controller.signal)).then(resolve, reject);
    });
  } finally {
    for (const stop of stops) stop();
  }
}

/** How long an end is waited for. */
const PATIENCE_MS = 1000;

/** Waits for the end of foreign code, but not for long, and hears no error of it. */
export async function patiently(promise: Promise<unknown>, most: number = PATIENCE_MS): Promise<void> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<void>((resolve) => (late = setTimeout(resolve, most)));
  await Promise.race([promise, end]).catch(() => undefined);
  clearTimeout(late);
}
