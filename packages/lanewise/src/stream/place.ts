/** Where a machine is in its stream. */
import { Bytes, copyBytes, fillBytes } from '../engine/intrinsics.ts';

export class Place {
  /** The number of the next chunk. */
  index = 0;
  /** How many of its bytes are kept. */
  held = 0;
  /** Whether the last chunk was opened. */
  complete = false;
  /** A list of the memory with these bytes, once it is made. */
  readonly memory: Uint8Array[] = [];
  readonly #length: number;

  /** @param length - The most bytes that are kept. */
  constructor(length: number) {
    this.#length = length;
  }

  /** The kept bytes, and room for more after them. */
  get room(): Uint8Array {
    return (this.memory[0] ??= new Bytes(this.#length));
  }

  /** Puts bytes after those that are kept. Gives the memory with all of them. */
  keep(bytes: Uint8Array, length: number): Uint8Array {
    const { room } = this;
    copyBytes(room, bytes, this.held);
    this.held += length;
    return room;
  }

  wipe(): void {
    if (this.memory.length) fillBytes(this.memory[0], 0);
    this.held = 0;
  }
}
