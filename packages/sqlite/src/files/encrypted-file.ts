/** A file as SQLite sees it, decrypted. */
import type { Steps } from '../steps.ts';

export interface EncryptedFile {
  /** As {@link RawFile.read}, decrypted. */
  read(into: Uint8Array, at: number): Steps<boolean>;
  write(bytes: Uint8Array, at: number): Steps<void>;
  truncate(size: number): Steps<void>;
  /** Whether bytes wait in memory that have to be with the VFS before the database changes. */
  readonly isWaiting: boolean;
  /** Hands over the bytes that wait. */
  flush(): Steps<void>;
  /** Hands over the bytes that wait, and flushes all to the medium. */
  sync(flags: number): Steps<void>;
  size(): Steps<number>;
  /** From now on another connection may change the file. */
  release(): void;
  /** Wipes keys and decrypted bytes. */
  destroy(): void;
}

/** A part of a range, within one block: the block's number, where the part begins and ends in it, and its place in the range. */
export interface Part {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** The parts of a range. */
export function partsOf(at: number, length: number, block: number): Part[] {
  const parts: Part[] = [];
  for (let done = 0; done < length;) {
    const index = Math.floor((at + done) / block);
    const from = at + done - index * block;
    const to = Math.min(block, from + length - done);
    parts.push({ index, from, to, at: done });
    done += to - from;
  }
  return parts;
}
