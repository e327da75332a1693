/** Stores with random access: the handles that callers have, behind one interface. */
import { typeOf } from '../calls/checks.ts';
import { byteLengthOf, part } from '../engine/intrinsics.ts';
import { has, isCount, tells, told } from './handles.ts';
import type { AsynchronousHandle, NodeFile, SynchronousHandle, WebHandle, WebWritable } from './handles.ts';
import type { Operation } from './steps.ts';

type MaybePromise<T> = T | Promise<T>;

/** The operations that a device needs. Reads and writes return how many bytes they moved. */
export interface Store {
  read(into: Uint8Array, at: number): MaybePromise<number>;
  write(from: Uint8Array, at: number): MaybePromise<number>;
  truncate(size: number): MaybePromise<void>;
  flush(): MaybePromise<void>;
  size(): MaybePromise<number>;
}

type Plain = Uint8Array<ArrayBuffer>;

const ofSyncAccessHandle = (handle: SynchronousHandle): Store => ({
  read: (into, at) => handle.read(into as Plain, { at }),
  write: (from, at) => handle.write(from as Plain, { at }),
  truncate: (size) => handle.truncate(size),
  flush: () => handle.flush(),
  size: () => handle.getSize(),
});

/** Reads and writes of `FileHandle`s of Node. */
export const movesOf = (from: Pick<NodeFile, 'read'>, to: Pick<NodeFile, 'write'>): Moves => ({
  read: async (into, at) => tells(from.read(into, 0, into.length, at), 'bytesRead'),
  write: async (bytes, at) => tells(to.write(bytes, 0, bytes.length, at), 'bytesWritten'),
});

const ofFileHandle = (handle: NodeFile): Store => ({
  ...movesOf(handle, handle),
  truncate: (size) => handle.truncate(size),
  flush: () => handle.sync(),
  size: async () => tells(handle.stat(), 'size'),
});

const ofFileSystemFileHandle = (handle: WebHandle): Store => {
  /** Closing the writable puts all of its changes into the file; an error before that puts none. */
  const change = async (work: (writable: WebWritable) => Promise<void>): Promise<void> => {
    const writable = await handle.createWritable({ keepExistingData: true });
    await work(writable);
    await writable.close();
  };
  return {
    async read(into, at) {
      const file = await handle.getFile();
      const bytes = new Uint8Array(await file.slice(at, at + into.length).arrayBuffer());
      if (bytes.length <= into.length) into.set(bytes);
      return bytes.length;
    },
    async write(from, at) {
      await change((writable) => writable.write({ type: 'write', position: at, data: from as Plain }));
      return from.length;
    },
    truncate: (size) => change((writable) => writable.truncate(size)),
    flush: () => Promise.resolve(),
    size: async () => tells(handle.getFile(), 'size'),
  };
};

/** Throws a TypeError if it isn't a handle of the kinds that are known. */
export function storeOf(handle: SynchronousHandle | AsynchronousHandle): { store: Store; synchronous: boolean } {
  if (has(handle, 'getSize', 'flush'))
    return { store: ofSyncAccessHandle(handle as SynchronousHandle), synchronous: true };
  if (has(handle, 'stat', 'sync')) return { store: ofFileHandle(handle as NodeFile), synchronous: false };
  if (has(handle, 'getFile', 'createWritable'))
    return { store: ofFileSystemFileHandle(handle as WebHandle), synchronous: false };
  const kinds = 'FileHandle, FileSystemSyncAccessHandle or FileSystemFileHandle';
  throw new TypeError(`"handle" expected ${kinds}, got ${typeOf(handle)}`);
}

/** The size that a store gives, checked. */
export function checkedSize(size: unknown): number {
  if (!isCount(size, 0, 2 ** 53 - 1)) throw new Error(`cannot use the store: it says that its size is ${told(size)}`);
  return size;
}

/** The part of a store that moves bytes. */
export type Moves = Pick<Store, 'read' | 'write'>;

/** Moves all of `bytes`; a store may move fewer at a time than it was asked to. */
function* moveAll(store: Moves, name: 'read' | 'write', bytes: Uint8Array, at: number): Operation<void> {
  const length = byteLengthOf(bytes);
  for (let done = 0; done < length;) {
    const left = length - done;
    const moved: unknown = yield store[name](done ? part(bytes, done, left) : bytes, at + done);
    if (!isCount(moved, 1, left))
      throw new Error(
        `cannot ${name} ${left} bytes of the store at ${at + done}: it says that it moved ${told(moved)}`,
      );
    done += moved;
  }
}

/** Fills `bytes` with the store's bytes from `at` on. */
export const readAll = (store: Moves, bytes: Uint8Array, at: number): Operation<void> =>
  moveAll(store, 'read', bytes, at);

/** Writes all of `bytes` at `at`. */
export const writeAll = (store: Moves, bytes: Uint8Array, at: number): Operation<void> =>
  moveAll(store, 'write', bytes, at);
