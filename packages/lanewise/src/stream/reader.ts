/// <reference lib="esnext.disposable" preserve="true" />
/** Decrypts any range of an encrypted stream. */
import { abortable, follow, signalOf } from '../work/abort.ts';
import { TAG_BYTES, type ChunkCipher, type Chunking, type IndependentChunks } from './chunking.ts';
import { workOf } from './jobs.ts';
import { Life } from './life.ts';
import { isForThreads } from './parallel.ts';
import { openRows, type ChunksSession, type Row } from './parallel-reads.ts';
import { blobOf, type Source } from '../io/random-access.ts';
import { lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { breathe, sliceIsOver } from '../work/slices.ts';
import type { Threads, watch } from '../work/threads.ts';
import {
  asyncDispose,
  byteLengthOf,
  Bytes,
  copyBytes,
  dispose,
  fillBytes,
  floor,
  max,
  min,
  part,
} from '../engine/intrinsics.ts';

/** Most bytes that are asked of a source at a time, because hosts refuse very long reads. */
const MOST_FETCHED = 2 ** 24;
const READ = { __proto__: null, signal: 1 } as const;

/** How a range is read. */
export interface ReadOptions {
  /** Ends the read when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Where an encrypted stream is, and what decrypts it. */
export interface Opened {
  readonly chunking: Chunking;
  readonly cipher: ChunkCipher;
  readonly source: Source;
  /** Where chunk 0 is in the source. */
  readonly start: number;
  /** How many chunks there are, and how many bytes of plaintext the last one has. */
  readonly count: number;
  readonly last: number;
  /** Room for a chunk, with the plaintext of the last one. */
  readonly kept: Uint8Array;
  /** Ends the reader when it is aborted. */
  readonly signal: AbortSignal | undefined;
  /** The threads that do the chunks of long reads. */
  readonly threads: Threads | undefined;
  /** Hears that they have ended. */
  readonly closed: ReturnType<typeof watch>;
}

/**
 * Decrypts any range of an encrypted stream. Made by `reader` of {@link chunked} and {@link agePayload}.
 *
 * All bytes that it gives are authentic, and so is `size`: the last chunk was decrypted when the reader was made. The last chunk
 * that was decrypted in part stays in memory, so that small reads one after the other fetch nothing twice.
 */
export class Reader {
  /** Bytes of plaintext in the whole stream. */
  readonly size: number;
  readonly #opened: Opened;
  readonly #life: Life;
  /** Aborted with the reason for which the reader has ended. */
  readonly #end = new AbortController();
  /** The number of the chunk that is kept. */
  #keptIndex: number;
  /** Made for the first long read. */
  #session: ChunksSession | undefined;

  /** @internal */
  constructor(opened: Opened) {
    const { chunking, cipher, count, last, kept, signal } = opened;
    this.size = (count - 1) * chunking.chunkLength + last;
    this.#opened = opened;
    this.#keptIndex = count - 1;
    const unfollow = follow(signal, (reason) => this.#finish(reason));
    this.#life = new Life(
      'a reader',
      () => {
        unfollow();
        cipher.wipe();
        fillBytes(kept, 0);
        this.#keptIndex = -1;
        this.#session?.close();
      },
      cipher.secrets,
      [kept],
    );
  }

  /**
   * Decrypts the bytes from `from` to `to`, without the one at `to`. All chunks that hold some of them are read from the source at
   * once, up to 16 MiB at a time; those of a long read with a pool by the MiB. Any number of reads may be under way.
   *
   * @param from - The first byte of plaintext: an integer from 0 up.
   * @param to - Where to stop: an integer from `from` to `size`.
   * @param options - `signal`.
   * @returns A promise of all of these bytes, fresh ones; of no bytes if `to` is `from`. It is rejected with an Error
   * `chunk 12 is not authentic` (chunks are counted from 0), the reason of a signal, or whatever the source throws: then nothing is
   * given, and the reader can still be used.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `destroy`: at once.
   */
  read(from: number, to: number, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer>> {
    refuseSurplus(arguments, 3);
    if (sizeOf(to, 'to', sizeOf(from, 'from', 0)) > this.size)
      throw new RangeError(`"to" expected integer from "from" to ${this.size}, the size, got ${to}`);
    const signal = signalOf(optionOf(optionsOf(options, READ), 'signal'));
    // The reason of a signal comes with the promise.
    if (!this.#opened.signal?.aborted) this.#life.check();
    const { closed } = this.#opened;
    return abortable([this.#end.signal, signal, closed?.signal], (its) => this.#read(from, to, its));
  }

  /** Wipes the key and the chunk in memory. Reads that are under way are rejected. The reader can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this[dispose]();
  }

  /** As `destroy`. */
  [dispose](): void {
    this.#finish(new Error('cannot use a reader after destroy()'));
  }

  /** As `destroy`, for `await using`. */
  [asyncDispose](): Promise<void> {
    this[dispose]();
    return Promise.resolve();
  }

  #finish(reason: unknown): void {
    this.#life.finish('destroy()');
    this.#end.abort(reason);
    this.#opened.closed?.close();
  }

  async #read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const { chunkLength } = this.#opened.chunking;
    this.#check(signal);
    const out = new Bytes(to - from);
    if (from === to) return out;
    try {
      let first = floor(from / chunkLength);
      let end = floor((to - 1) / chunkLength) + 1;
      this.#copyKept(out, from);
      if (this.#keptIndex === first) first++;
      else if (this.#keptIndex === end - 1) end--;
      const row = this.#rowOf(first, end, from, to);
      if (row) {
        await this.#readHere(first, row.first, out, from, signal);
        await this.#readOnThreads(
          row,
          part(out, row.first * chunkLength - from, (row.end - row.first) * chunkLength),
          signal,
        );
        first = row.end;
      }
      await this.#readHere(first, end, out, from, signal);
    } catch (error) {
      fillBytes(out, 0);
      throw error;
    }
    return out;
  }

  /** Reads and decrypts chunks from number `first` on, up to number `end`. */
  async #readHere(first: number, end: number, out: Uint8Array, from: number, signal: AbortSignal) {
    const { chunkLength } = this.#opened.chunking;
    while (first < end) {
      const [begin, stop] = [first, min(end, first + floor(MOST_FETCHED / (chunkLength + TAG_BYTES)))];
      const bytes = await this.#fetch(begin, stop, signal);
      this.#check(signal);
      const wrong = this.#life.work(() => this.#open(bytes, begin, out, from));
      if (wrong >= 0) throw new Error(`chunk ${wrong} is not authentic`);
      first = stop;
      if (first < end && sliceIsOver()) await breathe();
    }
  }

  /** The chunks that lie between two bytes of plaintext as a whole, except the last of the stream, if threads do them more quickly. */
  #rowOf(first: number, end: number, from: number, to: number): Row | undefined {
    const { chunking, count, threads } = this.#opened;
    const { chunkLength } = chunking;
    if (!threads) return undefined;
    const row = {
      first: max(first, floor((from + chunkLength - 1) / chunkLength)),
      end: min(end, floor(to / chunkLength), count - 1),
    };
    return isForThreads(threads, (row.end - row.first) * chunkLength) ? row : undefined;
  }

  async #readOnThreads(row: Row, out: Uint8Array, signal: AbortSignal): Promise<void> {
    const { chunking, cipher, source, start } = this.#opened;
    const threads = this.#opened.threads!;
    const { chunkLength } = chunking;
    const session = (this.#session ??= threads.session(workOf(cipher as IndependentChunks, chunking, false)));
    const sealedLength = chunkLength + TAG_BYTES;
    await openRows(row, {
      session,
      threads: threads.count,
      chunkLength,
      out,
      signal,
      rangeOf: ({ first, end }) => ({
        from: start + first * sealedLength,
        to: start + end * sealedLength,
        file: blobOf(source),
        read: () => this.#fetch(first, end, signal),
      }),
      onWrong: (its) => this.#readHere(its.first, its.end, out, row.first * chunkLength, signal),
    });
  }

  /** Throws the reason of an end that came while a read waited for its source. */
  #check(signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#life.check();
  }

  /** The ciphertext of chunks from number `first` on, up to number `end`. */
  #fetch(first: number, end: number, signal: AbortSignal): Promise<Uint8Array> {
    const { chunking, count, last, start, source } = this.#opened;
    const sealedLength = chunking.chunkLength + TAG_BYTES;
    const from = start + first * sealedLength;
    const to = start + (end === count ? (count - 1) * sealedLength + last + TAG_BYTES : end * sealedLength);
    return source.read(from, to, signal);
  }

  /**
   * Decrypts chunks from number `first` on, as far as they belong to `out`, whose first byte is byte `from` of the plaintext. A chunk
   * that `out` has only in part is kept. Gives the number of a chunk that is not authentic, or -1.
   */
  #open(bytes: Uint8Array, first: number, out: Uint8Array, from: number): number {
    const { chunking, cipher, count, kept } = this.#opened;
    const { chunkLength } = chunking;
    const to = from + byteLengthOf(out);
    const length = lengthOf(bytes, 'source');
    for (let index = first, at = 0; at < length; index++, at += chunkLength + TAG_BYTES) {
      const sealed = part(bytes, at, min(chunkLength + TAG_BYTES, length - at));
      const begin = index * chunkLength;
      const itsLength = byteLengthOf(sealed) - TAG_BYTES;
      const whole = begin >= from && begin + itsLength <= to;
      const plaintext = whole ? part(out, begin - from, itsLength) : part(kept, 0, itsLength);
      if (!cipher.open(index, index === count - 1, sealed, plaintext)) return index;
      if (whole) continue;
      this.#keptIndex = index;
      this.#copyKept(out, from);
    }
    return -1;
  }

  /** Copies the part of the kept chunk that belongs to `out`, whose first byte is byte `from` of the plaintext. */
  #copyKept(out: Uint8Array, from: number): void {
    const { chunking, kept } = this.#opened;
    const { chunkLength } = chunking;
    const begin = this.#keptIndex * chunkLength;
    const first = max(from, begin);
    const end = min(from + byteLengthOf(out), begin + chunkLength, this.size);
    if (this.#keptIndex >= 0 && first < end) copyBytes(out, part(kept, first - begin, end - first), first - from);
  }
}
