/** Work that ends when a signal is aborted, even if its source or key never hears of the signal. */

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
