/// <reference lib="esnext.disposable" preserve="true" />
/** Streams of the platform (WHATWG) over the conversions of a format. */
import { abortable, signalOf } from '../work/abort.ts';
import { progressOf } from '../work/progress.ts';
import { noStream, plaintextIn, sizesOf, type Chunking } from './chunking.ts';
import { Conversion, type Limits, type Method } from './conversion.ts';
import { Flow } from './flow.ts';
import { Destroyable, type KeyLife } from './life.ts';
import { byteStreamController, readableStream, writableStream } from '../io/host-streams.ts';
import { sourceOf, type ByteSource } from '../io/source.ts';
import { decryptWhole, WHOLE, wholeFrom, type WholeFileOptions, type WholeOptions } from './whole.ts';
import { WrittenSource } from '../io/written.ts';
import { refuseSurplus, typeOf } from '../calls/checks.ts';
import { optionOf, optionsOf, type Grammar, type Options } from '../calls/options.ts';
import { threadsOf, type PoolHandle } from '../work/threads.ts';
import { getWeak, setWeak } from '../engine/intrinsics.ts';

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

/** The options of streams whose chunks do not depend on each other. */
export interface ParallelStreamOptions extends StreamOptions {
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

/** The streams of a format under one key. `Sealing` and `Opening` are the options of its encryption and its decryption. */
export interface Streams<Sealing extends StreamOptions = StreamOptions, Opening extends StreamOptions = Sealing> {
  /**
   * Encrypts a source, as it is read.
   *
   * @param source - A ReadableStream, a Blob or File, a Response or Request with a body, bytes, or an iterable or asynchronous
   * iterable of bytes, in pieces of any length. A stream is locked at once.
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns A byte stream of the header and the chunks. It reads the source only when it is read. Its `cancel` waits until the source has
   * ended, as that of the platform's streams does, or until the signal is aborted.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy` or if the host has no ReadableStream: at once. Errors of the source are errors of the stream; all errors of
   * the stream cancel the source.
   */
  encrypt(source: ByteSource, options?: Sealing): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a source, as it is read. Each chunk is authentic, but **only when the stream ends without an error is it known to be
   * complete**.
   *
   * @param source - As that of `encrypt`: the header and the chunks.
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns A byte stream of the plaintext. It reads the source only when it is read.
   * @throws As `encrypt`. If the source is not authentic or not complete, the stream ends with the error that `push` or `end` of
   * the opener throws.
   */
  decrypt(source: ByteSource, options?: Opening): ReadableStream<Uint8Array<ArrayBuffer>>;
  /**
   * Decrypts a source and gives nothing before all of it is known to be authentic and complete: the plaintext, or with `to` a file
   * that is put in its place then. Plaintext is wiped on failure, and a file that was begun is removed.
   *
   * Take it wherever a part of the plaintext must not have an effect, and `decrypt` to use a long stream while it comes.
   *
   * @param source - As that of `decrypt`.
   * @param options - Those of `decrypt`; `maxLength`, the most bytes of plaintext; `to`, a `FileSystemFileHandle` or the result of `newFile` of
   * `lanewise/stream-node.js`.
   * @returns A promise of the plaintext; with `to` of its length, when the file is in its place. It is rejected with an Error as those
   * of `decrypt`, a RangeError if there are more bytes than `maxLength`, the reason of the signal, or an error of the source or the
   * file. If the source has the size of no stream, that is an Error before anything is read.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`: at once.
   */
  decryptWhole(source: ByteSource, options: Opening & WholeFileOptions): Promise<number>;
  decryptWhole(
    source: ByteSource,
    options?: Opening & WholeOptions & { readonly to?: undefined },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Encrypts the bytes that are written to one stream; the other gives the result.
   *
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns Two streams, for `pipeThrough` and for `pipeline` of Node.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy` or if the host has no streams. Other errors are errors of both streams.
   */
  encryptor(options?: Sealing): StreamPair;
  /**
   * Decrypts the bytes that are written to one stream; the other gives the result. Each chunk is authentic, but **only when the stream ends without
   * an error is it known to be complete**.
   *
   * @param options - Those of the format, `signal`, `onProgress` and `size`.
   * @returns Two streams, for `pipeThrough` and for `pipeline` of Node.
   * @throws As `encryptor`.
   */
  decryptor(options?: Opening): StreamPair;
  /**
   * Wipes this object's copy of the key: its methods throw from then on. Streams, sealers, openers and readers that it has made have
   * copies of their own, which each wipes at its end.
   */
  destroy(): void;
  /** As `destroy`, for `using`. */
  [Symbol.dispose](): void;
}

/** The options of all streams; a format whose chunks depend on each other says so of `pool`. */
type StreamGrammar = Readonly<Record<keyof StreamOptions, 1> & Record<'pool', 1 | string>>;

/** A format under one key, as its streams need it. */
export interface StreamFormat {
  /** Has the key until `destroy`. */
  readonly life: KeyLife;
  /** The options: those of all streams, and its own. */
  readonly grammar: Grammar & StreamGrammar;
  /** Checks the options of the format, and copies their bytes. */
  method(options: Options<Grammar>, seals: boolean): Method;
}

/** A call whose options were checked. */
interface Checked {
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

/** Checks options. The key is taken later, because a getter of the options may call destroy(). */
function check(format: StreamFormat, seals: boolean, options: unknown, sourceSize?: number): Checked {
  format.life.check();
  const given = optionsOf(options, format.grammar);
  const signal = signalOf(optionOf(given, 'signal'));
  const onProgress = progressOf(optionOf(given, 'onProgress'));
  const size = optionOf(given, 'size') as number | undefined;
  const pool = optionOf(given, 'pool');
  const threads = pool === undefined ? undefined : threadsOf(pool);
  const method = format.method(given, seals);
  if (size !== undefined) sizesOf(method.chunking).ciphertextSize(size);
  const total = totalOf(method.chunking, seals, sourceSize, size);
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

const conversionUnder = (life: KeyLife, seals: boolean, { method, limits }: Checked): Conversion =>
  new Conversion(method, seals, life.copy(seals), limits);

/** The format of each object that `chunked` and the others make, by which another module finds it. */
const formats = /* @__PURE__ */ new WeakMap<object, StreamFormat>();

/** A conversion and its signal, of an object that a format has made. */
export function conversionOf(
  streams: unknown,
  seals: boolean,
  options: unknown,
): Pick<Checked, 'limits' | 'signal'> & { conversion: Conversion } {
  const format = getWeak(formats, streams as object);
  if (!format)
    throw new TypeError(
      `"streams" expected chunked(key), agePayload(key) or secretstream(key), got ${typeOf(streams)}`,
    );
  const call = check(format, seals, options);
  return { conversion: conversionUnder(format.life, seals, call), ...call };
}

/** The streams of all formats. Their own classes add sealers, openers and readers. */
export class KeyedStreams extends Destroyable implements Streams {
  readonly #format: StreamFormat;

  constructor(format: StreamFormat) {
    super(format.life);
    this.#format = format;
    setWeak(formats, this, format);
  }

  encrypt(source: ByteSource, options?: object): ReadableStream<Uint8Array<ArrayBuffer>> {
    refuseSurplus(arguments, 2);
    return this.#one(true, source, options);
  }

  decrypt(source: ByteSource, options?: object): ReadableStream<Uint8Array<ArrayBuffer>> {
    refuseSurplus(arguments, 2);
    return this.#one(false, source, options);
  }

  decryptWhole(source: ByteSource, options?: object): Promise<never> {
    refuseSurplus(arguments, 2);
    const checked = sourceOf(source);
    const grammar = { ...this.#format.grammar, ...WHOLE, __proto__: null } as StreamFormat['grammar'];
    const call = check({ ...this.#format, grammar }, false, options, checked.size);
    const its = wholeFrom(optionOf(call.given, 'maxLength'), optionOf(call.given, 'to'));
    const { total } = call.limits;
    if (checked.size !== undefined && total === undefined) return Promise.reject(noStream(checked.size));
    const conversion = conversionUnder(this.#format.life, false, call);
    return decryptWhole(conversion, checked.open(conversion.divisible), its, total, call.signal) as Promise<never>;
  }

  encryptor(options?: object): StreamPair {
    refuseSurplus(arguments, 1);
    return this.#pair(true, options);
  }

  decryptor(options?: object): StreamPair {
    refuseSurplus(arguments, 1);
    return this.#pair(false, options);
  }

  #one(seals: boolean, source: ByteSource, options: unknown): ReadableStream<Uint8Array<ArrayBuffer>> {
    const checked = sourceOf(source);
    const call = check(this.#format, seals, options, checked.size);
    const Readable = needed(readableStream, 'ReadableStream');
    const conversion = conversionUnder(this.#format.life, seals, call);
    const flow = new Flow(conversion, checked.open(conversion.divisible), call.signal);
    return readableOf(Readable, flow, call.signal);
  }

  #pair(seals: boolean, options: unknown): StreamPair {
    const call = check(this.#format, seals, options);
    const Readable = needed(readableStream, 'ReadableStream');
    const Writable = needed(writableStream, 'WritableStream');
    const source = new WrittenSource((reason) => flow.fail(reason));
    const flow = new Flow(conversionUnder(this.#format.life, seals, call), source, call.signal);
    const writable = new Writable(source.sink, source.strategy);
    return { readable: readableOf(Readable, flow, call.signal), writable };
  }
}
