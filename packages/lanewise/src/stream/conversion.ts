/** A stream on its way through a machine: the header in front of it, the sizes that it must have, and its progress. */
import type { ChunkCipher, Chunking, IndependentChunks } from './chunking.ts';
import type { Intake } from '../io/intake.ts';
import { workOf } from './jobs.ts';
import { Opener, placeIn } from './opener.ts';
import { isForThreads, ParallelChunks, tellMissed } from './parallel.ts';
import { Place } from './place.ts';
import { Sealer } from './sealer.ts';
import type { Threads } from '../work/threads.ts';
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

export class Conversion {
  readonly #method: Method;
  readonly #seals: boolean;
  readonly #key: Uint8Array<ArrayBuffer>;
  readonly #limits: Limits;
  /** The header of a stream that is opened, as far as it was read. */
  readonly #header: Uint8Array<ArrayBuffer>;
  #held = 0;
  #machine: Sealer | Opener | undefined;
  #cipher: ChunkCipher | undefined;
  readonly #place: Place;
  #parallel: ParallelChunks | undefined;
  #destroyed = false;
  /** Bytes that were pushed. */
  #pushed = 0;
  /** Bytes of plaintext. */
  #done = 0;

  /** @param key - The library's own. */
  constructor(method: Method, seals: boolean, key: Uint8Array<ArrayBuffer>, limits: Limits) {
    this.#method = method;
    this.#seals = seals;
    this.#key = key;
    this.#limits = limits;
    const { chunking } = method;
    this.#header = new Bytes(seals ? 0 : chunking.headerLength);
    this.#place = seals ? new Place(chunking.chunkLength) : placeIn(chunking);
  }

  /** Whether `start` has made the machine. */
  get started(): boolean {
    return this.#machine !== undefined;
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

  /** Makes the machine. Returns the bytes that go in front of all others, if there are any. */
  async start(): Promise<Uint8Array | undefined> {
    const { chunking } = this.#method;
    let header: Uint8Array<ArrayBuffer> | undefined;
    if (this.#seals) {
      const begun = await this.#method.seal(this.#key);
      ({ header } = begun);
      this.#cipher = begun.cipher;
      this.#machine = new Sealer(chunking, begun.cipher, header, this.#place);
    } else {
      this.#cipher = await this.#method.open(this.#key, this.#header);
      this.#machine = new Opener(chunking, this.#cipher, this.#place);
    }
    if (this.#destroyed) this.#machine.destroy();
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
    if (!threads || this.#parallel || !this.#machine) return undefined;
    if (!isForThreads(threads, total ?? this.#pushed) || (total === undefined && !intake.left)) return undefined;
    const place = this.#place;
    // An error that was found comes before anything else.
    this.#machine.push(new Bytes(0), new Bytes(0));
    if (place.complete) return undefined;
    const { chunking } = this.#method;
    const seals = this.#seals;
    this.#parallel = new ParallelChunks(
      {
        chunking,
        seals,
        work: workOf(this.#cipher as IndependentChunks, chunking, seals),
        index: place.index,
        kept: part(place.room, 0, place.held),
        size: seals ? Infinity : (size ?? Infinity),
        portion: (length) => {
          const taken = this.portion(length, BATCH_BYTES);
          if (seals) this.#count(taken);
          this.#pushed += taken;
          return taken;
        },
      },
      intake,
      threads,
    );
    place.wipe();
    return this.#parallel;
  }

  /** Resumes on this thread, with the input that the workers returned. */
  rejoin(): void {
    const index = this.#parallel!.finish();
    const { chunkLength } = this.#method.chunking;
    this.#place.index = index;
    this.#pushed = index * this.#unit;
    this.#done = index * chunkLength;
  }

  /**
   * How many of the next `length` bytes may be pushed so that the result has at most `room` bytes, which are at least one chunk.
   * Where not all may, the machine is at the edge of a chunk afterwards, and keeps no copy of bytes.
   */
  portion(length: number, room: number): number {
    const unit = this.#unit;
    return min(length, max(1, floor(room / this.unit)) * unit - (this.#pushed % unit));
  }

  /** The number of bytes that `push` of so many bytes returns, or `end`. */
  outputLength(length?: number): number {
    return this.#machine!.outputLength(length);
  }

  push(bytes: Uint8Array, length: number, out: Uint8Array): Uint8Array {
    if (this.#seals) this.#count(length);
    const result = this.#machine!.push(bytes, out);
    this.#pushed += length;
    if (!this.#seals) this.#count(byteLengthOf(result));
    return result;
  }

  /** Ends the stream. */
  end(out: Uint8Array): Uint8Array {
    const { size } = this.#limits;
    if (this.#seals) this.#checkSize(size);
    const result = this.#machine!.end(out);
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

  /** Wipes the key and the machine. */
  destroy(): void {
    if (this.#parallel) this.#parallel.close();
    else if (this.#limits.threads && !this.#destroyed) tellMissed(this.#limits.threads, this.#done);
    this.#destroyed = true;
    fillBytes(this.#key, 0);
    this.#machine?.destroy();
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
