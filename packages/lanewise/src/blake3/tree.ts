/**
 * Parts of a message hashed apart, by several threads or machines, and put together to the hash of the whole: what the
 * official crate has as `hazmat`. A part's chaining value is no hash: it has no root, and must not be shown as one.
 */
import { Blake3 } from './hasher.ts';
import { chainingValueOf } from './message.ts';
import { outputLength, type Mode } from './mode.ts';
import { nodeOver } from './output.ts';
import { modeOf, own, type Blake3Options } from './options.ts';
import { integerOf, kindOf, lengthOf } from '../calls/checks.ts';
import { Bytes, copyBytes, freeze, max } from '../engine/intrinsics.ts';
import { CV_BYTES } from './map.ts';
import { CHUNK } from './rounds.ts';

/** A part of a message: its chaining value, and where in the message it is. Made by {@link subtree} and {@link merge}. */
export interface Subtree {
  /** 32 bytes; with a key or context as secret as that. */
  readonly chainingValue: Uint8Array<ArrayBuffer>;
  /** In bytes, from the start of the message. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/** What a part is: nobody else can make one that has a mode. */
class Part implements Subtree {
  readonly chainingValue: Uint8Array<ArrayBuffer>;
  readonly offset: number;
  readonly length: number;
  readonly #mode: Mode;

  constructor(mode: Mode, chainingValue: Uint8Array<ArrayBuffer>, offset: number, length: number) {
    this.#mode = mode;
    this.chainingValue = chainingValue;
    this.offset = offset;
    this.length = length;
    freeze(this);
  }

  static modeOf(part: unknown, name: string): Mode {
    if (typeof part === 'object' && part !== null && #mode in part) return part.#mode;
    throw new TypeError(`"${name}" expected what subtree() or merge() gave, got ${kindOf(part)}`);
  }
}

/** Options of a part. */
export interface SubtreeOptions extends Pick<Blake3Options, 'key' | 'context'> {
  /** Where in the message the part starts: a multiple of 1024. */
  readonly offset: number;
}

/**
 * The most bytes that a part at an offset may have, so that it is a node of the tree: at chunk number n, as many chunks
 * as the greatest power of two that divides n; at 0 any number.
 *
 * @param offset - A multiple of 1024.
 * @returns Bytes, or Infinity.
 * @throws TypeError or RangeError if the offset is not of that form.
 * @example
 * ```ts
 * import { maxSubtreeLength } from 'lanewise/blake3.js';
 * maxSubtreeLength(8 * 1024 * 1024); // 8 MiB
 * ```
 */
export function maxSubtreeLength(offset: number): number {
  integerOf(offset, 'offset', 64);
  if (offset % CHUNK) throw new RangeError(`"offset" expected a multiple of ${CHUNK}, got ${offset}`);
  if (offset === 0) return Infinity;
  let most = CHUNK;
  while (offset % (2 * most) === 0) most *= 2;
  return most;
}

/** How much of a node of `length` bytes, more than 1024, is on the left: the largest power of two of chunks below it. */
function leftLength(length: number): number {
  let left = CHUNK;
  while (2 * left < length) left *= 2;
  return left;
}

/**
 * The chaining value of a part of a message.
 *
 * @param part - The bytes, at least one, at most `maxSubtreeLength(offset)`.
 * @param options - `offset`: where the part starts. `key` or `context` as for `blake3`, the same for all parts.
 * @returns The part as a node of the tree.
 * @throws TypeError or RangeError if an argument is not of that form, Error if there are both `key` and `context`.
 * @example
 * ```ts
 * import { blake3, root, subtree } from 'lanewise/blake3.js';
 * const message = new Uint8Array(3000);
 * const left = subtree(message.subarray(0, 2048), { offset: 0 });
 * const right = subtree(message.subarray(2048), { offset: 2048 }); // perhaps elsewhere
 * const digest = root(left, right); // the same as blake3(message)
 * ```
 */
export function subtree(part: Uint8Array, options: SubtreeOptions): Subtree {
  const length = lengthOf(part, 'part');
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`"options" expected object, got ${kindOf(options)}`);
  const offset = own(options, 'offset') as number;
  const most = maxSubtreeLength(offset);
  if (length === 0 || length > most)
    throw new RangeError(`"part" expected length from 1 to ${most} at this offset, got length=${length}`);
  const mode = modeOf(options);
  // Again: options may have getters.
  lengthOf(part, 'part', length);
  return new Part(mode, chainingValueOf(mode, offset / CHUNK, part), offset, length);
}

/**
 * A part that was hashed elsewhere, by another thread or another machine: a copy of what `subtree` or `merge` gave there,
 * however it came here.
 *
 * @param part - Its `chainingValue` of 32 bytes, `offset` and `length`.
 * @param options - `key` or `context`: the same as there. If they differ, so does the hash.
 * @returns The part as one of this thread.
 * @throws TypeError or RangeError if it has not the form of a part, Error if there are both `key` and `context`.
 * @example
 * ```ts
 * import { root, subtree, subtreeFrom } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(2048);
 * const received = structuredClone(subtree(bytes.subarray(1024), { offset: 1024 })); // as from a worker
 * const digest = root(subtree(bytes.subarray(0, 1024), { offset: 0 }), subtreeFrom(received));
 * ```
 */
export function subtreeFrom(part: Subtree, options?: Pick<Blake3Options, 'key' | 'context'>): Subtree {
  if (typeof part !== 'object' || part === null) throw new TypeError(`"part" expected object, got ${kindOf(part)}`);
  const value = own(part, 'chainingValue') as Uint8Array;
  const offset = own(part, 'offset') as number;
  const length = own(part, 'length') as number;
  lengthOf(value, 'chainingValue', CV_BYTES);
  const most = maxSubtreeLength(offset);
  integerOf(length, 'length', 64);
  if (length < 1 || length > most)
    throw new RangeError(`"length" expected integer from 1 to ${most} at this offset, got ${length}`);
  const mode = modeOf(options);
  const copy = new Bytes(CV_BYTES);
  copyBytes(copy, value);
  return new Part(mode, copy, offset, length);
}

/** The mode of two siblings, if they are that. */
function siblings(left: Subtree, right: Subtree): Mode {
  const leftMode = Part.modeOf(left, 'left');
  const rightMode = Part.modeOf(right, 'right');
  if (left.offset + left.length !== right.offset)
    throw new RangeError(`"right" expected offset ${left.offset + left.length}, where left ends, got ${right.offset}`);
  const length = left.length + right.length;
  if (left.length !== leftLength(length) || length > maxSubtreeLength(left.offset))
    throw new RangeError(
      `"left" expected to be the left child of ${length} bytes at ${left.offset}, got length=${left.length}`,
    );
  let differences = leftMode.flags ^ rightMode.flags;
  for (let i = 0; i < 32; i++) differences |= leftMode.key[i] ^ rightMode.key[i];
  if (differences) throw new Error('cannot merge parts of different modes');
  return leftMode;
}

/**
 * The node over two parts that follow each other, but not that over all of the message: for that there is {@link root}.
 *
 * @param left - A whole power of two of chunks.
 * @param right - What follows, no longer than that.
 * @returns Both as one part.
 * @throws TypeError if an argument is no part, RangeError if they are no siblings in the tree, Error if their modes differ.
 * @example
 * ```ts
 * import { merge, subtree } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(2048);
 * const parts = [0, 1024].map((at) => subtree(bytes.subarray(at, at + 1024), { offset: at }));
 * const both = merge(parts[0], parts[1]);
 * ```
 */
export function merge(left: Subtree, right: Subtree): Subtree {
  const mode = siblings(left, right);
  const over = nodeOver(mode, left.chainingValue, right.chainingValue);
  const value = new Bytes(CV_BYTES);
  over.read(0n, 0, value, CV_BYTES);
  over.wipe();
  return new Part(mode, value, left.offset, left.length + right.length);
}

/**
 * The hash of a message of which two parts are all.
 *
 * @param left - From offset 0.
 * @param right - The rest.
 * @param length - Of the digest in bytes, 32 unless given.
 * @returns What `blake3` of the whole message gives.
 * @throws TypeError or RangeError if an argument is not of that form, Error if the parts' modes differ.
 * @example
 * ```ts
 * import { root, subtree } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(1500);
 * const left = subtree(bytes.subarray(0, 1024), { offset: 0 });
 * const digest = root(left, subtree(bytes.subarray(1024), { offset: 1024 }));
 * ```
 */
export function root(left: Subtree, right: Subtree, length = 32): Uint8Array<ArrayBuffer> {
  return rootXof(left, right).xof(outputLength(length, 'length'));
}

/**
 * Like {@link root}, with output of any length: an object with `xof`, `xofInto` and `seek`.
 *
 * @throws As `root`.
 * @example
 * ```ts
 * import { rootXof, subtree } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(1500);
 * const left = subtree(bytes.subarray(0, 1024), { offset: 0 });
 * const output = rootXof(left, subtree(bytes.subarray(1024), { offset: 1024 })).seek(1000).xof(10);
 * ```
 */
export function rootXof(left: Subtree, right: Subtree): Blake3 {
  const mode = siblings(left, right);
  if (left.offset !== 0) throw new RangeError(`"left" expected offset 0, got ${left.offset}`);
  return Blake3.over(mode, left.chainingValue, right.chainingValue);
}

/**
 * Puts the parts of a message together, in whatever order they come. Parts that follow each other become one as soon as
 * that can be, so that of a message in order only the logarithm of their number is kept.
 *
 * @example
 * ```ts
 * import { subtree, TreeBuilder } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(5000);
 * const builder = new TreeBuilder();
 * for (const at of [4096, 0, 2048])
 *   builder.add(subtree(bytes.subarray(at, at + 2048), { offset: at }));
 * const digest = builder.digest();
 * ```
 */
export class TreeBuilder {
  /** In their order. */
  #parts: Subtree[] = [];

  /** How many parts are kept. */
  get size(): number {
    return this.#parts.length;
  }

  /**
   * Takes a part.
   *
   * @param part - What `subtree` or `merge` gave.
   * @returns The object.
   * @throws TypeError if it is no part, RangeError if there is one already that has some of its bytes.
   */
  add(part: Subtree): this {
    Part.modeOf(part, 'part');
    const parts = this.#parts;
    let index = 0;
    while (index < parts.length && parts[index].offset < part.offset) index++;
    const overlaps = (a: Subtree, b: Subtree): boolean => a.offset + a.length > b.offset;
    if ((index > 0 && overlaps(parts[index - 1], part)) || (index < parts.length && overlaps(part, parts[index])))
      throw new RangeError(`"part" expected bytes that no other part has, got offset=${part.offset}`);
    for (let i = parts.length; i > index; i--) parts[i] = parts[i - 1];
    parts[index] = part;
    // What became adjacent may be whole siblings now, and those of those; and the first two are no longer all there is.
    for (let i = max(0, index - 1); i <= index;) i = this.#mergeAt(i) ? max(0, i - 1) : i + 1;
    while (this.#mergeAt(0));
    return this;
  }

  /**
   * The hash of the message that the parts make.
   *
   * @param length - In bytes, 32 unless given.
   * @returns What `blake3` of the whole message gives.
   * @throws TypeError or RangeError if the length is no integer from 1 up, Error if a part is missing, or all came as one
   * (then take `blake3`).
   */
  digest(length = 32): Uint8Array<ArrayBuffer> {
    const parts = this.#parts;
    let end = 0;
    for (let i = 0; i < parts.length; i++) {
      if (parts[i].offset !== end) throw new Error(`cannot hash: bytes from ${end} to ${parts[i].offset} are missing`);
      end += parts[i].length;
    }
    if (parts.length < 2) throw new Error('cannot hash: a tree of parts needs two of them');
    let last = parts[parts.length - 1];
    for (let i = parts.length - 2; i > 0; i--) last = merge(parts[i], last);
    return root(parts[0], last, length);
  }

  /** Makes one of parts i and i + 1, if they are whole siblings that are not known to be all of the message. */
  #mergeAt(i: number): boolean {
    const parts = this.#parts;
    if (i + 1 >= parts.length) return false;
    const left = parts[i];
    const right = parts[i + 1];
    if (left.offset + left.length !== right.offset || left.length !== right.length) return false;
    const whole = left.length === leftLength(2 * left.length) && left.offset % (2 * left.length) === 0;
    if (!whole || (left.offset === 0 && parts.length === 2)) return false;
    parts[i] = merge(left, right);
    for (let at = i + 1; at + 1 < parts.length; at++) parts[at] = parts[at + 1];
    parts.length--;
    return true;
  }
}
