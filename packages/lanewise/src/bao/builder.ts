/** The outboard of a content, from parts of one length that come in order. */
import { hashSubtree, parentValue, type Place } from './nodes.ts';
import { groupsIn, Growing, HEADER, leftLength, PARENT, parentBytes, VALUE, writeLength } from './shape.ts';
import { Bytes, copyBytes, part } from '../engine/intrinsics.ts';

/** A hash, and the tree over the content that has it. */
export interface Outboard {
  /** 32 bytes: the same as `blake3` of the content. */
  readonly hash: Uint8Array<ArrayBuffer>;
  /** The length of the content in 8 bytes, and 64 bytes for each group but one. */
  readonly outboard: Uint8Array<ArrayBuffer>;
}

/** Keeps the parents and values of parts until the length of the content is known, and with it the tree over them. */
export class OutboardBuilder {
  readonly groupLength: number;
  /** The length of a part, a power of two. */
  readonly #partLength: number;
  readonly #partParents: number;
  readonly #parents: Growing;
  readonly #values: Growing;

  constructor(groupLength: number, partLength: number, parents?: Uint8Array, values?: Uint8Array) {
    this.groupLength = groupLength;
    this.#partLength = partLength;
    this.#partParents = parentBytes(partLength, groupLength);
    this.#parents = new Growing();
    this.#values = new Growing();
    if (parents) this.#parents.append(parents);
    if (values) this.#values.append(values);
  }

  /** How many bytes have come. */
  get length(): number {
    return (this.#values.length / VALUE) * this.#partLength;
  }

  /** The parents and values of all parts, as views. */
  get state(): { readonly parents: Uint8Array; readonly values: Uint8Array } {
    return { parents: this.#parents.view, values: this.#values.view };
  }

  /** Takes a part that was hashed elsewhere: its parents, then its value. */
  add(hashed: Uint8Array): void {
    this.#parents.append(part(hashed, 0, this.#partParents));
    this.#values.append(part(hashed, this.#partParents, VALUE));
  }

  /** Hashes the next part. More bytes must follow. */
  hash(content: Uint8Array): void {
    const offset = this.length;
    const parents = this.#parents.extend(this.#partParents);
    const value = this.#values.extend(VALUE);
    const place = { offset, isRoot: false };
    hashSubtree(place, content, this.groupLength, parents.bytes, value.bytes, parents.at, value.at);
  }

  /**
   * The outboard of all parts that came, and of the last one.
   *
   * @param restLength - At least 1, unless there are no others.
   * @param hashRest - Hashes the last part: writes its parents to an address, and gives its value.
   */
  finish(restLength: number, hashRest: (place: Place, to: Uint8Array, at: number) => Uint8Array): Outboard {
    const { groupLength } = this;
    const partLength = this.#partLength;
    const whole = this.length;
    const length = whole + restLength;
    const outboard = new Bytes(HEADER + parentBytes(length, groupLength));
    writeLength(length, outboard);
    const { parents, values } = this.state;
    const visit = (offset: number, size: number, at: number): Uint8Array => {
      const isRoot = size === length;
      if (offset === whole) return hashRest({ offset, isRoot }, outboard, at);
      if (size === partLength) {
        const index = offset / partLength;
        copyBytes(outboard, part(parents, index * this.#partParents, this.#partParents), at);
        return part(values, index * VALUE, VALUE);
      }
      const left = leftLength(size);
      copyBytes(outboard, visit(offset, left, at + PARENT), at);
      copyBytes(outboard, visit(offset + left, size - left, at + groupsIn(left, groupLength) * PARENT), at + VALUE);
      return parentValue(part(outboard, at, PARENT), isRoot);
    };
    return { hash: visit(0, length, HEADER) as Uint8Array<ArrayBuffer>, outboard };
  }
}
