/**
 * Encrypts or decrypts the chunks of a stream that comes in pieces of any length. This is the position in the stream: the number of
 * the next chunk, and a buffer with the bytes of it that have come.
 */
import { lengthsOf, type ChunkCipher, type Chunking } from './chunking.ts';
import type { Opener as OpenerFace } from './opener.ts';
import type { Sealer as SealerFace } from './sealer.ts';
import { Shell, type Transform } from './shell.ts';
import { overlap } from '../calls/checks.ts';
import { lendBytes } from '../calls/lifetime.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes, floor, max, part } from '../engine/intrinsics.ts';

/** The chunks of a stream that one object converts: the number of the first, and whether the last of them is the last of the stream. */
export type StreamPart = readonly [firstChunk: number, isLast: boolean];

export class ChunkTransform implements Transform {
  readonly name: 'a sealer' | 'an opener';
  readonly input = 'bytes';
  readonly secrets: readonly (readonly Uint8Array[])[];
  failure: string | undefined;
  /** The number of the next chunk. */
  index: number;
  /** How many of its bytes are in the buffer: all if it is full, and may be the last. */
  held = 0;
  /** Whether the last chunk was decrypted. */
  complete = false;
  readonly #chunking: Chunking;
  readonly #cipher: ChunkCipher;
  readonly #seals: boolean;
  /** Whether the last chunk of this input is the last of the stream. */
  readonly #isLast: boolean;
  /** The lengths of a chunk before and after. */
  readonly #from: number;
  readonly #to: number;
  /** A list of the buffer, once it is made. */
  readonly #buffers: Uint8Array[] = [];

  constructor(chunking: Chunking, cipher: ChunkCipher, seals: boolean, its: StreamPart = [0, true]) {
    [this.index, this.#isLast] = its;
    this.#chunking = chunking;
    this.#cipher = cipher;
    this.#seals = seals;
    this.name = seals ? 'a sealer' : 'an opener';
    this.secrets = [cipher.secrets, this.#buffers];
    [this.#from, this.#to] = lengthsOf(chunking, seals);
  }

  /** The bytes of the next chunk that are in the buffer. */
  get kept(): Uint8Array {
    return part(this.#buffer, 0, this.held);
  }

  outputLength(length: number | undefined): number {
    if (length !== undefined) return this.#count(length) * this.#to;
    const { tagLength } = this.#chunking;
    if (!this.held && !this.#isLast) return 0;
    return max(0, this.held + (this.#seals ? tagLength : -tagLength));
  }

  check(length: number): void {
    // One chunk is reserved for `end` of a sealer. An opener finds an error in the stream.
    const left = this.#chunking.mostChunks - 1 - this.index;
    if (!this.#seals || length < left) return;
    const count = this.#count(length);
    if (count > left) throw new RangeError(`"bytes" expected at most ${left} whole chunks more, got ${count}`);
  }

  push(bytes: Uint8Array, length: number, out: Uint8Array): number {
    if (!byteLengthOf(out) || !overlap(bytes, out)) return this.#convert(bytes, length, out);
    const copy = copyOf(bytes, length);
    return lendBytes(copy, length, () => this.#convert(copy, length, out));
  }

  end(out: Uint8Array): void {
    if (!this.#isLast && this.held < this.#from) {
      if (this.held) this.#fail(`a part that isn't the last expected whole chunks, got ${this.held} bytes more`);
      return;
    }
    if (this.#seals) this.#cipher.seal(this.index, this.#isLast, this.kept, out);
    else if (!this.complete) this.#openLast(out);
  }

  wipe(): void {
    this.#cipher.wipe();
    this.clear();
  }

  /** Wipes the buffer. */
  clear(): void {
    if (this.#buffers.length) fillBytes(this.#buffers[0], 0);
    this.held = 0;
  }

  get #buffer(): Uint8Array {
    return (this.#buffers[0] ??= new Bytes(this.#from));
  }

  /** The number of chunks that are complete, and can't be the last of a sealer, once `length` more bytes have come. */
  #count(length: number): number {
    const following = this.#seals && this.#chunking.fullLast ? 1 : 0;
    return max(0, floor((this.held + length - following) / this.#from));
  }

  /** Converts as many chunks as `out` has room for, and keeps the rest. Returns the number of bytes in `out`. */
  #convert(bytes: Uint8Array, length: number, out: Uint8Array): number {
    const end = byteLengthOf(out);
    let from = 0;
    let to = 0;
    for (; to < end && !this.complete; to += this.#to) {
      const taken = part(bytes, from, this.#from - this.held);
      from += this.#from - this.held;
      const chunk = this.held ? this.#keep(taken, this.#from - this.held) : taken;
      if (!this.#convertOne(chunk, part(out, to, this.#to))) return to;
      this.held = 0;
      this.index++;
    }
    if (from < length)
      if (this.complete) this.#fail('data after the end');
      else this.#keep(part(bytes, from, length - from), length - from);
    return to;
  }

  /** Puts bytes after those in the buffer. Returns the memory with all of them. */
  #keep(bytes: Uint8Array, length: number): Uint8Array {
    const buffer = this.#buffer;
    copyBytes(buffer, bytes, this.held);
    this.held += length;
    return buffer;
  }

  #convertOne(chunk: Uint8Array, out: Uint8Array): boolean {
    const { index } = this;
    const { fullLast, mostChunks, unit } = this.#chunking;
    if (this.#seals) {
      this.#cipher.seal(index, false, chunk, out);
      return true;
    }
    // As in age: a full chunk is opened as one that others follow, and if its tag is wrong, as the last one.
    if (index + 1 < mostChunks && this.#cipher.open(index, false, chunk, out)) return true;
    if (fullLast && this.#isLast) this.complete = this.#cipher.open(index, true, chunk, out);
    return this.complete || this.#fail(`${unit} ${index} is not authentic`);
  }

  #openLast(out: Uint8Array): void {
    const { index, held } = this;
    const { emptyLast, tagLength, headerLength, unit } = this.#chunking;
    const truncated = `truncated after ${headerLength + index * this.#from + held} bytes`;
    if (held < tagLength) this.#fail(truncated);
    else if (held === tagLength && !emptyLast && index > 0) this.#fail(`${unit} ${index} is empty, or ${truncated}`);
    else if (!this.#cipher.open(index, this.#isLast, this.kept, out))
      this.#fail(`${unit} ${index} is not authentic, or ${truncated}`);
  }

  #fail(failure: string): false {
    this.failure = failure;
    this.wipe();
    return false;
  }
}

class Sealer extends Shell {}
class Opener extends Shell {}

/** The objects that formats of chunks make. */
export const sealerOf = (
  chunking: Chunking,
  cipher: ChunkCipher,
  header: Uint8Array<ArrayBuffer>,
  its?: StreamPart,
): SealerFace => new Sealer(new ChunkTransform(chunking, cipher, true, its), header);
export const openerOf = (chunking: Chunking, cipher: ChunkCipher, its?: StreamPart): OpenerFace =>
  new Opener(new ChunkTransform(chunking, cipher, false, its));
