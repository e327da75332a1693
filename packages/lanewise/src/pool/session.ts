/** The caller's side of a session: its keys, the memory that its jobs share, and the threads that know it. */
import type { Thread } from './thread.ts';
import type { Work } from '../calls/threads.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes } from '../engine/intrinsics.ts';

export class SessionState {
  readonly id: number;
  readonly work: Work<unknown, unknown>;
  /** Those that have its keys. */
  readonly threads: Set<Thread> = new Set();
  /** Buffers that came back, to be used again. */
  readonly #free: Uint8Array<ArrayBuffer>[] = [];
  closed = false;

  constructor(id: number, work: Work<never, unknown>) {
    this.id = id;
    this.work = work;
  }

  /** A copy to transfer, in memory that came back if it has the right length. */
  copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const length = byteLengthOf(bytes);
    const at = this.#free.findIndex((buffer) => byteLengthOf(buffer) === length);
    if (at < 0) return copyOf(bytes, length);
    const [buffer] = this.#free.splice(at, 1);
    copyBytes(buffer, bytes);
    return buffer;
  }

  /** Takes memory back that was transferred. */
  giveBack(bytes: Uint8Array): void {
    if (this.closed) fillBytes(bytes, 0);
    else this.#free.push(new Bytes(bytes.buffer as ArrayBuffer));
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const thread of this.threads) thread.close(this);
    this.threads.clear();
    for (const secret of this.work.secrets) fillBytes(secret, 0);
    for (const buffer of this.#free.splice(0)) fillBytes(buffer, 0);
  }
}
