/** Files and Blobs, as threads read and write them by themselves. */
import { fileSystem } from './node.ts';
import type { SharedFile } from '../work/threads.ts';
import { Bytes, fillBytes, part } from '../engine/intrinsics.ts';

type OpenFile = Exclude<SharedFile, Blob>;

/** Whether an open file is still the one that was meant: the number of a file that was closed may be that of another by now. */
function isMeant(file: OpenFile): boolean {
  const { dev, ino } = fileSystem()!.fstatSync(file.fd, { bigint: true });
  return dev === file.dev && ino === file.ino;
}

/** The files that a thread reads, into memory that it uses again. */
export class Files {
  #buffer = new Bytes(0);

  /** The bytes of a range; undefined if the file does not have them, or is not the one that was meant. */
  read(file: SharedFile, from: number, to: number): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    return 'fd' in file ? this.readOpen(file, from, to) : readBlob(file, from, to);
  }

  /** As `read`, of an open file: at once, into memory that the next call uses, too. */
  readOpen(file: OpenFile, from: number, to: number): Uint8Array | undefined {
    try {
      const system = fileSystem()!;
      if (this.#buffer.length < to - from) {
        this.wipe();
        this.#buffer = new Bytes(to - from);
      }
      for (let at = from; at < to;) {
        const read = system.readSync(file.fd, this.#buffer, at - from, to - at, at);
        if (!read) return undefined;
        at += read;
      }
      return isMeant(file) ? part(this.#buffer, 0, to - from) : undefined;
    } catch {
      return undefined;
    }
  }

  /** Writes bytes; false if not all of them could be written, or if the file is not the one that was meant. */
  write(file: SharedFile, bytes: Uint8Array, at: number): boolean {
    if (!('fd' in file)) return false;
    try {
      const system = fileSystem()!;
      const { length } = bytes;
      for (let done = 0; done < length;) {
        if (!isMeant(file)) return false;
        const written = system.writeSync(file.fd, bytes, done, length - done, at + done);
        if (!written) return false;
        done += written;
      }
      return true;
    } catch {
      return false;
    }
  }

  wipe(): void {
    fillBytes(this.#buffer, 0);
  }
}

async function readBlob(blob: Blob, from: number, to: number): Promise<Uint8Array | undefined> {
  try {
    const bytes = new Bytes(await blob.slice(from, to).arrayBuffer());
    return bytes.length === to - from ? bytes : undefined;
  } catch {
    return undefined;
  }
}
