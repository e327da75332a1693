/**
 * A store in memory whose power can be cut at any operation. Each sector that was written but not flushed is then on the
 * medium or is not, in any order.
 */
import type { SynchronousHandle } from '../../src/disk.ts';

/** Power was cut: the operation and all later ones have no result. */
export class PowerCut extends Error {}
/** The operation failed, and it alone; if it was a write, its beginning was done. */
export class Failed extends Error {}

/** The unflushed writes that survive a cut; `killed`: only the process ended, in the middle of its last write. */
export const fates = ['nothing', 'killed', 'anything'] as const;
export type Fate = (typeof fates)[number];

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };

const SECTOR = 512;

function applied(bytes: Uint8Array<ArrayBuffer>, change: Change): Uint8Array<ArrayBuffer> {
  const size = 'size' in change ? change.size : Math.max(bytes.length, change.at + change.bytes.length);
  const result = new Uint8Array(size);
  result.set(bytes.subarray(0, size));
  if (!('size' in change)) result.set(change.bytes, change.at);
  return result;
}

export class Medium implements SynchronousHandle {
  /** The bytes that programs see. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The bytes that are certain to be on the medium, and the changes since, which may be there. */
  #certain: Uint8Array<ArrayBuffer>;
  #changes: Change[] = [];
  /** The number of operations so far that change something. */
  operations = 0;
  cutAt = Infinity;
  failAt = Infinity;
  /** How much of a write is done that fails. */
  torn: (change: { readonly at: number; readonly bytes: Uint8Array }) => number = ({ bytes }) => bytes.length / 2;

  constructor(bytes: Uint8Array<ArrayBuffer> = new Uint8Array()) {
    this.bytes = this.#certain = bytes;
  }

  read(buffer: Uint8Array, { at }: { at: number }): number {
    const some = this.bytes.subarray(at, at + buffer.length);
    buffer.set(some);
    return some.length;
  }

  getSize(): number {
    return this.bytes.length;
  }

  write(bytes: Uint8Array, { at }: { at: number }): number {
    this.#change({ at, bytes: bytes.slice() });
    return bytes.length;
  }

  truncate(size: number): void {
    this.#change({ size });
  }

  flush(): void {
    this.#count();
    this.#certain = this.bytes;
    this.#changes = [];
  }

  /** The operation at which power is cut may have been done, in whole or in part. */
  #change(change: Change): void {
    this.#changes.push(change);
    try {
      this.#count();
    } catch (error) {
      if (error instanceof Failed && 'bytes' in change && this.torn(change) > 0)
        this.bytes = applied(this.bytes, { at: change.at, bytes: change.bytes.subarray(0, this.torn(change)) });
      throw error;
    }
    this.bytes = applied(this.bytes, change);
  }

  #count(): void {
    this.operations++;
    if (this.operations >= this.cutAt) throw new PowerCut();
    if (this.operations === this.failAt) throw new Failed('EIO');
  }

  /** The medium when power is back. */
  restart(fate: Fate, random: () => number): Medium {
    let bytes = this.#certain;
    for (const [i, change] of this.#changes.entries()) {
      const isLast = i === this.#changes.length - 1;
      if (fate === 'nothing') break;
      if ('size' in change) {
        if (fate === 'killed' ? !isLast || random() < 0.5 : random() < 0.5) bytes = applied(bytes, change);
      } else if (fate === 'killed') {
        const length = isLast ? Math.floor(random() * (change.bytes.length + 1)) : change.bytes.length;
        if (length > 0) bytes = applied(bytes, { at: change.at, bytes: change.bytes.subarray(0, length) });
      } else
        for (let from = 0; from < change.bytes.length; from += SECTOR)
          if (random() < 0.5)
            bytes = applied(bytes, { at: change.at + from, bytes: change.bytes.subarray(from, from + SECTOR) });
    }
    return new Medium(bytes);
  }
}
