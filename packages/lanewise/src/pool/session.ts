/** The caller's side of a session: its keys, the memory that its jobs share, and the threads that know it. */
import { weakly, type Weak } from './host.ts';
import type { Input, Work } from '../work/threads.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes } from '../engine/intrinsics.ts';

/** A job of a session, until its answer is there. */
export interface Task {
  readonly id: number;
  readonly session: SessionState;
  /** The handle of the session, which is not dropped while there is work. */
  readonly handle: object;
  readonly job: unknown;
  /** In memory, a view of fixed length. */
  readonly input: Input | undefined;
  readonly onProgress: ((progress: number) => void) | undefined;
  /** The bytes of a range that no worker could read. */
  bytes: Uint8Array | undefined;
  /** How many workers have ended while they had it. */
  failures: number;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

export class SessionState {
  readonly id: number;
  readonly work: Work<unknown, unknown>;
  /** Those that have its keys, and wipe them when it closes. */
  readonly threads: Set<{ close(session: SessionState): void }> = new Set();
  /** What is not done yet, queued or not. */
  readonly tasks: Set<Task> = new Set();
  /** Buffers that came back, to be used again. */
  readonly #free: Uint8Array<ArrayBuffer>[] = [];
  /** Hears of an end that is not the handle's own. */
  onEnd: ((reason: Error) => void) | undefined;
  /** Why it was closed. */
  reason: Error | undefined;
  readonly #ends: Weak<AbortController>;

  /** @param ends - Held weakly, because who listens to its signal may hold the handle, which is to become garbage if nobody else does. */
  constructor(id: number, work: Work<never, unknown>, ends: AbortController) {
    this.id = id;
    this.work = work;
    this.#ends = weakly(ends);
  }

  get closed(): boolean {
    return this.reason !== undefined;
  }

  /** Memory to transfer, which came back if there is such of the right length; it holds anything. */
  memoryOf(length: number): Uint8Array<ArrayBuffer> {
    return this.#takeFree(length) ?? new Bytes(length);
  }

  /** Memory for the answer to an input of so many bytes: always of work in place, and of other work if some came back. */
  outputFor(length: number): Uint8Array<ArrayBuffer> | undefined {
    const { inPlace, outputLength } = this.work;
    if (inPlace) return this.memoryOf(length);
    return outputLength && this.#takeFree(outputLength(length));
  }

  /** A copy to transfer. */
  copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const copy = this.memoryOf(byteLengthOf(bytes));
    copyBytes(copy, bytes);
    return copy;
  }

  /** Takes memory back that was transferred. */
  giveBack(bytes: Uint8Array): void {
    if (this.closed) fillBytes(bytes, 0);
    else this.#free.push(new Bytes(bytes.buffer as ArrayBuffer));
    // Jobs of ever other lengths would leave ever more.
    if (this.#free.length > 2 * this.threads.size + 2) fillBytes(this.#free.shift()!, 0);
  }

  #takeFree(length: number): Uint8Array<ArrayBuffer> | undefined {
    const at = this.#free.findIndex((buffer) => byteLengthOf(buffer) === length);
    return at < 0 ? undefined : this.#free.splice(at, 1)[0];
  }

  close(reason: Error): void {
    if (this.closed) return;
    this.reason = reason;
    // Who works with the keys on this thread hears of the end before they are gone.
    this.#ends.deref()?.abort(reason);
    this.onEnd?.(reason);
    for (const secret of this.work.secrets) fillBytes(secret, 0);
    for (const buffer of this.#free.splice(0)) fillBytes(buffer, 0);
    for (const thread of this.threads) thread.close(this);
    this.threads.clear();
  }
}
