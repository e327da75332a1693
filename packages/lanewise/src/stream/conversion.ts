/**
 * One stream on its way: its header, then its chunks, on one thread or many; the sizes that it must have, and its progress.
 *
 *           start()            divide()              rejoin()
 *     HEADER ───────▶ ONE_THREAD ────────▶ MANY_THREADS ────────▶ LAST_THREAD
 *        │                │                    │                     │
 *        └────────────────┴─────┬──────────────┴─────────────────────┘
 *                               ▼ destroy()
 *                           DESTROYED
 *
 * - HEADER: `takeHeader` fills the header of a stream that is decrypted. There is no cipher.
 * - ONE_THREAD: `push`, then `end`. The position is that of the {@link ChunkTransform}: chunks before `index` are done, and its buffer holds
 *   the first bytes of chunk `index`. All other bytes are in the intake. A stream of many bytes may be divided, once.
 * - MANY_THREADS: the position is that of {@link ParallelChunks}, which has taken over the bytes of the buffer and reads the intake. The
 *   transform's buffer is empty.
 * - LAST_THREAD: `rejoin` has put all bytes that are not converted back in front of the intake, from the start of a chunk on. That chunk
 *   is the last one, isn't authentic, or has more bytes than `size` allows: the transform goes on from there with an empty buffer.
 * - DESTROYED: after the end, an error or an abort. `end` leaves this step to its caller. Keys and buffers are wiped; a `start` under way
 *   destroys the shell that it makes.
 */
import { ChunkTransform } from './chunk-transform.ts';
import type { ChunkCipher, Chunking, IndependentChunks } from './chunking.ts';
import type { Intake } from '../io/intake.ts';
import { workOf } from './jobs.ts';
import { isForThreads, ParallelChunks, tellMissed } from './parallel.ts';
import { Shell } from './shell.ts';
import { watch, type Threads } from '../work/threads.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, floor, max, min, part } from '../engine/intrinsics.ts';

/** The most bytes of a result that is made at a time by one thread, unless the reader has memory for more. */
export const BATCH_BYTES = 262_144;

/** A stream that is encrypted: the bytes in front of all others, which may be none, and the cipher. */
export interface Begun {
  readonly header: Uint8Array<ArrayBuffer>;
  readonly cipher: ChunkCipher;
}

/** A format with its options. The functions own the key that they are given, and wipe it. */
export interface Method {
  readonly chunking: Chunking;
  seal(key: Uint8Array<ArrayBuffer>): Begun | Promise<Begun>;
  open(key: Uint8Array<ArrayBuffer>, header: Uint8Array<ArrayBuffer>): ChunkCipher | Promise<ChunkCipher>;
}

/** The options that are the same in all formats, checked. */
export interface Limits {
  /** The size of the plaintext that the caller gives. */
  readonly size: number | undefined;
  /** The same, or that which follows from the size of the source. */
  readonly total: number | undefined;
  readonly onProgress: ((done: number, total?: number) => unknown) | undefined;
  /** The threads that do the chunks, of a format with {@link IndependentChunks}. */
  readonly threads: Threads | undefined;
}

/** See the drawing above. */
type State = 'HEADER' | 'ONE_THREAD' | 'MANY_THREADS' | 'LAST_THREAD' | 'DESTROYED';

export class Conversion {
  #state: State = 'HEADER';
  readonly #method: Method;
  readonly #seals: boolean;
  readonly #key: Uint8Array<ArrayBuffer>;
  readonly #limits: Limits;
  readonly #watch: ReturnType<typeof watch>;
  /** The header of a stream that is opened, as far as it was read. */
  readonly #header: Uint8Array<ArrayBuffer>;
  #held = 0;
  #shell: Shell | undefined;
  #cipher: ChunkCipher | undefined;
  #chunks: ChunkTransform | undefined;
  #parallel: ParallelChunks | undefined;
  /** Bytes of plaintext. */
  #done = 0;

  /** @param key - The library's own. */
  constructor(method: Method, seals: boolean, key: Uint8Array<ArrayBuffer>, limits: Limits) {
    this.#method = method;
    this.#seals = seals;
    this.#key = key;
    this.#limits = limits;
    this.#watch = watch(limits.threads);
    const { chunking } = method;
    this.#header = new Bytes(seals ? 0 : chunking.headerLength);
  }

  /** Whether `start` has made the shell. */
  get started(): boolean {
    return this.#shell !== undefined;
  }

  /** Aborted when the pool is closed. */
  get closed(): AbortSignal | undefined {
    return this.#watch?.signal;
  }

  /** The most bytes that one chunk gives. */
  get unit(): number {
    const { chunkLength, tagLength } = this.#method.chunking;
    return this.#seals ? chunkLength + tagLength : chunkLength;
  }

  /** Takes bytes of the header. Returns how many: none if it is complete, or there is none to read. */
  takeHeader(bytes: Uint8Array, at: number, length: number): number {
    const taken = min(length, byteLengthOf(this.#header) - this.#held);
    copyBytes(this.#header, part(bytes, at, taken), this.#held);
    this.#held += taken;
    return taken;
  }

  /** How many bytes of the header are to be taken. */
  get missing(): number {
    return byteLengthOf(this.#header) - this.#held;
  }

  /** Whether the header is complete, so that `start` may be called. */
  get startable(): boolean {
    return !this.missing;
  }

  /** Makes the shell. Returns the bytes that go in front of all others, if there are any. */
  async start(): Promise<Uint8Array | undefined> {
    const { chunking } = this.#method;
    let header: Uint8Array<ArrayBuffer> | undefined;
    if (this.#seals) ({ header, cipher: this.#cipher } = await this.#method.seal(this.#key));
    else this.#cipher = await this.#method.open(this.#key, this.#header);
    this.#chunks = new ChunkTransform(chunking, this.#cipher, this.#seals);
    this.#shell = new Shell(this.#chunks);
    if (this.#state === 'DESTROYED') this.#shell.destroy();
    else this.#state = 'ONE_THREAD';
    return header && byteLengthOf(header) ? header : undefined;
  }

  /** Whether threads do the chunks from the first one on, because the stream is known to be long. */
  get divisible(): boolean {
    const { threads, total = 0 } = this.#limits;
    return threads !== undefined && isForThreads(threads, total);
  }

  /**
   * Hands the chunks that come over to threads, if they are many. Then nothing may be pushed before `rejoin`.
   *
   * @param intake - Where the bytes come from; if their number is not known, some have come.
   */
  divide(intake: Intake): ParallelChunks | undefined {
    const { threads, size, total } = this.#limits;
    if (!threads || this.#state !== 'ONE_THREAD') return undefined;
    const chunks = this.#chunks!;
    const pushed = chunks.index * this.#unit + chunks.held;
    if (!isForThreads(threads, total ?? pushed) || (total === undefined && !intake.left)) return undefined;
    // An error that was found comes before anything else.
    this.#shell!.push(new Bytes(0), new Bytes(0));
    if (chunks.complete) return undefined;
    const { chunking } = this.#method;
    const seals = this.#seals;
    this.#parallel = new ParallelChunks(
      {
        chunking,
        seals,
        work: workOf(this.#cipher as IndependentChunks, chunking, seals),
        index: chunks.index,
        kept: chunks.kept,
        size: seals ? Infinity : (size ?? Infinity),
        portion: (length, held) => {
          const taken = this.portion(length, BATCH_BYTES, held);
          if (seals) this.#count(taken);
          return taken;
        },
      },
      intake,
      threads,
    );
    chunks.clear();
    this.#state = 'MANY_THREADS';
    return this.#parallel;
  }

  /** Resumes on this thread, with the input that the workers returned. */
  rejoin(): void {
    const index = this.#parallel!.finish();
    const { chunkLength } = this.#method.chunking;
    this.#state = 'LAST_THREAD';
    this.#chunks!.index = index;
    this.#done = index * chunkLength;
  }

  /**
   * How many of the next `length` bytes may be pushed so that the result has at most `room` bytes, which are at least one chunk.
   * Where not all may, the shell is at the edge of a chunk afterwards, and keeps no copy of bytes.
   */
  portion(length: number, room: number, held: number = this.#chunks!.held): number {
    const unit = this.#unit;
    return min(length, max(1, floor(room / this.unit)) * unit - (held % unit));
  }

  /** The number of bytes that `push` of so many bytes returns, or `end`. */
  outputLength(length?: number): number {
    return this.#shell!.outputLength(length);
  }

  push(bytes: Uint8Array, length: number, out: Uint8Array): Uint8Array {
    if (this.#seals) this.#count(length);
    const result = this.#shell!.push(bytes, out);
    if (!this.#seals) this.#count(byteLengthOf(result));
    return result;
  }

  /** Ends the stream. */
  end(out: Uint8Array): Uint8Array {
    const { size } = this.#limits;
    if (this.#seals) this.#checkSize(size);
    const result = this.#shell!.end(out);
    if (!this.#seals) {
      this.#count(byteLengthOf(result));
      this.#checkSize(size);
    }
    return result;
  }

  /** For a source that ends before its header. */
  truncated(): Error {
    return new Error(`truncated after ${this.#held} bytes`);
  }

  /** Calls the caller's function. */
  report(done: number = this.#done): void {
    const { onProgress, total } = this.#limits;
    if (onProgress) onProgress(done, total);
  }

  /** Wipes the key and the shell. */
  destroy(): void {
    if (this.#parallel) this.#parallel.close();
    else if (this.#limits.threads && this.#state !== 'DESTROYED') tellMissed(this.#limits.threads, this.#done);
    this.#state = 'DESTROYED';
    this.#watch?.close();
    fillBytes(this.#key, 0);
    this.#shell?.destroy();
  }

  /** The bytes of a chunk before the conversion. */
  get #unit(): number {
    const { chunkLength, tagLength } = this.#method.chunking;
    return this.#seals ? chunkLength : chunkLength + tagLength;
  }

  #count(length: number): void {
    this.#done += length;
    const { size } = this.#limits;
    if (size !== undefined && this.#done > size) throw this.#wrongSize('more', size);
  }

  #checkSize(size: number | undefined): void {
    if (size !== undefined && this.#done !== size) throw this.#wrongSize(`${this.#done}`, size);
  }

  #wrongSize(got: string, size: number): RangeError {
    return new RangeError(`"source" expected ${size} bytes of plaintext, as "size" says, got ${got}`);
  }
}
