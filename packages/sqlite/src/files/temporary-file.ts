/**
 * A temporary file whose first bytes stay in memory, decrypted, as long as the file is open; the others are encrypted. So most of SQLite's
 * temporary files need neither encryption nor the medium, and of the copy that VACUUM makes a part doesn't.
 */
import type { Steps } from '../steps.ts';
import type { EncryptedFile } from './encrypted-file.ts';

/** So many bytes stay in memory. */
export const MOST = 2 ** 20;
const FEWEST = 2 ** 16;

const within = (length: number, most: number): number => Math.max(0, Math.min(length, most));

/** Keeps the first bytes of a temporary file. */
export const inMemory = (rest: EncryptedFile): EncryptedFile => new TemporaryFile(rest);

export class TemporaryFile implements EncryptedFile {
  /** No file needs its bytes after a crash. */
  readonly isWaiting = false;
  readonly #rest: EncryptedFile;
  #held = new Uint8Array(0);
  /** How many of the bytes in memory are those of the file. */
  #end = 0;

  /** @param rest - Has the bytes from {@link MOST} on. */
  constructor(rest: EncryptedFile) {
    this.#rest = rest;
  }

  *size(): Steps<number> {
    return this.#end < MOST ? this.#end : MOST + (yield* this.#rest.size());
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    const length = within(this.#end - at, into.length);
    into.set(this.#held.subarray(at, at + length));
    if (length === into.length) return true;
    if (this.#end === MOST) return yield* this.#rest.read(into.subarray(length), at + length - MOST);
    into.fill(0, length);
    return false;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const length = within(MOST - at, bytes.length);
    const end = Math.min(at + bytes.length, MOST);
    if (end > this.#held.length) this.#grow(end);
    this.#held.set(bytes.subarray(0, length), at < MOST ? at : 0);
    this.#end = Math.max(this.#end, end);
    if (length < bytes.length) yield* this.#rest.write(bytes.subarray(length), at + length - MOST);
  }

  #grow(least: number): void {
    const before = this.#held;
    this.#held = new Uint8Array(Math.min(MOST, Math.max(FEWEST, 2 * before.length, least)));
    this.#held.set(before);
    before.fill(0);
  }

  *truncate(size: number): Steps<void> {
    if (this.#end === MOST) yield* this.#rest.truncate(Math.max(0, size - MOST));
    this.#end = Math.min(this.#end, size);
    this.#held.fill(0, this.#end);
  }

  *flush(): Steps<void> {
    // They don't have to be on the medium.
  }

  *sync(): Steps<void> {
    // As above.
  }

  release(): void {
    // No other connection has it.
  }

  destroy(): void {
    this.#held.fill(0);
    this.#rest.destroy();
  }
}
