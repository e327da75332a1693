/** The outboard of a content, from parts of one length that come in order. */
import { hashSubtrees, parentValue, type Place } from './nodes.ts';
import { groupsIn, Growing, HEADER, leftLength, PARENT, parentBytes, VALUE, writeLength } from './shape.ts';
import { byteLengthOf, Bytes, copyBytes, floor, min, part } from '../engine/intrinsics.ts';

/** A hash, and the tree over the content that has it. */
export interface Outboard {
  /** 32 bytes: the same as `blake3` of the content. */
  readonly hash: Uint8Array<ArrayBuffer>;
  /** The length of the content in 8 bytes, and 64 bytes for each group but one. */
  readonly outboard: Uint8Array<ArrayBuffer>;
}

/** The most room that is made before bytes come: the number that was told may be wrong. */
const MOST_ROOM = 0x100_0000;

/** Keeps the parents and values of parts until the length of the content is known, and with it the tree over them. */
export class OutboardBuilder {
  readonly groupLength: number;
  /** The length of a part, a power of two. */
  readonly #partLength: number;
  readonly #partParents: number;
  readonly #parents: Growing;
  readonly #values: Growing;

  /** @param expected - How long the content will be, if that was told: room for its tree, which is made larger if it is longer. */
  constructor(groupLength: number, partLength: number, expected = 0) {
    this.groupLength = groupLength;
    this.#partLength = partLength;
    this.#partParents = parentBytes(partLength, groupLength);
    // Room for the whole outboard: the parents are moved to their places when all have come.
    this.#parents = new Growing(min(MOST_ROOM, expected && HEADER + parentBytes(expected, groupLength)));
    this.#values = new Growing(min(MOST_ROOM, floor(expected / partLength) * VALUE));
  }

  /** Takes parts that were hashed before: the parents of all, and their values. */
  restore(parents: Uint8Array, values: Uint8Array): this {
    this.#parents.append(parents);
    this.#values.append(values);
    return this;
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

  /** Hashes the next parts, as many as are in the content. More bytes must follow. */
  hash(content: Uint8Array): void {
    const partLength = this.#partLength;
    const count = byteLengthOf(content) / partLength;
    const place = { offset: this.length, isRoot: false };
    const parents = this.#parents.extend(count * this.#partParents);
    const values = this.#values.extend(count * VALUE);
    hashSubtrees(place, content, partLength, this.groupLength, parents.bytes, values.bytes, parents.at, values.at);
  }

  /**
   * The outboard of all parts that came, and of the last one.
   *
   * @param restLength - At least 1, unless there are no others.
   * @param hashRest - Hashes the last part: writes its parents to an address, and gives its value.
   */
  finish(restLength: number, hashRest: (place: Place, to: Uint8Array, at: number) => Uint8Array): Outboard {
    const [groupLength, partLength, whole] = [this.groupLength, this.#partLength, this.length];
    const length = whole + restLength;
    const size = HEADER + parentBytes(length, groupLength);
    const { parents, values } = this.state;
    const room = this.#parents.extend(0).bytes;
    const outboard = byteLengthOf(room) === size ? room : new Bytes(size);
    // From the right to the left: parts are moved to the right, and a parent is written after all parts that were at its place are moved.
    const visit = (offset: number, size: number, at: number): Uint8Array => {
      if (offset === whole) return hashRest({ offset, isRoot: size === length }, outboard, at);
      if (size === partLength) {
        const index = offset / partLength;
        copyBytes(outboard, part(parents, index * this.#partParents, this.#partParents), at);
        return part(values, index * VALUE, VALUE);
      }
      const left = leftLength(size);
      const right = visit(offset + left, size - left, at + groupsIn(left, groupLength) * PARENT);
      copyBytes(outboard, visit(offset, left, at + PARENT), at);
      copyBytes(outboard, right, at + VALUE);
      return parentValue(part(outboard, at, PARENT), size === length);
    };
    const hash = visit(0, length, HEADER) as Uint8Array<ArrayBuffer>;
    writeLength(length, outboard);
    return { hash, outboard };
  }
}
