/** The sources of bytes that streams are made of, behind one interface. */
import { BytesSource, RangesSource, type OpenSource } from './parts-source.ts';
import { randomAccess } from './random-access.ts';
import { fixed, isBytes, wrongType } from '../calls/checks.ts';
import { has, objectOf, type OpenFile } from './handles.ts';
import { builtin, openFileOf } from './node.ts';
import {
  asyncIterator,
  bufferOf,
  byteLengthOf,
  Bytes,
  fillBytes,
  isArray,
  iterator,
  typeName,
} from '../engine/intrinsics.ts';

/**
 * Where the bytes of a stream come from. A stream that was read before is taken from where it stands; it must not be locked to a
 * reader. The body of a Response or Request must not be used yet; one that has none counts as empty.
 */
export type ByteSource =
  | ReadableStream<Uint8Array>
  | Blob
  | Response
  | Request
  | Uint8Array
  | OpenFile
  | Iterable<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A source that was checked, and not touched yet. */
export interface CheckedSource {
  /** How many bytes it has, if that is known. */
  readonly size: number | undefined;
  /** @param inParts - Whether the source is read in parts by threads, and not from its start to its end. */
  open(inParts?: boolean): OpenSource;
}

/** The memory that a byte stream fills, over and over. */
const BUFFER_BYTES = 262_144;
const SLICE_BYTES = 1_048_576;

const TYPES =
  '"source" expected ReadableStream, Blob, Response, Request, FileHandle, Uint8Array or iterable of Uint8Array';

/** Checks a piece, which a caller without TypeScript may have made of anything, and keeps its length. */
export const pieceOf = (value: unknown): Uint8Array => fixed(value, 'chunk');

/** Checks a result of an iterator or a reader, which the caller may have written. */
const resultOf = (result: unknown): ReadableStreamReadResult<unknown> =>
  objectOf(result, '"source" expected pieces as objects { done, value }');

type AnyIterator = Partial<Pick<AsyncIterator<unknown>, 'return'>> & {
  next(): IteratorResult<unknown> | Promise<IteratorResult<unknown>>;
};

/** An object with a method that gives an iterator. */
type AnyIterable = Readonly<Record<symbol, () => AnyIterator>> & { destroy?(): void };

class IteratorSource implements OpenSource {
  readonly #source: AnyIterable;
  readonly #method: symbol;
  #iterator: AnyIterator | undefined;
  #started = false;
  #done = false;

  constructor(source: AnyIterable, method: symbol) {
    this.#source = source;
    this.#method = method;
  }

  async read(): Promise<Uint8Array | undefined> {
    this.#started = true;
    let result: ReadableStreamReadResult<unknown>;
    try {
      result = resultOf(await this.#its().next());
    } catch (error) {
      // Such an iterator has ended by itself.
      this.#done = true;
      throw error;
    }
    if (!result.done) return pieceOf(result.value);
    this.#done = true;
    return undefined;
  }

  close(): void {
    this.#done = true;
  }

  async cancel(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    await this.#its().return?.();
    // The iterator of a Readable of Node ends it only if it was started.
    if (!this.#started) this.#source.destroy?.();
  }

  #its(): AnyIterator {
    return (this.#iterator ??= objectOf<AnyIterator>(
      this.#source[this.#method](),
      '"source" expected iterable that gives an iterator',
      'next',
    ));
  }
}

/** A stream that gives bytes in memory of its own. */
class StreamSource implements OpenSource {
  readonly #reader: ReadableStreamDefaultReader<unknown>;

  constructor(reader: ReadableStreamDefaultReader<unknown>) {
    this.#reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { value, done } = resultOf(await this.#reader.read());
    return done ? undefined : pieceOf(value);
  }

  close(): void {
    this.#reader.releaseLock();
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}

/**
 * Readers that wait for bytes. In Chromium the stream of a Blob does not keep a reader alive that waits for it with memory of its own, which
 * would be garbage then, and wait for ever, unless something else holds the reader.
 */
const waiting: Record<number, ReadableStreamBYOBReader> = { __proto__: null } as never;
let reads = 0;

async function heldRead(
  reader: ReadableStreamBYOBReader,
  buffer: Uint8Array<ArrayBuffer>,
): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
  const its = reads++;
  waiting[its] = reader;
  try {
    return await reader.read(buffer);
  } finally {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a page may replace the methods of a Map or Set
    delete waiting[its];
  }
}

/** A byte stream, which fills memory of ours. */
class ByteStreamSource implements OpenSource {
  readonly #reader: ReadableStreamBYOBReader;
  /** Undefined while the stream has it. */
  #buffer: Uint8Array<ArrayBuffer> | undefined;
  #closed = false;

  constructor(reader: ReadableStreamBYOBReader) {
    this.#reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    const buffer = this.#buffer ?? new Bytes(BUFFER_BYTES);
    this.#buffer = undefined;
    const { value, done } = await heldRead(this.#reader, buffer);
    // A stream that was cancelled gives no memory back.
    if (value) this.#buffer = new Bytes(bufferOf(value) as ArrayBuffer);
    if (this.#closed) this.#wipe();
    return done || this.#closed ? undefined : value;
  }

  close(): void {
    this.#wipe();
    this.#reader.releaseLock();
  }

  cancel(reason: unknown): Promise<void> {
    this.#wipe();
    return this.#reader.cancel(reason);
  }

  #wipe(): void {
    this.#closed = true;
    if (this.#buffer) fillBytes(this.#buffer, 0);
  }
}

type AnyStream = ReadableStream<unknown>;

/** A reader of a byte stream gives it our memory to fill; one of another stream takes its chunks. */
function readStream(stream: AnyStream): OpenSource {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    return new StreamSource(stream.getReader());
  }
  return new ByteStreamSource(reader);
}

/** Whether `stream` and `slice` are those of Node, Bun or Deno, whose pieces are memory of the receiver alone. */
function isOfNode(blob: Blob): boolean {
  const own = (builtin('node:buffer') as { Blob: typeof Blob } | undefined)?.Blob.prototype;
  return own?.stream === blob.stream && own.slice === blob.slice;
}

/**
 * The bytes of such a Blob. Its stream is one piece as long as the Blob, and new memory takes most of the time; slices whose memory is
 * given back at once, not by the garbage collector, all get the same.
 */
async function* slicesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += SLICE_BYTES)
    for await (const piece of blob.slice(at, at + SLICE_BYTES).stream()) {
      yield piece;
      (bufferOf(piece) as { transfer?(length: number): unknown }).transfer?.(0);
    }
}

const streamOpening = (stream: AnyStream, size?: number): CheckedSource => {
  if (stream.locked) throw new TypeError('"source" expected stream that is not locked to a reader, got a locked one');
  return { size, open: () => readStream(stream) };
};

const bytesOpening = (bytes: Uint8Array): CheckedSource => ({
  size: byteLengthOf(bytes),
  open: () => new BytesSource(bytes),
});

/** Checks a source, without touching it. */
export function sourceOf(source: unknown): CheckedSource {
  if (isBytes(source)) return bytesOpening(fixed(source, 'source'));
  if (typeof source === 'string') throw new TypeError(`${wrongType(source, TYPES).message}; for a file open(path)`);
  if (typeof source !== 'object' || source === null || typeName(source) !== undefined) throw wrongType(source, TYPES);
  // Collections such as FormData or Headers are iterable, and an empty one would be an empty stream.
  if (has(source, 'has', 'delete')) throw wrongType(source, TYPES);
  if (has(source, 'getReader')) return streamOpening(source as AnyStream);
  if (has(source, 'stream', 'slice')) {
    const blob = source as Blob;
    return {
      size: blob.size,
      open: (inParts) => {
        // Bun copies the bytes of a Blob that is posted.
        if (inParts) return new RangesSource(randomAccess(blob), blob.size, 'Bun' in globalThis ? undefined : blob);
        return isOfNode(blob)
          ? new IteratorSource({ [iterator]: () => slicesOf(blob) }, iterator)
          : readStream(blob.stream());
      },
    };
  }
  if (typeof (source as Partial<Body>).bodyUsed === 'boolean') {
    const { body, bodyUsed } = source as Body;
    // Firefox has no bodies of Requests as streams.
    if (body === undefined)
      throw new TypeError('"source" expected Request with a body, which this host lacks; use await request.blob()');
    if (bodyUsed) throw new TypeError('"source" expected body that is not used yet, got one that was read');
    return body ? streamOpening(body) : bytesOpening(new Bytes(0));
  }
  const opened = openFileOf(source);
  if (opened) {
    const { size, file } = opened;
    return { size, open: () => new RangesSource(randomAccess(source as OpenFile), size, file) };
  }
  const pieces: Uint8Array[] = [];
  if (isArray(source)) for (let i = 0; i < source.length; i++) pieces[i] = pieceOf(source[i]);
  const method = has(source, asyncIterator) ? asyncIterator : iterator;
  if (!has(source, method)) throw wrongType(source, TYPES);
  const its: unknown = isArray(source) ? pieces : source;
  return { size: undefined, open: () => new IteratorSource(its as AnyIterable, method) };
}
