/** Attempts with back-off and jitter, and limits of silence: nothing runs for ever, and nothing is given up at the first fault. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectError, ObjectShort } from './errors.ts';
import type { Limits } from './settings.ts';

/** Milliseconds of the first wait at most; it doubles with each attempt. */
const FIRST_WAIT = 200;
/** Milliseconds of any wait at most. */
const LONGEST_WAIT = 10_000;
/** Progress after which attempts are counted anew: a range of gigabytes may meet more faults than a short one. */
const PROGRESS = 1 << 20;

/** The reason that an abort signal gives, whatever error the abort led to. */
export const throwIfAborted = (signal: AbortSignal | undefined): void => signal?.throwIfAborted();

/** Counts failed attempts and waits between them. */
class Attempts {
  readonly #limits: Limits;
  readonly #signal: AbortSignal | undefined;
  #failed = 0;

  constructor(limits: Limits, signal: AbortSignal | undefined) {
    this.#limits = limits;
    this.#signal = signal;
  }

  progressed(): void {
    this.#failed = 0;
  }

  /** Comes back when it is time to try again. Throws the error if it is final or was the last that is allowed. */
  async failed(error: unknown): Promise<void> {
    throwIfAborted(this.#signal);
    this.#failed++;
    if (!(error instanceof ObjectError) || !error.temporary) throw error;
    if (this.#failed >= this.#limits.attempts) {
      if (this.#failed > 1) error.message += `, ${this.#failed} times in a row`;
      throw error;
    }
    // "Full jitter": callers that failed together do not come back together.
    const wait = Math.random() * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.#failed - 1));
    await sleep(Math.max(wait, Math.min(error.wait ?? 0, 3 * LONGEST_WAIT)), undefined, { signal: this.#signal }).catch(
      () => throwIfAborted(this.#signal),
    );
  }
}

/** Runs until an attempt succeeds, fails for good, or was the last that is allowed. Gives it the number of the attempt from 1. */
export async function attempted<T>(
  limits: Limits,
  signal: AbortSignal | undefined,
  run: (attempt: number) => Promise<T>,
): Promise<T> {
  const attempts = new Attempts(limits, signal);
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(signal);
    try {
      return await run(attempt);
    } catch (error) {
      await attempts.failed(error);
    }
  }
}

/** A promise that an abort signal rejects at once with its reason; `late` is called then, as the promise goes on. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, late: () => void): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => {
      late();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** A range of an object, as the store is asked for it. */
export interface Range {
  readonly offset: number;
  readonly length: number;
}

/**
 * The bytes of a range, asked for again from where a response broke off.
 * @param open Gives the bytes of a range; they may end early or throw.
 */
export async function* resumed(
  url: string,
  range: Range,
  limits: Limits,
  signal: AbortSignal | undefined,
  open: (rest: Range) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const attempts = new Attempts(limits, signal);
  const end = range.offset + range.length;
  let counted = range.offset;
  for (let position = range.offset; position < end;) {
    throwIfAborted(signal);
    try {
      for await (const bytes of open({ offset: position, length: end - position })) {
        if (bytes.length > end - position)
          throw new ObjectError(url, `more than the ${range.length} bytes asked for came`);
        position += bytes.length;
        throwIfAborted(signal);
        yield bytes;
      }
      if (position === end) return;
      const got = `${position - range.offset} of ${range.length} bytes`;
      throw new ObjectShort(url, `the range at ${range.offset} ended after ${got}`, { temporary: true });
    } catch (error) {
      if (position - counted >= PROGRESS) {
        attempts.progressed();
        counted = position;
      }
      await attempts.failed(error);
    }
  }
}

/** Calls `late` if a promise takes longer than it may; `late` ends the request that the promise waits for, which rejects it. */
export async function inTime<T>(promise: Promise<T>, milliseconds: number, late: () => void): Promise<T> {
  const timer = setTimeout(late, milliseconds);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
