/** The progress of work, as its caller hears of it. */
import { typeOf } from '../calls/checks.ts';

/** Called with the number of bytes that are done, and the size if it is known. */
export type PoolProgress = (done: number, total?: number) => unknown;

/** The value of an option that is called with the progress. */
export function progressOf(value: unknown): PoolProgress | undefined {
  if (value !== undefined && typeof value !== 'function')
    throw new TypeError(`"onProgress" expected function, got ${typeOf(value)}`);
  return value as PoolProgress | undefined;
}
