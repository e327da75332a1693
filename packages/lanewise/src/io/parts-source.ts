/** Sources whose bytes are all at hand, so that threads can have parts of them. */
import type { Source } from './random-access.ts';
import { lengthOf } from '../calls/checks.ts';
import type { Input, Range, SharedFile } from '../work/threads.ts';
import { floor, max, min, part } from '../engine/intrinsics.ts';

/** A source that is being read. */
export interface OpenSource {
  /**
   * The next bytes, of any number. They stay as they are until the next call. Undefined at the end.
   *
   * @param most - If the source has all bytes at hand, it gives at most so many; any number unless that is positive.
   */
  read(most?: number): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Tells the source that the bytes of the last `read` are no longer needed. */
  release?(): void;
  /**
   * Passes over the next bytes, which stay as they are until the end and can be read by another thread: whole units, at most `most`
   * bytes, and others follow them. Undefined if there are no such bytes.
   */
  skip?(unit: number, most: number): Input | undefined;
  /** After the end: gives the source back, and wipes memory. */
  close(): void;
  /** Ends the source before its end, and wipes memory. Does nothing if the source has ended by itself. */
  cancel(reason: unknown): Promise<void>;
}

/** How much of a Blob or file is read at a time. */
const READ_BYTES = 262_144;

/** For ends that need not wait. */
export async function ended(): Promise<void> {}

/** The bytes of whole units, at most `most`, of `left` bytes, so that others follow. */
const wholeUnits = (left: number, unit: number, most: number): number =>
  min(most, max(0, floor((left - 1) / unit)) * unit);

/** All bytes at once. */
export class BytesSource implements OpenSource {
  #bytes: Uint8Array | undefined;
  #at = 0;

  /** @param bytes - A view of fixed length. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(most?: number): Uint8Array | undefined {
    const bytes = this.#bytes;
    if (!bytes) return undefined;
    const left = this.#left(bytes);
    if (most && most < left) return this.#take(bytes, most);
    this.#bytes = undefined;
    return part(bytes, this.#at, left);
  }

  skip(unit: number, most: number): Uint8Array | undefined {
    const bytes = this.#bytes;
    const length = bytes ? wholeUnits(this.#left(bytes), unit, most) : 0;
    return length ? this.#take(bytes!, length) : undefined;
  }

  close(): void {
    this.#bytes = undefined;
  }

  cancel(): Promise<void> {
    this.close();
    return ended();
  }

  #left(bytes: Uint8Array): number {
    return lengthOf(bytes, 'source') - this.#at;
  }

  #take(bytes: Uint8Array, length: number): Uint8Array {
    const taken = part(bytes, this.#at, length);
    this.#at += length;
    return taken;
  }
}

/** A Blob or file: any thread can read any part of it at any time. */
export class RangesSource implements OpenSource {
  readonly #source: Source;
  readonly #size: number;
  readonly #file: SharedFile | undefined;
  #at = 0;

  /** @param file - The source as other threads read it, if they can. */
  constructor(source: Source, size: number, file: SharedFile | undefined) {
    this.#source = source;
    this.#size = size;
    this.#file = file;
  }

  async read(most: number = READ_BYTES): Promise<Uint8Array | undefined> {
    const from = this.#at;
    const to = min(this.#size, from + (most || READ_BYTES));
    if (from >= to) return undefined;
    const bytes = await this.#source.read(from, to);
    this.#at = to;
    return bytes;
  }

  skip(unit: number, most: number): Range | undefined {
    const from = this.#at;
    const to = from + wholeUnits(this.#size - from, unit, most);
    if (from === to) return undefined;
    this.#at = to;
    return { from, to, file: this.#file, read: () => this.#source.read(from, to) };
  }

  close(): void {
    this.#at = this.#size;
  }

  cancel(): Promise<void> {
    this.close();
    return ended();
  }
}
