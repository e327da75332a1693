/** Transforms of Node over the conversions of a format. */
import { Transform, type TransformCallback } from 'node:stream';
import { BATCH_BYTES, type Conversion } from './conversion.ts';
import { Flow } from './flow.ts';
import { conversionOf, type StreamOptions, type Streams } from './streams.ts';
import { pieceOf } from '../io/source.ts';
import { WrittenSource } from '../io/written.ts';
import { follow } from '../work/abort.ts';
import { lengthOf, refuseSurplus } from '../calls/checks.ts';
import { byteLengthOf, Bytes, copyOf, part } from '../engine/intrinsics.ts';

/** A Transform that an abort destroys. */
class AbortableTransform extends Transform {
  readonly #signal: AbortSignal | undefined;
  #unfollow: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined) {
    super();
    this.#signal = signal;
  }

  /** Called when the caller could listen to errors. */
  override _construct(done: (error?: Error | null) => void): void {
    const signal = this.#signal;
    this.#unfollow = follow(signal, (reason) => void this.destroy(reason as Error));
    done(signal?.aborted ? (signal.reason as Error) : null);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#unfollow?.();
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
  /** Whether the caller has written, or read. */
  #used = false;
  /** Lets the flow go on, while the reader has enough. */
  #onRead: (() => void) | undefined;
  #wanted = true;

  constructor(conversion: Conversion, signal: AbortSignal | undefined) {
    super(signal);
    this.#flow = new Flow(conversion, this.#source);
    this.#flow.start({
      enqueue: (bytes) => {
        this.#wanted = this.push(bytes);
      },
      // The end comes when all that was written is taken.
      close: () => undefined,
      // Without a listener an error ends the process, which a stream that has done nothing is no reason for.
      error: (error) => void this.destroy(this.#used || this.listenerCount('error') ? (error as Error) : undefined),
    });
  }

  override _transform(chunk: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    this.#used = true;
    void (this.#sink.write!(chunk, undefined as never) as Promise<void>).then(() => done(), done);
  }

  override _flush(done: TransformCallback): void {
    this.#used = true;
    void (this.#sink.close!() as Promise<void>).then(() => done(), done);
  }

  override _read(size: number): void {
    super._read(size);
    this.#used = this.#wanted = true;
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

function make(seals: boolean, streams: unknown, options: unknown): Transform {
  const { conversion, limits, signal } = conversionOf(streams, seals, options);
  return limits.threads ? new ParallelStream(conversion, signal) : new ConversionStream(conversion, signal);
}

/**
 * Makes a Transform of Node that encrypts: for `pipe`, `pipeline` and `compose`, with back-pressure. `destroy` wipes its key.
 *
 * @param streams - `chunked(key)`, `agePayload(key)` or `secretstream(key)` of `lanewise/stream.js`. The Transform has its own copy of the key.
 * @param options - Those of the format, `signal`, `onProgress`, `size`, and `pool`, except for `secretstream`.
 * @returns The Transform: its readable side gives the header and the chunks.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after `destroy`
 * of `streams`: at once. Other errors destroy the stream.
 * @example
 * ```ts
 * import { Readable } from 'node:stream';
 * import { buffer } from 'node:stream/consumers';
 * import { chunked } from 'lanewise/stream.js';
 * import { createDecryptor, createEncryptor } from 'lanewise/stream-node.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const files = chunked(randomBytes(32));
 * const sealed = Readable.from([Buffer.from('two'), Buffer.from('pieces')]).pipe(createEncryptor(files));
 * console.log((await buffer(sealed.pipe(createDecryptor(files)))).toString());
 * ```
 */
export function createEncryptor<Sealing extends StreamOptions>(
  streams: Streams<Sealing, StreamOptions>,
  options?: Sealing,
): Transform {
  refuseSurplus(arguments, 2);
  return make(true, streams, options);
}

/**
 * Makes a Transform of Node that decrypts: for `pipe`, `pipeline` and `compose`, with back-pressure. `destroy` wipes its key.
 *
 * Each chunk is authentic, but **only when the stream ends without an error is it known to be complete**: use `pipeline`, which
 * reports errors, and keep a file that was written only if it has succeeded.
 *
 * @param streams - `chunked(key)`, `agePayload(key)` or `secretstream(key)` of `lanewise/stream.js`. The Transform has its own copy of the key.
 * @param options - Those of the format, `signal`, `onProgress`, `size`, and `pool`, except for `secretstream`.
 * @returns The Transform: its readable side gives the plaintext.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after `destroy`
 * of `streams`: at once. Other errors destroy the stream: those that `push` and `end` of the opener throw.
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
 * const files = chunked(randomBytes(32));
 * const folder = await mkdtemp(join(tmpdir(), 'example-'));
 * const [plain, sealed, opened] = ['plain', 'sealed', 'opened'].map((name) => join(folder, name));
 * await writeFile(plain, new Uint8Array(1_000_000));
 *
 * await pipeline(createReadStream(plain), createEncryptor(files), createWriteStream(sealed));
 * await pipeline(createReadStream(sealed), createDecryptor(files), createWriteStream(opened));
 * ```
 */
export function createDecryptor<Opening extends StreamOptions>(
  streams: Streams<StreamOptions, Opening>,
  options?: Opening,
): Transform {
  refuseSurplus(arguments, 2);
  return make(false, streams, options);
}
