/** A file as SQLite sees it, decrypted. */
import type { Steps } from '../steps.ts';

export interface EncryptedFile {
  /** As {@link RawFile.read}, decrypted. */
  read(into: Uint8Array, at: number): Steps<boolean>;
  write(bytes: Uint8Array, at: number): Steps<void>;
  truncate(size: number): Steps<void>;
  /** Called before the bytes are flushed. */
  sync(): Steps<void>;
  size(): Steps<number>;
  /** Wipes keys and decrypted bytes. */
  destroy(): void;
}

/** Parts of a range, each within one block: its number, where it begins in the block, and its place in the range. */
export function* partsOf(
  at: number,
  length: number,
  block: number,
): Generator<{ readonly index: number; readonly from: number; readonly to: number; readonly at: number }> {
  for (let done = 0; done < length;) {
    const index = Math.floor((at + done) / block);
    const from = at + done - index * block;
    const to = Math.min(block, from + length - done);
    yield { index, from, to, at: done };
    done += to - from;
  }
}
