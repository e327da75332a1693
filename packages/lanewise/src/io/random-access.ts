/** Sources of random access, everything with bytes that can be read at any place, behind one interface. */
import { abortable, signalOf } from '../work/abort.ts';
import { has, isCount, tells, told } from './handles.ts';
import type { BlobLike, NodeHandle, SynchronousHandle, WebHandle } from './handles.ts';
import { withoutSize } from './node.ts';
import { fixed, isBytes, present, refuseSurplus, sizeOf, typeOf, wrongType } from '../calls/checks.ts';
import { byteLengthOf, Bytes, getWeak, hosted, max, min, part, setWeak } from '../engine/intrinsics.ts';

const HostBlob = /* @__PURE__ */ hosted<typeof Blob>('Blob');

/** Bytes that can be read at any place. Write one for a store of your own. */
export interface RandomAccess {
  /** How many bytes there are, or a function that finds out. */
  readonly size: number | ((signal: AbortSignal) => number | Promise<number>);
  /**
   * Reads the bytes from `from` to `to`, without the one at `to`.
   *
   * @param from - From 0 up.
   * @param to - Above `from`, and at most the size.
   * @param signal - Aborted when the bytes are not wanted any more.
   * @returns All of these bytes, which are not written to.
   */
  read(from: number, to: number, signal: AbortSignal): Uint8Array | Promise<Uint8Array>;
}

/**
 * Bytes that can be read at any place: a Blob or File, a `FileHandle` of Node, a `FileSystemFileHandle` or
 * `FileSystemSyncAccessHandle`, a Uint8Array, the source of {@link fetchRange}, or any object with `size` and `read`.
 */
export type RandomAccessSource =
  | Uint8Array
  | BlobLike
  | NodeHandle
  | Pick<SynchronousHandle, 'read' | 'getSize'>
  | Pick<WebHandle, 'getFile'>
  | RandomAccess;

function ofBytes(given: Uint8Array): RandomAccess {
  const bytes = fixed(given, 'source');
  const size = byteLengthOf(bytes);
  return { size, read: (from, to) => part(present(bytes, 'source'), min(from, size), max(0, min(to, size) - from)) };
}

const ofBlob = (blob: BlobLike): RandomAccess => ({
  size: blob.size,
  read: async (from, to) => new Bytes(await blob.slice(from, to).arrayBuffer()),
});

/** Reads by calls that may move fewer bytes than they are asked for. */
const bySteps =
  (step: (into: Uint8Array<ArrayBuffer>, at: number) => number | Promise<number>): RandomAccess['read'] =>
  async (from, to, signal) => {
    const bytes = new Bytes(to - from);
    let done = 0;
    while (done < to - from && !signal.aborted) {
      const moved = await step(part(bytes, done, to - from - done) as Uint8Array<ArrayBuffer>, from + done);
      if (!(moved > 0 && moved <= to - from - done)) break;
      done += moved;
    }
    return part(bytes, 0, done);
  };

const ofFileHandle = (handle: NodeHandle): RandomAccess => ({
  async size() {
    const size = await tells(handle.stat(), 'size');
    if (size === 0 && (await tells(handle.read(new Bytes(1), 0, 1, 0), 'bytesRead'))) throw withoutSize();
    return size;
  },
  read: bySteps(async (into, at) => tells(handle.read(into, 0, into.length, at), 'bytesRead')),
});

const ofSyncAccessHandle = (handle: Pick<SynchronousHandle, 'read' | 'getSize'>): RandomAccess => ({
  size: () => handle.getSize(),
  read: bySteps((into, at) => handle.read(into, { at })),
});

/** The file as it is when its size is asked for: browsers refuse to read it if it changes afterwards. */
function ofFileSystemFileHandle(handle: Pick<WebHandle, 'getFile'>): RandomAccess {
  let file: RandomAccess | undefined;
  const open = async (): Promise<RandomAccess> => (file ??= ofBlob(await handle.getFile()));
  return {
    size: async () => (await open()).size as number,
    read: async (from, to, signal) => (await open()).read(from, to, signal),
  };
}

const TYPES = 'Blob, FileHandle, FileSystemFileHandle, FileSystemSyncAccessHandle, Uint8Array or object { size, read }';
/** The error for a value that isn't a source, with advice for those that are often passed in place of one. */
function noSource(source: unknown): TypeError {
  const expected = `"source" expected ${TYPES}`;
  const { href, body } = Object(source) as Partial<Record<string, unknown>>;
  if (typeof source === 'string' || href !== undefined)
    return new TypeError(`${expected}, got ${typeOf(source)}; use fetchRange(url), or open(path) for a file`);
  if (body !== undefined || has(source, 'getReader') || has(source, 'pipe'))
    return new TypeError(`${expected}, got ${typeOf(source)}; a stream can be read once only: use decrypt, or a Blob`);
  return wrongType(source, expected);
}

/** The Blobs that sources read, for threads that read them by themselves. */
const blobs = /* @__PURE__ */ new WeakMap<RandomAccess, Blob>();

/** The Blob that a source reads, if other threads can have it; Bun copies the bytes of one that is posted. */
export const blobOf = (source: Source): Blob | undefined => ('Bun' in globalThis ? undefined : getWeak(blobs, source));

function kindOf(source: unknown): RandomAccess {
  if (isBytes(source)) return ofBytes(source);
  const isSized = (source as Partial<RandomAccess> | null | undefined)?.size !== undefined;
  if (isSized && has(source, 'slice')) return ofBlob(source as BlobLike);
  if (has(source, 'getFile')) return ofFileSystemFileHandle(source as WebHandle);
  if (has(source, 'read')) {
    if (isSized) return source as RandomAccess;
    if (has(source, 'getSize')) return ofSyncAccessHandle(source as SynchronousHandle);
    // A file of Deno reads at its own position.
    if (has(source, 'stat') && !has(source, 'seek')) return ofFileHandle(source as NodeHandle);
  }
  throw noSource(source);
}

/** A source of any kind, with one way to read it, whose answers are checked. Made by {@link randomAccess}. */
export class Source implements RandomAccess {
  readonly #kind: RandomAccess;

  /** @internal */
  constructor(kind: RandomAccess) {
    this.#kind = kind;
  }

  /**
   * Finds out how many bytes there are.
   *
   * @param signal - An AbortSignal, if the request is to be given up some day.
   * @returns A promise of the number.
   * @throws TypeError if an argument has the wrong type. The promise is rejected with the reason of the signal, with an
   * Error if the source does not give a size, or with whatever the source throws.
   */
  size(signal?: AbortSignal): Promise<number> {
    refuseSurplus(arguments, 1);
    return abortable([signalOf(signal)], async (its) => {
      const { size } = this.#kind;
      const found: unknown = typeof size === 'function' ? await size.call(this.#kind, its) : size;
      if (!isCount(found, 0, 2 ** 53 - 1))
        throw new Error(`cannot read the source: it says that its size is ${told(found)}`);
      return found;
    });
  }

  /**
   * Reads the bytes from `from` to `to`, without the one at `to`.
   *
   * @param from - The first byte: an integer from 0 up.
   * @param to - Where to stop: an integer from `from` up.
   * @param signal - An AbortSignal, if the request is to be given up some day.
   * @returns A promise of the bytes, which may be the source's own: leave them as they are.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value. The promise is
   * rejected with the reason of the signal, with an Error if the source gives fewer bytes or more, or with whatever the
   * source throws.
   */
  read(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    refuseSurplus(arguments, 3);
    const length = sizeOf(to, 'to', sizeOf(from, 'from', 0)) - from;
    return abortable([signalOf(signal)], async (its) => {
      const bytes: unknown = length ? await this.#kind.read(from, to, its) : new Bytes(0);
      const got = isBytes(bytes) ? byteLengthOf(bytes) : typeOf(bytes);
      if (got !== length)
        throw new Error(`cannot read ${length} bytes of the source at ${from}: it gave ${got}; was it changed?`);
      return part(bytes as Uint8Array, 0, length);
    });
  }
}

/**
 * One way to read the bytes of any source of random access, for formats that have something in front of a stream.
 *
 * @param source - A Blob or File, a `FileHandle` of Node, a `FileSystemFileHandle` or `FileSystemSyncAccessHandle`, a Uint8Array,
 * the source of {@link fetchRange}, or an object with `size` and `read`. It stays the caller's, who closes it.
 * @returns An object with `size(signal?)` and `read(from, to, signal?)`, which give promises. It is itself a source of
 * random access.
 * @throws TypeError if the source is none of these.
 * @example
 * ```ts
 * import { agePayload, randomAccess } from 'lanewise/stream.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const sealer = agePayload(key).sealer();
 * const blob = new Blob(['a header', sealer.push(new Uint8Array(100_000)), sealer.end()]);
 *
 * const source = randomAccess(blob);
 * const header = await source.read(0, 8);
 * const file = await agePayload(key).reader(source, { offset: header.length });
 * console.log(await file.read(99_000, file.size));
 * ```
 */
export function randomAccess(source: RandomAccessSource): Source {
  refuseSurplus(arguments, 1);
  if (source instanceof Source) return source;
  const made = new Source(kindOf(source));
  const Host = HostBlob();
  if (Host && source instanceof Host) setWeak(blobs, made, source);
  return made;
}
