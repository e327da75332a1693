/** Errors of jobs, as they go from threads to the queue and to callers. */

/** An error that no further attempt can mend. */
export class FinalError extends Error {
  override readonly name = 'FinalError';
  readonly final = true;
}

/** An error as it is sent from a thread. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly final: boolean;
}

/** Errors of objects say whether they are temporary. */
const isFinal = (error: Error): boolean =>
  (error as { final?: unknown }).final === true || (error as { temporary?: unknown }).temporary === false;

/** Runs a check, whose errors are final: wrong data stays wrong. Other errors say themselves that they are final, because `fetch` throws TypeError, too. */
export function checked<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    throw errorOf({ ...sentOf(error), final: true });
  }
}

export function sentOf(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: 'the job failed', final: false };
  return { name: error.name, message: error.message, final: isFinal(error) };
}

export function errorOf({ name, message, final }: SentError): Error & { readonly final?: boolean } {
  const error = final ? new FinalError(message) : new Error(message);
  return Object.defineProperty(error, 'name', { value: name });
}
