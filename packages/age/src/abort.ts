/** Work that ends when a signal is aborted or a pool is closed, even if its source or key never hears of that. */
import { agePayload } from 'lanewise/stream.js';
import type { Work } from './checks.ts';

/** Throws the reason of a signal that is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/**
 * Does work until the signal is aborted; then the promise is rejected with its reason.
 *
 * @param late - Is given a result that comes after that, to wipe it.
 */
export async function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
  late: (result: Result) => void = () => {},
): Promise<Result> {
  if (!signal) return work();
  throwIfAborted(signal);
  return new Promise<Result>((resolve, reject) => {
    let aborted = false;
    const stop = (): void => {
      aborted = true;
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a reason is whatever the caller gave
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then((result) => (aborted ? late(result) : resolve(result)), reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Does work until its signal is aborted, or its pool is closed.
 *
 * @param work - Is given a signal that is aborted then, and heeds it.
 */
export async function whileOpen<Result>({ signal, pool }: Work, work: (its: Work) => Promise<Result>): Promise<Result> {
  if (!pool) return work({ signal, pool });
  const ends = new AbortController();
  // A stream hears of both, and is not read.
  const listener = agePayload(new Uint8Array(32))
    .encrypt([], signal ? { pool, signal } : { pool })
    .getReader();
  listener.closed.catch((reason: unknown) => ends.abort(reason));
  try {
    return await work({ signal: ends.signal, pool });
  } finally {
    listener.cancel().catch(() => undefined);
  }
}
