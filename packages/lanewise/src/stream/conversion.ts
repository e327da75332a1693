/** A stream on its way through a machine: the header in front of it, the sizes that it must have, and its progress. */
import type { Chunking } from './chunking.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, floor, max, min, part } from '../engine/intrinsics.ts';

/** A sealer or an opener. */
export interface Machine {
  /** Of a sealer: the bytes in front of all others. */
  readonly header?: Uint8Array<ArrayBuffer>;
  outputLength(length?: number): number;
  push(bytes: Uint8Array, out: Uint8Array): Uint8Array;
  end(out: Uint8Array): Uint8Array;
  destroy(): void;
}

/** A format with its options. The functions own the key that they are given, and wipe it. */
export interface Method {
  readonly chunking: Chunking;
  seal(key: Uint8Array<ArrayBuffer>): Machine | Promise<Machine>;
  open(key: Uint8Array<ArrayBuffer>, header: Uint8Array<ArrayBuffer>): Machine | Promise<Machine>;
}

/** The options that are the same in all formats, checked. */
export interface Limits {
  /** The size of the plaintext that the caller gives. */
  readonly size: number | undefined;
  /** The same, or that which follows from the size of the source. */
  readonly total: number | undefined;
  readonly onProgress: ((done: number, total?: number) => unknown) | undefined;
}

export class Conversion {
  readonly #method: Method;
  readonly #seals: boolean;
  readonly #key: Uint8Array<ArrayBuffer>;
  readonly #limits: Limits;
  /** The header of a stream that is opened, as far as it was read. */
  readonly #header: Uint8Array<ArrayBuffer>;
  #held = 0;
  #machine: Machine | undefined;
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
    this.#header = new Bytes(seals ? 0 : method.chunking.headerLength);
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

  /** Whether the header is complete, so that `start` may be called. */
  get startable(): boolean {
    return this.#held === byteLengthOf(this.#header);
  }

  /** Makes the machine. Returns the bytes that go in front of all others, if there are any. */
  async start(): Promise<Uint8Array | undefined> {
    const method = this.#method;
    const machine = await (this.#seals ? method.seal(this.#key) : method.open(this.#key, this.#header));
    if (this.#destroyed) machine.destroy();
    this.#machine = machine;
    const { header } = machine;
    return header && byteLengthOf(header) ? header : undefined;
  }

  /**
   * How many of the next `length` bytes may be pushed so that the result has at most `room` bytes, which are at least one chunk.
   * Where not all may, the machine is at the edge of a chunk afterwards, and keeps no copy of bytes.
   */
  portion(length: number, room: number): number {
    const { chunkLength, tagLength } = this.#method.chunking;
    const unit = this.#seals ? chunkLength : chunkLength + tagLength;
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
  report(): void {
    const { onProgress, total } = this.#limits;
    if (onProgress) onProgress(this.#done, total);
  }

  /** Wipes the key and the machine. */
  destroy(): void {
    this.#destroyed = true;
    fillBytes(this.#key, 0);
    this.#machine?.destroy();
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
