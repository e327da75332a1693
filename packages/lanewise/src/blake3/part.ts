/** A part of a message as a node of the tree: where it is, and its chaining value. §2.1 of the paper */
import { blake3Instance } from './binding.ts';
import type { Mode } from './mode.ts';
import { typeOf, lengthOf } from '../calls/checks.ts';
import { Bytes, freeze } from '../engine/intrinsics.ts';
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import type { Functions } from './module.ts';
import { BLOCK, CV, CV_BYTES, CVS, KEY } from './map.ts';
import { CHUNK } from './rounds.ts';

/** A part of a message: its chaining value, and where in the message it is. Made by `subtree`, `subtreeFrom` and `merge`. */
export interface Subtree {
  /** 32 bytes; with a key or context it is as secret as the key or the key material. */
  readonly chainingValue: Uint8Array<ArrayBuffer>;
  /** In bytes, from the start of the message. */
  readonly offset: number;
  /** In bytes. */
  readonly length: number;
}

/** A {@link Subtree} that knows its mode: callers cannot make one. */
export class Part implements Subtree {
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

  /** The mode of a caller's argument, which must be a part. */
  static modeOf(part: unknown, name: string): Mode {
    if (typeof part === 'object' && part !== null && #mode in part) return part.#mode;
    throw new TypeError(`"${name}" expected what subtree() or merge() gave, got ${typeOf(part)}`);
  }
}

/** The largest node that can start at an offset, a multiple of 1024. At 0 there is no largest. */
export function nodeLength(offset: number): number {
  if (offset === 0) return Infinity;
  let most = CHUNK;
  while (offset % (2 * most) === 0) most *= 2;
  return most;
}

/** The length of the left child of a node of more than 1024 bytes: the largest power of two of chunks below its length. */
function leftLength(length: number): number {
  let left = CHUNK;
  while (2 * left < length) left *= 2;
  return left;
}

/** Both modes must be one and the same. */
export function checkSameMode(left: Mode, right: Mode): void {
  let differences = left.flags ^ right.flags;
  // Without a key, all modes have the one initial value.
  if (left.key !== right.key) for (let i = 0; i < CV_BYTES; i++) differences |= left.key[i] ^ right.key[i];
  if (differences) throw new Error('cannot merge parts of different modes');
}

/** A part's chaining value. The caller has the same buffer, and may have transferred it. */
export function valueOf({ chainingValue }: Subtree): Uint8Array {
  lengthOf(chainingValue, 'chainingValue', CV_BYTES);
  return chainingValue;
}

/** The mode of two siblings; throws if they are none. */
export function siblings(left: Subtree, right: Subtree): Mode {
  const leftMode = Part.modeOf(left, 'left');
  const rightMode = Part.modeOf(right, 'right');
  if (left.offset + left.length !== right.offset)
    throw new RangeError(`"right" expected offset ${left.offset + left.length}, where left ends, got ${right.offset}`);
  const length = left.length + right.length;
  if (left.length !== leftLength(length) || length > nodeLength(left.offset))
    throw new RangeError(
      `"left" expected to be the left child of ${length} bytes at ${left.offset}, got length=${left.length}`,
    );
  checkSameMode(leftMode, rightMode);
  return leftMode;
}

/** The parent of two siblings, which is not the root. */
export function parentOf(mode: Mode, left: Subtree, right: Subtree): Part {
  const value = new Bytes(CV_BYTES);
  lend(blake3Instance(0), CVS, BLOCK, compressParent, mode, valueOf(left), valueOf(right), value);
  return new Part(mode, value, left.offset, left.length + right.length);
}

function compressParent(
  kernel: Instance<Functions>,
  mode: Mode,
  left: Uint8Array,
  right: Uint8Array,
  value: Uint8Array,
): void {
  kernel.write(KEY, CV_BYTES, mode.key);
  kernel.write(CVS, CV_BYTES, left);
  kernel.write(CVS + CV_BYTES, CV_BYTES, right);
  kernel.run.parent(mode.flags);
  kernel.read(CV, CV_BYTES, value);
}
