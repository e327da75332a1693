/** Handles of files, as far as they are used: callers pass the host's own. What handles answer is checked. */
import { typeOf, wrongType } from '../calls/checks.ts';
import { floor } from '../engine/intrinsics.ts';

/** As far as it is used, the `FileSystemSyncAccessHandle` of workers. */
export interface SynchronousHandle {
  /** Reads at a position, and returns how many bytes came. */
  read(buffer: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  /** Writes at a position, and returns how many bytes went. */
  write(buffer: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  /** Makes the file shorter, or longer by zeros. */
  truncate(size: number): void;
  /** Returns when all that was written is on the device. */
  flush(): void;
  /** The size of the file in bytes. */
  getSize(): number;
}

/** As far as it is used, the `FileHandle` of Node, of a file that is read. */
export interface NodeHandle {
  /** Reads at a position, and tells how many bytes came. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{
    /** How many bytes came; 0 at the end of the file. */
    bytesRead: number;
  }>;
  /** Tells the size. */
  stat(): Promise<{
    /** The size of the file in bytes. */
    size: number;
  }>;
}

/** A `FileHandle` of Node, of a regular file. It is read from its start, stays the caller's, and must stay open. */
export interface OpenFile extends NodeHandle {
  /** The file's descriptor. */
  readonly fd: number;
}

/** As far as it is used, a `FileHandle` of Node that can be read. */
export type OpenOrigin = OpenFile;

/** As far as it is used, a `FileHandle` of Node that can be written. */
export interface OpenTarget {
  /** The descriptor, by which workers write. */
  readonly fd: number;
  /**
   * Writes bytes of a buffer at an offset of the file, where no worker does.
   *
   * @param buffer - Holds the bytes.
   * @param offset - Where they begin in the buffer.
   * @param length - How many they are.
   * @param position - Where they go in the file.
   * @returns A promise of an object that tells how many were written.
   */
  write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<Written>;
}

/** What a write has done. */
export interface Written {
  /** How many bytes were written, which may be fewer than were given. */
  readonly bytesWritten: number;
}

/** As far as it is used, the `FileHandle` of Node, of a file that is read and written. */
export interface NodeFile extends NodeHandle, Pick<OpenTarget, 'write'> {
  truncate(size: number): Promise<void>;
  sync(): Promise<void>;
}

/** As far as it is used, a `Blob` or a `File`. */
export interface BlobLike {
  readonly size: number;
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** As far as it is used, a `FileSystemWritableFileStream`. */
export interface WebWritable {
  write(chunk: { type: 'write'; position: number; data: Uint8Array<ArrayBuffer> }): Promise<void>;
  truncate(size: number): Promise<void>;
  close(): Promise<void>;
}

/** As far as it is used, a `FileSystemFileHandle`. */
export interface WebHandle {
  getFile(): Promise<BlobLike>;
  createWritable(options: { keepExistingData: boolean }): Promise<WebWritable>;
}

/** A `FileHandle` of Node or a `FileSystemFileHandle`, as far as they are used. */
export type AsynchronousHandle = NodeFile | WebHandle;

/** A file that is being written, which is not visible before `close`. */
export interface WritableFile {
  /** Writes bytes after those before. They are wiped when the promise is settled. */
  write(bytes: Uint8Array<ArrayBuffer>): unknown;
  /** Puts the file in its place. */
  close(): unknown;
  /** Removes the file. */
  abort(reason?: unknown): unknown;
}

/** A place for a file: a `FileSystemFileHandle`, or the result of `newFile` of `lanewise/stream-node.js`. */
export interface FileTarget {
  /** Called when there is something to write, or the stream is empty. */
  createWritable(): Promise<WritableFile>;
}

/** Whether a value is an object with methods of these names. */
export function has(value: unknown, ...names: readonly (string | symbol)[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (let i = 0; i < names.length; i++)
    if (typeof (value as Record<string | symbol, unknown>)[names[i]] !== 'function') return false;
  return true;
}

/** Checks an object that the caller's code gives; `expected` says what was expected. */
export function objectOf<Its>(value: unknown, expected: string, ...methods: readonly string[]): Its {
  if (has(value, ...methods)) return value as Its;
  throw wrongType(value, expected);
}

/** Whether an answer is a number of bytes: an impossible one would turn data into noise or zeros. */
export const isCount = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most && floor(value) === value;

/** A number in the answer of a handle; undefined if there is none, or no answer. */
export const tells = async <N extends string>(answer: Promise<Readonly<Record<N, number>>>, name: N): Promise<number> =>
  ((await answer) as Partial<Record<N, number>> | null | undefined)?.[name] as number;

/** An answer, for the message of an error. */
export const told = (value: unknown): string => (typeof value === 'number' ? `${value}` : typeOf(value));
