/** Decrypts a stream that comes in pieces of any length. */
import type { ChunkCipher, Chunking } from './chunking.ts';
import { Life, Machine, roomIn, type Written } from './life.ts';
import { Place } from './place.ts';
import { lengthOf, overlap, refuseExtra, sizeOf } from '../calls/checks.ts';
import { lendBytes } from '../calls/lifetime.ts';
import { copyOf, floor, max, part } from '../engine/intrinsics.ts';

/** The place of a stream that was not begun. */
export const placeIn = ({ chunkLength, tagLength }: Chunking): Place => new Place(chunkLength + tagLength);

/**
 * Decrypts a stream that comes in pieces of any length, without its header. Made by `opener` of {@link chunked} and
 * {@link agePayload}.
 *
 * **Call `end`**: only when it returns is the stream known to be complete. Plaintext is released chunk by chunk, and each chunk
 * is authentic, but the end of the stream may still be missing.
 */
export class Opener extends Machine {
  readonly #chunking: Chunking;
  readonly #cipher: ChunkCipher;
  readonly #life: Life;
  /** Keeps ciphertext that does not fill a chunk. */
  readonly #place: Place;
  /** The error that was found in the stream. */
  #failure: string | undefined;

  /** @internal */
  constructor(chunking: Chunking, cipher: ChunkCipher, place: Place = placeIn(chunking)) {
    const wipe = (): void => {
      cipher.wipe();
      place.wipe();
    };
    const life = new Life('an opener', wipe, cipher.secrets, place.memory);
    super(life);
    this.#life = life;
    this.#chunking = chunking;
    this.#cipher = cipher;
    this.#place = place;
  }

  /**
   * The number of bytes that the next call returns if the stream is authentic; otherwise it returns fewer.
   *
   * @param length - The length in bytes of the ciphertext that `push` would get; left out for the result of `end`.
   * @returns The least length that `out` may have.
   * @throws TypeError or RangeError if it isn't an integer from 0 up, Error after `end` or `destroy`.
   */
  outputLength(length?: number): number;
  outputLength(length?: number, extra?: unknown): number {
    refuseExtra(extra, 1);
    this.#life.check();
    return length === undefined ? this.#lastLength() : this.#chunksOf(sizeOf(length, 'length', 0)) * this.#chunkLength;
  }

  /**
   * Decrypts more of the stream: all chunks that are complete. The rest is kept until more comes. The plaintext does
   * not depend on how the stream is cut into pieces.
   *
   * If a chunk is not authentic, or bytes follow the last one, the plaintext of the chunks before is given first, and the next
   * call throws; where there is none, this call throws. From then on the machine holds no key, and each call throws that error.
   *
   * @param bytes - Ciphertext of any length; it is not needed after the call, and may be overwritten.
   * @param out - Where the plaintext goes, from its start on: at least `outputLength(bytes.length)` bytes. It may be or overlap
   * `bytes`, which then takes a copy.
   * @returns Authentic plaintext, which may be of no bytes: a view of `out`, or of fresh bytes.
   * @throws Error `chunk 12 is not authentic` (chunks are counted from 0), `data behind the end`. TypeError or RangeError if an
   * argument is not of that form, Error after `end` or `destroy`; then nothing is written, and the machine is where it was. If it
   * throws anything else, as when the stack overflows, the machine is wiped, and refuses all but `destroy`.
   */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
  push<Out extends Uint8Array | undefined>(bytes: Uint8Array, out: Out): Written<Out>;
  push(bytes: Uint8Array, out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 2);
    this.#life.check();
    const length = lengthOf(bytes, 'bytes');
    const count = this.#chunksOf(length);
    const result = roomIn(out, count * this.#chunkLength);
    this.#check();
    const released = this.#life.work(() => {
      if (!count || !overlap(bytes, result)) return this.#open(bytes, length, count, result);
      const copy = copyOf(bytes, length);
      return lendBytes(copy, length, () => this.#open(copy, length, count, result));
    });
    if (released === 0) this.#check();
    return part(result, 0, released);
  }

  /**
   * Decrypts the kept bytes, as the last chunk, and checks that the stream is complete. Ends the machine and wipes it.
   *
   * @param out - Where the plaintext goes, from its start on: at least `outputLength()` bytes.
   * @returns The end of the plaintext, which may be of no bytes: a view of `out`, or fresh bytes.
   * @throws Error `truncated after N bytes`, the header included; `chunk 12 is not authentic, or truncated after N
   * bytes`; or the error that `push` has found. TypeError or RangeError if `out` is not of that form, Error after `end`
   * or `destroy`; then nothing is written, and the machine is where it was. If it throws anything else, the machine is
   * wiped, and refuses all but `destroy`.
   */
  end(): Uint8Array<ArrayBuffer>;
  end<Out extends Uint8Array | undefined>(out: Out): Written<Out>;
  end(out?: Uint8Array, extra?: unknown): Uint8Array {
    refuseExtra(extra, 1);
    this.#life.check();
    const result = roomIn(out, this.#lastLength());
    this.#check();
    this.#life.work(() => {
      if (!this.#place.complete) this.#openLast(result);
      if (this.#failure === undefined) this.#life.finish('end()');
    });
    this.#check();
    return result;
  }

  get #chunkLength(): number {
    return this.#chunking.chunkLength;
  }

  get #sealedLength(): number {
    return this.#chunking.chunkLength + this.#chunking.tagLength;
  }

  #chunksOf(length: number): number {
    return floor((this.#place.held + length) / this.#sealedLength);
  }

  #lastLength(): number {
    return max(0, this.#place.held - this.#chunking.tagLength);
  }

  #check(): void {
    if (this.#failure !== undefined) throw new Error(this.#failure);
  }

  #fail(failure: string): void {
    this.#failure = failure;
    this.#cipher.wipe();
    this.#place.wipe();
  }

  /** Decrypts `count` chunks, and keeps the rest. Gives how many bytes of plaintext are released. */
  #open(bytes: Uint8Array, length: number, count: number, out: Uint8Array): number {
    const { chunkLength, tagLength, fullLast, mostChunks, unit } = this.#chunking;
    let from = 0;
    let to = 0;
    while (to < count * chunkLength && !this.#place.complete) {
      const taken = chunkLength + tagLength - this.#place.held;
      const chunk = this.#place.held ? this.#place.keep(part(bytes, from, taken), taken) : part(bytes, from, taken);
      const plaintext = part(out, to, chunkLength);
      // As in age: a full chunk is opened as one that others follow, and if its tag is wrong, as the last one.
      const follows =
        this.#place.index + 1 < mostChunks && this.#cipher.open(this.#place.index, false, chunk, plaintext);
      if (!follows && fullLast) this.#place.complete = this.#cipher.open(this.#place.index, true, chunk, plaintext);
      if (!follows && !this.#place.complete) {
        this.#fail(`${unit} ${this.#place.index} is not authentic`);
        return to;
      }
      from += taken;
      to += chunkLength;
      this.#place.held = 0;
      this.#place.index++;
    }
    if (from < length)
      if (this.#place.complete) this.#fail('data behind the end');
      else this.#place.keep(part(bytes, from, length - from), length - from);
    return to;
  }

  #openLast(out: Uint8Array): void {
    const { emptyLast, tagLength, headerLength, unit } = this.#chunking;
    const truncated = `truncated after ${headerLength + this.#place.index * this.#sealedLength + this.#place.held} bytes`;
    if (this.#place.held < tagLength) this.#fail(truncated);
    else if (this.#place.held === tagLength && !emptyLast && this.#place.index > 0)
      this.#fail(`${unit} ${this.#place.index} is empty, or ${truncated}`);
    else if (!this.#cipher.open(this.#place.index, true, part(this.#place.room, 0, this.#place.held), out))
      this.#fail(`${unit} ${this.#place.index} is not authentic, or ${truncated}`);
  }
}
