/** Stores of encrypted files, in memory. */
import type { AsynchronousHandle, SynchronousHandle } from '../../src/disk.ts';

/** A store in memory that moves no more than `most` bytes at a time, and records its writes. */
export class Memory implements SynchronousHandle {
  bytes = new Uint8Array();
  flushed = 0;
  readonly writes: { at: number; length: number }[] = [];
  readonly #most: number;
  constructor(most = Infinity) {
    this.#most = most;
  }
  read(buffer: Uint8Array, { at }: { at: number }): number {
    const some = this.bytes.subarray(at, at + Math.min(buffer.length, this.#most));
    buffer.set(some);
    return some.length;
  }
  write(buffer: Uint8Array, { at }: { at: number }): number {
    const length = Math.min(buffer.length, this.#most);
    if (at + length > this.bytes.length) this.truncate(at + length);
    this.bytes.set(buffer.subarray(0, length), at);
    this.writes.push({ at, length });
    return length;
  }
  truncate(size: number): void {
    const old = this.bytes;
    this.bytes = new Uint8Array(size);
    this.bytes.set(old.subarray(0, size));
  }
  flush(): void {
    this.flushed++;
  }
  getSize(): number {
    return this.bytes.length;
  }
}

/** A browser's file: changes reach the file when the writable is closed. */
export function webHandle(memory: Memory): AsynchronousHandle {
  return {
    getFile: () => {
      const bytes = memory.bytes.slice();
      return Promise.resolve({
        size: bytes.length,
        slice: (from: number, to: number) => ({
          arrayBuffer: () => Promise.resolve(bytes.slice(from, to).buffer),
        }),
      });
    },
    createWritable: ({ keepExistingData }) => {
      const copy = new Memory();
      if (keepExistingData) copy.bytes = memory.bytes.slice();
      return Promise.resolve({
        write: ({ position, data }) => {
          copy.write(data, { at: position });
          return Promise.resolve();
        },
        truncate: (size: number) => {
          copy.truncate(size);
          return Promise.resolve();
        },
        close: () => {
          memory.bytes = copy.bytes;
          return Promise.resolve();
        },
      });
    },
  };
}

/** A file like Node's `FileHandle`; each operation takes a while. */
export function nodeHandle(memory: Memory): AsynchronousHandle {
  const later = <T>(work: () => T): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(work())));
  return {
    read: (buffer, offset, length, at) =>
      later(() => ({ bytesRead: memory.read(buffer.subarray(offset, offset + length), { at }) })),
    write: (buffer, offset, length, at) =>
      later(() => ({ bytesWritten: memory.write(buffer.subarray(offset, offset + length), { at }) })),
    truncate: (size) => later(() => memory.truncate(size)),
    sync: () => later(() => memory.flush()),
    stat: () => later(() => ({ size: memory.getSize() })),
  };
}
