/**
 * Parts of a message hashed apart, by several threads or machines, and put together to the hash of the whole; the
 * official crate has this as its module `hazmat`. A part's chaining value isn't a hash: it has no root, and must not be
 * shown as one.
 */
import { Blake3 } from './hasher.ts';
import { chainingValueOf } from './message.ts';
import { ownMode } from './mode.ts';
import { modeFrom, type Blake3Options } from './options.ts';
import { nodeLength, parentOf, Part, siblings, valueOf, type Subtree } from './part.ts';
import { integerOf, typeOf, lengthOf, refuseSurplus, sizeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { copyOf } from '../engine/intrinsics.ts';
import { CV_BYTES } from './map.ts';
import { CHUNK } from './rounds.ts';

const LENGTH = 'give the length to root() or digest()';
const PART = { __proto__: null, key: 1, context: 1, offset: 1, dkLen: LENGTH } as const;
const MODE = { __proto__: null, key: 1, context: 1, dkLen: LENGTH } as const;

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
 * @throws TypeError or RangeError if the offset isn't a multiple of 1024 from 0 up.
 * @example
 * ```ts
 * import { maxSubtreeLength } from 'lanewise/blake3.js';
 * maxSubtreeLength(8 * 1024 * 1024); // 8 MiB
 * ```
 */
export function maxSubtreeLength(offset: number): number {
  refuseSurplus(arguments, 1);
  integerOf(offset, 'offset', 64);
  if (offset % CHUNK) throw new RangeError(`"offset" expected a multiple of ${CHUNK}, got ${offset}`);
  return nodeLength(offset);
}

/**
 * The chaining value of a part of a message.
 *
 * @param part - The bytes, at least one, at most `maxSubtreeLength(offset)`.
 * @param options - `offset`: where the part starts. `key` or `context` as for `blake3`, the same for all parts.
 * @returns The part as a node of the tree.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error if there are both
 * `key` and `context`.
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
  refuseSurplus(arguments, 2);
  const length = lengthOf(part, 'part');
  const given = optionsOf(options, PART);
  const offset = optionOf(given, 'offset') as number;
  const most = maxSubtreeLength(offset);
  if (length === 0 || length > most)
    throw new RangeError(`"part" expected length from 1 to ${most} at this offset, got length=${length}`);
  const mode = ownMode(modeFrom(given));
  // Checked again, because options may have getters.
  lengthOf(part, 'part', length);
  return new Part(mode, chainingValueOf(mode, offset / CHUNK, part, length), offset, length);
}

/**
 * A part that was hashed elsewhere, by another thread or another machine: a copy of a result of `subtree` or `merge`,
 * in whatever way it was sent here.
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
  refuseSurplus(arguments, 2);
  if (typeof part !== 'object' || part === null) throw new TypeError(`"part" expected object, got ${typeOf(part)}`);
  const value = optionOf(part, 'chainingValue') as Uint8Array;
  const offset = optionOf(part, 'offset') as number;
  const length = optionOf(part, 'length') as number;
  lengthOf(value, 'chainingValue', CV_BYTES);
  const most = maxSubtreeLength(offset);
  integerOf(length, 'length', 64);
  if (length < 1 || length > most)
    throw new RangeError(`"length" expected integer from 1 to ${most} at this offset, got ${length}`);
  const mode = ownMode(modeFrom(optionsOf(options, MODE)));
  // Checked again, because options may have getters.
  const copy = copyOf(value, lengthOf(value, 'chainingValue', CV_BYTES));
  return new Part(mode, copy, offset, length);
}

/**
 * The node over two parts that follow each other. For the node over the whole message take {@link root}.
 *
 * @param left - A whole power of two of chunks.
 * @param right - The part that follows `left`, and is no longer.
 * @returns Both as one part.
 * @throws TypeError if an argument isn't a part, RangeError if they aren't siblings in the tree, Error if their modes differ.
 * @example
 * ```ts
 * import { merge, subtree } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(2048);
 * const parts = [0, 1024].map((at) => subtree(bytes.subarray(at, at + 1024), { offset: at }));
 * const both = merge(parts[0], parts[1]);
 * ```
 */
export function merge(left: Subtree, right: Subtree): Subtree {
  refuseSurplus(arguments, 2);
  return parentOf(siblings(left, right), left, right);
}

/**
 * The hash of a message that consists of two parts.
 *
 * @param left - From offset 0.
 * @param right - The rest.
 * @param length - Of the digest in bytes, 32 unless given.
 * @returns The same bytes as `blake3` of the whole message.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error if the parts'
 * modes differ.
 * @example
 * ```ts
 * import { root, subtree } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(1500);
 * const left = subtree(bytes.subarray(0, 1024), { offset: 0 });
 * const digest = root(left, subtree(bytes.subarray(1024), { offset: 1024 }));
 * ```
 */
export function root(left: Subtree, right: Subtree, length = 32): Uint8Array<ArrayBuffer> {
  refuseSurplus(arguments, 3);
  return rootXof(left, right).xof(sizeOf(length, 'length'));
}

/**
 * Like {@link root}, with output of any length.
 *
 * @param left - From offset 0.
 * @param right - The rest.
 * @returns An object with `xof`, `xofInto` and `seek`.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error if the parts'
 * modes differ.
 * @example
 * ```ts
 * import { rootXof, subtree } from 'lanewise/blake3.js';
 * const bytes = new Uint8Array(1500);
 * const left = subtree(bytes.subarray(0, 1024), { offset: 0 });
 * const output = rootXof(left, subtree(bytes.subarray(1024), { offset: 1024 })).seek(1000).xof(10);
 * ```
 */
export function rootXof(left: Subtree, right: Subtree): Blake3 {
  refuseSurplus(arguments, 2);
  const mode = siblings(left, right);
  if (left.offset !== 0) throw new RangeError(`"left" expected offset 0, got ${left.offset}`);
  return Blake3.over(mode, valueOf(left), valueOf(right));
}
