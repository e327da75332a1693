/**
 * The shape of the tree over a content: BLAKE3 §2.1, with chunk groups as leaves. Nodes are stored in pre-order, a parent before its
 * left subtree and that before its right one, after the length of the content (Bao specification, "Combined Encoding Format").
 */
import { wrongType } from '../calls/checks.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, floor, max, min, part } from '../engine/intrinsics.ts';

/** BLAKE3 §2.1: the bytes of a chunk. */
export const CHUNK = 1024;
/** The length of the content, little-endian, in front of every format. */
export const HEADER = 8;
/** A chaining value. */
export const VALUE = 32;
/** A parent: the chaining values of its two children. */
export const PARENT = 64;

/** The groups of the `bao` crate, one chunk each, and the largest, which fill the stage of the kernel. */
const MOST_GROUP = 65_536;

/** Checks the option `groupLength`. */
export function groupLengthOf(value: unknown): number {
  if (value === undefined) return CHUNK;
  if (typeof value !== 'number') throw wrongType(value, '"groupLength" expected integer');
  for (let length = CHUNK; length <= MOST_GROUP; length *= 2) if (length === value) return length;
  throw new RangeError(`"groupLength" expected power of two from ${CHUNK} to ${MOST_GROUP}, got ${value}`);
}

/** How many groups a content or a subtree has: an empty content has one, too. */
export const groupsIn = (length: number, groupLength: number): number =>
  max(1, floor((length + groupLength - 1) / groupLength));

/** The bytes of all parents of a subtree. */
export const parentBytes = (length: number, groupLength: number): number =>
  (groupsIn(length, groupLength) - 1) * PARENT;

/** The length of the left child of a node of more than a chunk: the largest power of two of chunks below its length. */
export function leftLength(length: number): number {
  let left = CHUNK;
  while (2 * left < length) left *= 2;
  return left;
}

/** A subtree of a content. */
export interface Subtree {
  /** In bytes, from the start of the content. */
  readonly offset: number;
  readonly length: number;
  /** How many parents are stored before its own ones. */
  readonly index: number;
  readonly isRoot: boolean;
  /** Its chaining value, or the hash if it is the root: undefined where nothing is proven. */
  readonly value: Uint8Array | undefined;
}

/** Calls a function for each parent of a subtree and another for each group, in pre-order. Places are counted from those of the subtree. */
export function inPreOrder(
  length: number,
  groupLength: number,
  parent: (index: number) => void,
  group: (offset: number, length: number) => void,
): void {
  const visit = (offset: number, size: number, index: number): void => {
    if (size <= groupLength) {
      group(offset, size);
      return;
    }
    parent(index);
    const left = leftLength(size);
    visit(offset, left, index + 1);
    visit(offset + left, size - left, index + groupsIn(left, groupLength));
  };
  visit(0, length, 0);
}

/** Puts parents and content of a subtree together as the combined format has them, at `at` of `to`. */
export function weave(parents: Uint8Array, content: Uint8Array, groupLength: number, to: Uint8Array, at: number): void {
  inPreOrder(
    byteLengthOf(content),
    groupLength,
    (index) => {
      copyBytes(to, part(parents, index * PARENT, PARENT), at);
      at += PARENT;
    },
    (offset, length) => {
      copyBytes(to, part(content, offset, length), at);
      at += length;
    },
  );
}

/** The inverse of {@link weave}. */
export function unweave(
  woven: Uint8Array,
  length: number,
  groupLength: number,
): { readonly content: Uint8Array; readonly parents: Uint8Array } {
  const content = new Bytes(length);
  const parents = new Bytes(byteLengthOf(woven) - length);
  let at = 0;
  inPreOrder(
    length,
    groupLength,
    (index) => {
      copyBytes(parents, part(woven, at, PARENT), index * PARENT);
      at += PARENT;
    },
    (offset, size) => {
      copyBytes(content, part(woven, at, size), offset);
      at += size;
    },
  );
  return { content, parents };
}

/** The header of a content of so many bytes. */
export function writeLength(length: number, to: Uint8Array): void {
  for (let i = 0, rest = length; i < HEADER; i++, rest = floor(rest / 256)) to[i] = rest % 256;
}

/** The length that a header tells, which nothing has proven; contents of 2^53 bytes and more are refused. */
export function readLength(header: Uint8Array): number {
  let length = 0;
  for (let i = HEADER; i-- > 0;) length = length * 256 + header[i];
  if (length >= 2 ** 53)
    throw new Error(`the header tells a length of 2^53 bytes or more: it is damaged, or not one of Bao`);
  return length;
}

/** The part of a range that a subtree has, as offsets within the subtree. */
export const overlapOf = ({ offset, length }: Subtree, from: number, to: number): { first: number; end: number } => ({
  first: min(length, max(0, from - offset)),
  end: min(length, max(0, to - offset)),
});

/** Bytes that grow as parts are appended. */
export class Growing {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(room = 0) {
    this.#bytes = new Bytes(room);
  }

  get length(): number {
    return this.#length;
  }

  /** Makes room for so many more bytes, and gives the place where they are to be written. */
  extend(length: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly at: number } {
    const at = this.#length;
    this.#length += length;
    if (this.#length > byteLengthOf(this.#bytes)) {
      const larger = new Bytes(max(this.#length, min(2 * this.#length, this.#length + 2 ** 24)));
      copyBytes(larger, part(this.#bytes, 0, at));
      this.#bytes = larger;
    }
    return { bytes: this.#bytes, at };
  }

  append(bytes: Uint8Array): void {
    const { bytes: to, at } = this.extend(byteLengthOf(bytes));
    copyBytes(to, bytes, at);
  }

  /** The bytes so far, in memory that has no others. */
  taken(): Uint8Array<ArrayBuffer> {
    return byteLengthOf(this.#bytes) === this.#length ? this.#bytes : copyOf(this.view);
  }

  /** The bytes so far, as a view. */
  get view(): Uint8Array<ArrayBuffer> {
    return part(this.#bytes, 0, this.#length) as Uint8Array<ArrayBuffer>;
  }
}
