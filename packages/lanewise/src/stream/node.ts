/** Streams of Node over the machines of a format. */
import { Transform, type TransformCallback } from 'node:stream';
import type { AgePayload, AgePayloadStreamOptions } from './age-payload.ts';
import type { Chunked, ChunkedStreamOptions } from './chunked.ts';
import { BATCH_BYTES, Conversion } from './conversion.ts';
import { Flow } from './flow.ts';
import type { Secretstream, SecretstreamStreamOptions } from './secretstream.ts';
import { check, formatOf, type Checked } from './streams.ts';
import { pieceOf } from '../io/source.ts';
import { WrittenSource } from '../io/written.ts';
import { lengthOf, refuseExtra } from '../calls/checks.ts';
import { byteLengthOf, Bytes, copyOf, part } from '../engine/intrinsics.ts';

/** The options of the streams of a format. */
export type StreamOptionsOf<Format> = Format extends Chunked
  ? ChunkedStreamOptions
  : Format extends Secretstream
    ? SecretstreamStreamOptions
    : AgePayloadStreamOptions;

/** A Transform that an abort destroys. */
class AbortableTransform extends Transform {
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = (): void => void this.destroy(this.#signal!.reason as Error);

  constructor(signal: AbortSignal | undefined) {
    super();
    this.#signal = signal;
  }

  /** Called when the caller could listen to errors. */
  override _construct(done: (error?: Error | null) => void): void {
    const signal = this.#signal;
    signal?.addEventListener('abort', this.#onAbort);
    done(signal?.aborted ? (signal.reason as Error) : null);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
    done(error);
  }
}

class ConversionStream extends AbortableTransform {
  readonly #conversion: Conversion;

  constructor(conversion: Conversion, signal: AbortSignal | undefined) {
    super(signal);
    this.#conversion = conversion;
  }

  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    this.#settle(done, () => this.#take(chunk));
  }

  override _flush(done: TransformCallback): void {
    this.#settle(done, () => this.#end());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#conversion.destroy();
    super._destroy(error, done);
  }

  /** Calls back when the work is done, at once if it need not wait. */
  #settle(done: TransformCallback, work: () => Promise<void> | undefined): void {
    let waiting: Promise<void> | undefined;
    try {
      waiting = work();
    } catch (error) {
      done(error as Error);
      return;
    }
    if (!waiting) done();
    else waiting.then(() => done(), done);
  }

  #take(given: Uint8Array): Promise<void> | undefined {
    const conversion = this.#conversion;
    const chunk = pieceOf(given);
    if (!conversion.started) {
      const taken = conversion.takeHeader(chunk, 0, byteLengthOf(chunk));
      return conversion.startable ? this.#start().then(() => this.#push(chunk, taken)) : undefined;
    }
    this.#push(chunk, 0);
    return undefined;
  }

  async #start(): Promise<void> {
    const header = await this.#conversion.start();
    if (header && !this.destroyed) this.push(copyOf(header));
  }

  #push(chunk: Uint8Array, at: number): void {
    const conversion = this.#conversion;
    // Listeners may have transferred the chunk.
    for (let left; (left = lengthOf(chunk, 'chunk') - at) && !this.destroyed;) {
      const length = conversion.portion(left, BATCH_BYTES);
      const made = conversion.push(part(chunk, at, length), length, new Bytes(conversion.outputLength(length)));
      if (byteLengthOf(made)) {
        this.push(made);
        conversion.report();
      }
      at += length;
    }
  }

  #end(): Promise<void> | undefined {
    const conversion = this.#conversion;
    if (!conversion.started) {
      if (!conversion.startable) throw conversion.truncated();
      return this.#start().then(() => this.#last());
    }
    this.#last();
    return undefined;
  }

  #last(): void {
    if (this.destroyed) return;
    const conversion = this.#conversion;
    const made = conversion.end(new Bytes(conversion.outputLength()));
    if (byteLengthOf(made)) this.push(made);
    conversion.report();
  }
}

/** The same with threads: a flow, from the writer to the reader. */
class ParallelStream extends AbortableTransform {
  readonly #source = new WrittenSource((reason) => this.#flow.fail(reason));
  readonly #sink = this.#source.sink;
  readonly #flow: Flow;
  #begun = false;
  /** Lets the flow go on, while the reader has enough. */
  #onRead: (() => void) | undefined;
  #wanted = true;

  constructor(conversion: Conversion, signal: AbortSignal | undefined) {
    super(signal);
    this.#flow = new Flow(conversion, this.#source, () => undefined);
    this.#flow.start({
      enqueue: (bytes) => {
        this.#wanted = this.push(bytes);
      },
      // The end comes when all that was written is taken.
      close: () => undefined,
      error: (error) => void this.destroy(error as Error),
    });
  }

  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    void (this.#sink.write!(chunk, undefined as never) as Promise<void>).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    void (this.#sink.close!() as Promise<void>).then(() => done(), done);
  }

  override _read(size: number): void {
    super._read(size);
    this.#wanted = true;
    this.#onRead?.();
    if (!this.#begun) void this.#run();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    void this.#flow.cancel(error);
    this.#onRead?.();
    super._destroy(error, done);
  }

  async #run(): Promise<void> {
    this.#begun = true;
    while (!this.#flow.ended) {
      await this.#flow.pull();
      if (!this.#wanted && !this.destroyed) await new Promise<void>((resolve) => (this.#onRead = resolve));
    }
  }
}

function make(seals: boolean, format: unknown, key: Uint8Array, options: unknown): Transform {
  const its = formatOf(format);
  const { method, limits, signal }: Checked = check(its, seals, key, options);
  const conversion = new Conversion(method, seals, copyOf(key, its.keyLength), limits);
  return limits.threads ? new ParallelStream(conversion, signal) : new ConversionStream(conversion, signal);
}

/**
 * Makes a Transform of Node that encrypts: for `pipe`, `pipeline` and `compose`, with back-pressure. `destroy` wipes its key.
 *
 * @param format - `chunked`, `agePayload` or `secretstream` of `lanewise/stream.js`.
 * @param key - 32 bytes; copied.
 * @param options - Those of the format, `signal`, `onProgress`, `size`, and `pool`, except for `secretstream`.
 * @returns The Transform: its readable side gives the header and the chunks.
 * @throws TypeError or RangeError if an argument is not of that form: at once. Other errors destroy the stream.
 * @example
 * ```ts
 * import { Readable } from 'node:stream';
 * import { buffer } from 'node:stream/consumers';
 * import { chunked } from 'lanewise/stream.js';
 * import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const sealed = Readable.from([Buffer.from('two'), Buffer.from('pieces')]).pipe(createEncryptor(chunked, key));
 * console.log((await buffer(sealed.pipe(createDecryptor(chunked, key)))).toString());
 * ```
 */
export function createEncryptor<Format extends Chunked | AgePayload | Secretstream>(
  format: Format,
  key: Uint8Array,
  options?: StreamOptionsOf<Format>,
): Transform;
export function createEncryptor(format: unknown, key: Uint8Array, options?: object, extra?: unknown): Transform {
  refuseExtra(extra, 3);
  return make(true, format, key, options);
}

/**
 * Makes a Transform of Node that decrypts: for `pipe`, `pipeline` and `compose`, with back-pressure. `destroy` wipes its key.
 *
 * Each chunk is authentic, but **only when the stream ends without an error is it known to be complete**: use `pipeline`, which
 * reports errors, and keep a file that was written only if it has succeeded.
 *
 * @param format - `chunked`, `agePayload` or `secretstream` of `lanewise/stream.js`.
 * @param key - 32 bytes; copied.
 * @param options - Those of the format, `signal`, `onProgress`, `size`, and `pool`, except for `secretstream`.
 * @returns The Transform: its readable side gives the plaintext.
 * @throws TypeError or RangeError if an argument is not of that form: at once. Other errors destroy the stream: those that `push` and
 * `end` of the opener throw.
 * @example
 * ```ts
 * import { createReadStream, createWriteStream } from 'node:fs';
 * import { mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { pipeline } from 'node:stream/promises';
 * import { chunked } from 'lanewise/stream.js';
 * import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const folder = await mkdtemp(join(tmpdir(), 'example-'));
 * const [plain, sealed, opened] = ['plain', 'sealed', 'opened'].map((name) => join(folder, name));
 * await writeFile(plain, new Uint8Array(1_000_000));
 *
 * await pipeline(createReadStream(plain), createEncryptor(chunked, key), createWriteStream(sealed));
 * await pipeline(createReadStream(sealed), createDecryptor(chunked, key), createWriteStream(opened));
 * ```
 */
export function createDecryptor<Format extends Chunked | AgePayload | Secretstream>(
  format: Format,
  key: Uint8Array,
  options?: StreamOptionsOf<Format>,
): Transform;
export function createDecryptor(format: unknown, key: Uint8Array, options?: object, extra?: unknown): Transform {
  refuseExtra(extra, 3);
  return make(false, format, key, options);
}
