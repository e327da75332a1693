/** Files on file systems that all workers share. */
import type { FileHandle } from 'node:fs/promises';
import { ObjectChanged } from './errors.ts';
import { versionOf, type SharedFile } from './file.ts';
import type { ObjectVersion, Reader } from './object.ts';
import { checkRange } from './ranges.ts';
import { attempted, resumed, type Range } from './retry.ts';

/** Bytes of a piece. */
const PIECE = 1 << 20;

export class FileReader implements Reader {
  readonly #file: SharedFile;

  constructor(file: SharedFile) {
    this.#file = file;
  }

  look(signal?: AbortSignal): Promise<ObjectVersion> {
    return attempted(this.#file.limits, signal, async () => {
      const handle = await this.#file.open();
      try {
        const stat = await this.#file.call(handle.stat({ bigint: true }));
        return { url: this.#file.url, size: Number(stat.size), etag: versionOf(stat) };
      } finally {
        close(handle);
      }
    });
  }

  read(object: ObjectVersion, offset: number, length: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#read(object, { offset, length }, signal, () => (size) => Buffer.allocUnsafeSlow(size));
  }

  /** Two buffers in turns: fresh ones cost a quarter of the time in which their bytes are hashed. */
  lend(object: ObjectVersion, offset: number, length: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    return this.#read(object, { offset, length }, signal, () => {
      const size = Math.min(PIECE, length);
      const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
      return () => buffers.reverse()[0];
    });
  }

  /** `buffers` is called for each attempt: a read that was given up may still write into the buffers of its attempt. */
  #read(
    object: ObjectVersion,
    { offset, length }: Range,
    signal: AbortSignal | undefined,
    buffers: () => (size: number) => Buffer,
  ): AsyncGenerator<Uint8Array> {
    checkRange(object, offset, length);
    const open = (rest: Range): AsyncGenerator<Uint8Array> => this.#pieces(object, rest, buffers());
    return resumed(this.#file.url, { offset, length }, this.#file.limits, signal, open);
  }

  /** The version is checked before the first byte and after the last one; a writer in between is seen by one of the two. */
  async *#pieces(
    object: ObjectVersion,
    { offset, length }: Range,
    bufferOf: (size: number) => Buffer,
  ): AsyncGenerator<Uint8Array> {
    const handle = await this.#file.open();
    const end = offset + length;
    const check = async (): Promise<void> => {
      const stat = await this.#file.call(handle.stat({ bigint: true }));
      if (versionOf(stat) !== object.etag) throw new ObjectChanged(this.#file.url);
    };
    const readAt = async (position: number): Promise<Uint8Array> => {
      const size = Math.min(PIECE, end - position);
      const buffer = bufferOf(size);
      const { bytesRead } = await this.#file.call(handle.read(buffer, 0, size, position));
      return buffer.subarray(0, bytesRead);
    };
    // One piece is read ahead while the one before is used.
    let next: Promise<Uint8Array> | undefined;
    try {
      await check();
      for (let position = offset; position < end;) {
        const piece = await (next ?? readAt(position));
        position += piece.length;
        next = undefined;
        if (piece.length === 0 || position === end) {
          await check();
          if (piece.length === 0) return;
        } else {
          next = readAt(position);
          next.catch(() => undefined);
        }
        yield piece;
      }
    } finally {
      close(handle);
    }
  }
}

/** Closing waits for calls that are under way, and no call waits for it: the file was only read. */
const close = (handle: FileHandle): void => void handle.close().catch(() => undefined);
