/** Streams of the platform (WHATWG) over the machines of a format. */
import { abortable, signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import { noStream, plaintextIn, sizesOf, type Chunking } from './chunking.ts';
import { Conversion, type Limits, type Method } from './conversion.ts';
import { Flow } from './flow.ts';
import { byteStreamController, readableStream, writableStream } from '../io/host-streams.ts';
import type { Source } from '../io/parts-source.ts';
import { sourceOf, type ByteSource } from '../io/source.ts';
import { decryptWhole, WHOLE, wholeFrom, type WholeFileOptions, type WholeOptions } from './whole.ts';
import { WrittenSource } from '../io/written.ts';
import { lengthOf, refuseExtra, typeOf } from '../calls/checks.ts';
import { optionOf, optionsOf, type Grammar, type Options } from '../calls/options.ts';
import { threadsOf, type PoolHandle } from '../work/threads.ts';
import { copyOf, getWeak, setWeak } from '../engine/intrinsics.ts';

/** The options that the streams of all formats have. */
export interface StreamOptions {
  /** Ends the stream with the signal's reason, when it aborts, and the source, too. */
  readonly signal?: AbortSignal;
  /**
   * Called now and then, and at the end, with the number of bytes of plaintext that are done, and with their number in all if it
   * is known: by `size`, or because the source is bytes or a Blob. If it throws, that is an error of the stream.
   */
  readonly onProgress?: (done: number, total?: number) => void;
  /** The number of bytes of the plaintext, if it is known beforehand: then a source that has another number is an error. */
  readonly size?: number;
}

/** The option of streams whose chunks do not depend on each other. */
export interface PoolOption {
  /**
   * A pool of `lanewise/pool.js`, whose threads do the chunks of long streams. Results and errors are those of one thread; the source is
   * read ahead of the reader, by some MiB for each thread.
   */
  readonly pool?: PoolHandle;
}

/** Both ends of a conversion, for `pipeThrough` and for `pipeline` of Node. */
export interface StreamPair {
  /** The result, a byte stream. */
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Takes pieces of any length. A write lasts until its bytes were taken. */
  readonly writable: WritableStream<Uint8Array>;
}

/** The streams of a format, with its own options. */
export interface Streams<Options extends StreamOptions = StreamOptions> {
  /**
   * Encrypts a source, as it is read.
   *
   * @param source - A ReadableStream, a Blob or File, a Response or Request with a body, bytes, or an iterable or asynchronous
   * iterable of bytes, in pieces of any length. A stream is locked at once.
   * @param key - 32 bytes; copied.
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns A byte stream of the header and the chunks. It reads the source only when it is read. Its `cancel` waits until the source has
   * ended, as that of the platform's streams does, or until the signal is aborted.
   * @throws TypeError or RangeError if an argument is not of that form, Error if the host has no ReadableStream: at once. Errors
   * of the source are errors of the stream; all errors of the stream cancel the source.
   */
  encrypt(source: ByteSource, key: Uint8Array, options?: Options): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a source, as it is read. Each chunk is authentic, but **only when the stream ends without an error is it known to be
   * complete**.
   *
   * @param source - As that of `encrypt`: the header and the chunks.
   * @param key - 32 bytes; copied.
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns A byte stream of the plaintext. It reads the source only when it is read.
   * @throws As `encrypt`. If the source is not authentic or not complete, the stream ends with the error that `push` or `end` of
   * the opener throws.
   */
  decrypt(source: ByteSource, key: Uint8Array, options?: Options): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a source and gives nothing before all of it is known to be authentic and complete: the plaintext, or with `to` a file
   * that is put in its place then. Plaintext is wiped on failure, and a file that was begun is removed.
   *
   * Take it wherever a part of the plaintext must not have an effect, and `decrypt` to use a long stream while it comes.
   *
   * @param source - As that of `decrypt`.
   * @param key - 32 bytes; copied.
   * @param options - Those of `decrypt`; `maxLength`, the most bytes of plaintext; `to`, a `FileSystemFileHandle` or the result of `newFile` of
   * `lanewise/stream-node.js`.
   * @returns A promise of the plaintext; with `to` of its length, when the file is in its place. It is rejected with an Error as those
   * of `decrypt`, a RangeError if there are more bytes than `maxLength`, the reason of the signal, or an error of the source or the
   * file. If the source has the size of no stream, that is an Error before anything is read.
   * @throws TypeError or RangeError if an argument is not of that form: at once.
   */
  decryptWhole(source: ByteSource, key: Uint8Array, options: Options & WholeFileOptions): Promise<number>;
  decryptWhole(
    source: ByteSource,
    key: Uint8Array,
    options?: Options & WholeOptions & { readonly to?: undefined },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Encrypts the bytes that are written to one stream; the other gives the result.
   *
   * @param key - 32 bytes; copied.
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns Two streams, for `pipeThrough` and for `pipeline` of Node.
   * @throws TypeError or RangeError if an argument is not of that form, Error if the host has no streams. Other errors are errors
   * of both streams.
   */
  encryptor(key: Uint8Array, options?: Options): StreamPair;
  /**
   * Decrypts the bytes that are written to one stream; the other gives the result. Each chunk is authentic, but **only when the stream ends without
   * an error is it known to be complete**.
   *
   * @param key - 32 bytes; copied.
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns Two streams, for `pipeThrough` and for `pipeline` of Node.
   * @throws As `encryptor`.
   */
  decryptor(key: Uint8Array, options?: Options): StreamPair;
}

/** The options of all streams; a format whose chunks depend on each other says so of `pool`. */
type StreamGrammar = Readonly<Record<keyof StreamOptions, 1> & Record<keyof PoolOption, 1 | string>>;

/** A format as its streams need it. */
export interface StreamFormat {
  readonly keyLength: number;
  /** The options: those of all streams, and its own. */
  readonly grammar: Grammar & StreamGrammar;
  /** Checks the options of the format, and copies their bytes. */
  method(options: Options<Grammar>, seals: boolean): Method;
}

/** A call whose arguments were checked. */
export interface Checked {
  readonly method: Method;
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  /** All options, to read those from that only one call has. */
  readonly given: Options<Grammar>;
}

/** The size of the plaintext, from that of the source. Where the caller gives it, too, both must be equal. */
function totalOf(chunking: Chunking, seals: boolean, sourceSize: number | undefined, size: number | undefined) {
  if (sourceSize === undefined) return size;
  // A source that has the size of no complete stream is read, so that its chunks are released up to the error.
  const total = seals ? sourceSize : plaintextIn(chunking, sourceSize);
  if (size !== undefined && size !== total)
    throw new RangeError(`"size" expected ${total ?? 'size of a complete stream'}, as the source has, got ${size}`);
  return total;
}

/** Checks key and options. */
export function check(
  format: StreamFormat,
  seals: boolean,
  key: unknown,
  options: unknown,
  sourceSize?: number,
): Checked {
  lengthOf(key, 'key', format.keyLength);
  const given = optionsOf(options, format.grammar);
  const signal = signalOf(optionOf(given, 'signal'));
  const onProgress = progressOf(optionOf(given, 'onProgress'));
  const size = optionOf(given, 'size') as number | undefined;
  const pool = optionOf(given, 'pool');
  const threads = pool === undefined ? undefined : threadsOf(pool);
  const method = format.method(given, seals);
  if (size !== undefined) sizesOf(method.chunking).ciphertextSize(size);
  const total = totalOf(method.chunking, seals, sourceSize, size);
  // Checked again, because a getter of the options may have taken the buffer away.
  lengthOf(key, 'key', format.keyLength);
  return { method, limits: { size, total, onProgress, threads }, signal, given };
}

function needed<T>(hosted: () => T | undefined, name: string): T {
  const its = hosted();
  if (!its) throw new Error(`${name} is not available: use sealer and opener, which need no streams`);
  return its;
}

/** The stream that pulls a source through a conversion. A host without byte streams has one of other chunks. */
function readableOf(
  Readable: typeof ReadableStream,
  flow: Flow,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = {
    __proto__: null,
    ...(byteStreamController() && { type: 'bytes' }),
    start: (controller: Parameters<Flow['start']>[0]) => flow.start(controller),
    pull: () => flow.pull(),
    // The source may never end, and nothing else would hear of the signal then.
    cancel: (reason: unknown) => abortable([signal], () => flow.cancel(reason)),
  };
  const readable = new Readable(
    source as UnderlyingSource<Uint8Array<ArrayBuffer>>,
    {
      __proto__: null,
      highWaterMark: 0,
    } as QueuingStrategy,
  );
  if (signal?.aborted) flow.fail(signal.reason);
  return readable;
}

/** The format of each `encryptor`, by which another module finds it. */
const formats = /* @__PURE__ */ new WeakMap<object, StreamFormat>();

/** The format that an object of the library is, such as `chunked`. */
export function formatOf(format: unknown): StreamFormat {
  const its = getWeak(formats, (format as { encryptor?: object } | null | undefined)?.encryptor as object);
  if (!its) throw new TypeError(`"format" expected chunked, agePayload or secretstream, got ${typeOf(format)}`);
  return its;
}

/** The streams of a format. */
export function streamsOf<Its extends StreamOptions>(format: StreamFormat): Streams<Its> {
  const { keyLength } = format;

  /** A flow, which an abort ends. */
  const flowOf = (
    { method, limits, signal }: Checked,
    seals: boolean,
    key: Uint8Array,
    open: (inParts: boolean) => Source,
  ): Flow => {
    const conversion = new Conversion(method, seals, copyOf(key, keyLength), limits);
    const onAbort = (): void => flow.fail(signal!.reason);
    const flow = new Flow(conversion, open(conversion.divisible), () => signal?.removeEventListener('abort', onAbort));
    signal?.addEventListener('abort', onAbort);
    return flow;
  };

  const one = (seals: boolean, source: ByteSource, key: Uint8Array, options: unknown) => {
    const opening = sourceOf(source);
    const call = check(format, seals, key, options, opening.size);
    const Readable = needed(readableStream, 'ReadableStream');
    return readableOf(
      Readable,
      flowOf(call, seals, key, (inParts) => opening.open(inParts)),
      call.signal,
    );
  };

  const whole = (source: ByteSource, key: Uint8Array, options: unknown): Promise<unknown> => {
    const opening = sourceOf(source);
    const grammar = { ...format.grammar, ...WHOLE, __proto__: null } as StreamFormat['grammar'];
    const { method, limits, signal, given } = check({ ...format, grammar }, false, key, options, opening.size);
    const its = wholeFrom(optionOf(given, 'maxLength'), optionOf(given, 'to'));
    // Checked again, for the same reason as there.
    lengthOf(key, 'key', keyLength);
    const { size } = opening;
    if (size !== undefined && limits.total === undefined) return Promise.reject(noStream(size));
    const conversion = new Conversion(method, false, copyOf(key, keyLength), limits);
    return decryptWhole(conversion, opening.open(conversion.divisible), its, limits.total, signal);
  };

  const pair = (seals: boolean, key: Uint8Array, options: unknown): StreamPair => {
    const call = check(format, seals, key, options);
    const Readable = needed(readableStream, 'ReadableStream');
    const Writable = needed(writableStream, 'WritableStream');
    const source = new WrittenSource((reason) => flow.fail(reason));
    const flow = flowOf(call, seals, key, () => source);
    const writable = new Writable(source.sink, source.strategy);
    return { readable: readableOf(Readable, flow, call.signal), writable };
  };

  const streams = {
    encrypt(source: ByteSource, key: Uint8Array, options?: unknown, extra?: unknown) {
      refuseExtra(extra, 3);
      return one(true, source, key, options);
    },
    decrypt(source: ByteSource, key: Uint8Array, options?: unknown, extra?: unknown) {
      refuseExtra(extra, 3);
      return one(false, source, key, options);
    },
    decryptWhole(source: ByteSource, key: Uint8Array, options?: unknown, extra?: unknown) {
      refuseExtra(extra, 3);
      return whole(source, key, options) as Promise<never>;
    },
    encryptor(key: Uint8Array, options?: unknown, extra?: unknown) {
      refuseExtra(extra, 2);
      return pair(true, key, options);
    },
    decryptor(key: Uint8Array, options?: unknown, extra?: unknown) {
      refuseExtra(extra, 2);
      return pair(false, key, options);
    },
  };
  setWeak(formats, (streams as { encryptor: object }).encryptor, format);
  return streams;
}
