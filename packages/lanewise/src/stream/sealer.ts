/** Encrypts a stream that comes in pieces of any length. */
import type { ChunkCipher, Chunking } from './chunking.ts';
import { Life, Machine, roomIn, type Written } from './life.ts';
import { Place } from './place.ts';
import { lengthOf, overlap, refuseExtra, sizeOf } from '../calls/checks.ts';
import { lendBytes } from '../calls/lifetime.ts';
import { copyOf, floor, max, part } from '../engine/intrinsics.ts';

/** Encrypts a stream that comes in pieces of any length. Made by `sealer` of {@link chunked} and {@link agePayload}. */
export class Sealer extends Machine {
  /** The bytes that go in front of all others: 56 of {@link chunked}; of {@link agePayload} those that it was given. Not secret. */
  readonly header: Uint8Array<ArrayBuffer>;
  readonly #chunking: Chunking;
  readonly #cipher: ChunkCipher;
  readonly #life: Life;
  /** Keeps plaintext that does not fill a chunk, or fills the one that may be the last. */
  readonly #place: Place;

  /** @internal */
  constructor(
    chunking: Chunking,
    cipher: ChunkCipher,
    header: Uint8Array<ArrayBuffer>,
    place: Place = new Place(chunking.chunkLength),
  ) {
    const wipe = (): void => {
      cipher.wipe();
      place.wipe();
    };
    const life = new Life('a sealer', wipe, cipher.secrets, place.memory);
    super(life);
    this.#life = life;
    this.#chunking = chunking;
    this.#cipher = cipher;
    this.#place = place;
    this.header = header;
  }

  /**
   * The number of bytes that the next call returns.
   *
   * @param length - The length in bytes of the plaintext that `push` would get; left out for the result of `end`.
   * @returns The least length that `out` may have.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;
  outputLength(length?: number, extra?: unknown): number {
    refuseExtra(extra, 1);
    this.#life.check();
    if (length === undefined) return this.#place.held + this.#chunking.tagLength;
    const { chunkLength, tagLength } = this.#chunking;
    return this.#chunksOf(sizeOf(length, 'length', 0)) * (chunkLength + tagLength);
  }

  /**
   * Encrypts more of the stream: all chunks that are complete. The rest is kept until more comes. The ciphertext does
   * not depend on how the plaintext is cut into pieces.
   *
   * @param bytes - Plaintext of any length; it is not needed after the call, and may be overwritten.
   * @param out - Where the ciphertext goes, from its start on: at least `outputLength(bytes.length)` bytes. It may be or overlap
   * `bytes`, which then takes a copy.
   * @returns The ciphertext, which may be of no bytes: a view of `out`, or fresh bytes.
   * @throws TypeError or RangeError if an argument is not of that form, RangeError if the format has no stream so long, Error
   * after `end` or `destroy`; then nothing is written, and the machine is where it was. If it throws anything else, as when the
   * stack overflows, the machine is wiped, and refuses all but `destroy`.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(bytes: Uint8Array, out: Out): Written<Out>;
  push(bytes: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 2);
    this.#life.check();
    const length = lengthOf(bytes, 'bytes');
    const { chunkLength, tagLength, mostChunks } = this.#chunking;
    const count = this.#chunksOf(length);
    // One chunk is reserved for `end`.
    const left = mostChunks - 1 - this.#place.index;
    if (count > left) throw new RangeError(`"bytes" expected at most ${left} whole chunks more, got ${count}`);
    const result = roomIn(out, count * (chunkLength + tagLength));
    this.#life.work(() => {
      if (count && overlap(bytes, result)) {
        const copy = copyOf(bytes, length);
        lendBytes(copy, length, () => this.#seal(copy, length, count, result));
      } else this.#seal(bytes, length, count, result);
    });
    return result;
  }

  /**
   * Encrypts the kept bytes, as the last chunk. Ends the machine and wipes it.
   *
   * @param out - Where the ciphertext goes, from its start on: at least `outputLength()` bytes.
   * @returns The end of the ciphertext: a view of `out`, or fresh bytes.
   * @throws TypeError or RangeError if `out` is not of that form, Error after `end` or `destroy`; then nothing is written, and the
   * machine is where it was. If it throws anything else, the machine is wiped, and refuses all but `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
  end(out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 1);
    this.#life.check();
    const result = roomIn(out, this.#place.held + this.#chunking.tagLength);
    this.#life.work(() => {
      this.#cipher.seal(this.#place.index, true, part(this.#place.room, 0, this.#place.held), result);
      this.#life.finish('end()');
    });
    return result;
  }

  /** How many chunks are known not to be the last when so many bytes more are there. */
  #chunksOf(length: number): number {
    const { chunkLength, fullLast } = this.#chunking;
    return max(0, floor((this.#place.held + length - (fullLast ? 1 : 0)) / chunkLength));
  }

  /** Encrypts `count` chunks, and keeps the rest. */
  #seal(bytes: Uint8Array, length: number, count: number, out: Uint8Array): void {
    const { chunkLength, tagLength } = this.#chunking;
    const sealedLength = chunkLength + tagLength;
    let from = 0;
    for (let i = 0; i < count; i++) {
      const taken = chunkLength - this.#place.held;
      const chunk = this.#place.held ? this.#place.keep(part(bytes, from, taken), taken) : part(bytes, from, taken);
      from += taken;
      this.#cipher.seal(this.#place.index++, false, chunk, part(out, i * sealedLength, sealedLength));
      this.#place.held = 0;
    }
    if (from < length) this.#place.keep(part(bytes, from, length - from), length - from);
  }
}
