/** Goes through the tree over a content in pre-order, and skips all that a range does not need. */
import { areEqual, parentValue, wrongError } from './nodes.ts';
import { groupsIn, leftLength, PARENT, VALUE, type Subtree } from './shape.ts';
import { copyOf, max, min, part } from '../engine/intrinsics.ts';

/** A range of bytes, without the one at `to`. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/**
 * The range of a slice, within a content of `size` bytes: at least a byte, and the last one if it begins after the end, so that the
 * end is proven (Bao specification, "Slice Format" and "final chunk requirement").
 */
export function sliceOf(start: number, length: number, size: number): Extent {
  const from = min(start, max(0, size - 1));
  return { from, to: min(size, max(from + 1, start + length)) };
}

export class Walk {
  readonly #stack: Subtree[];
  readonly #groupLength: number;
  readonly #from: number;
  readonly #to: number;

  /** @param hash - The value of the root; undefined if nothing is to be proven. */
  constructor(size: number, { from, to }: Extent, groupLength: number, hash?: Uint8Array) {
    this.#stack = [{ offset: 0, length: size, index: 0, isRoot: true, value: hash }];
    this.#groupLength = groupLength;
    this.#from = from;
    this.#to = to;
  }

  /**
   * The next node: a subtree to be taken as a whole, of at most `most` bytes unless it is a group, or a parent, whose children come after
   * {@link descend}.
   */
  next(most: number): { readonly node: Subtree; readonly isParent: boolean } | undefined {
    for (let node = this.#stack.pop(); node; node = this.#stack.pop()) {
      const { offset, length, isRoot } = node;
      const end = offset + length;
      if (!isRoot && (end <= this.#from || offset >= this.#to)) continue;
      const isWhole = offset >= this.#from && end <= this.#to;
      return { node, isParent: length > this.#groupLength && !(isWhole && length <= most) };
    }
    return undefined;
  }

  /** Goes on below a parent: its bytes are compared with its value, if that is known. */
  descend({ offset, length, index, isRoot, value }: Subtree, parent: Uint8Array): void {
    // The bytes may be the caller's, who may change them before the children come.
    const its = copyOf(parent, PARENT);
    if (value && !areEqual(value, parentValue(its, isRoot))) throw wrongError({ what: 'parent', offset, length });
    const left = leftLength(length);
    const [leftValue, rightValue] = value ? [part(its, 0, VALUE), part(its, VALUE, VALUE)] : [];
    this.#stack.push(
      {
        offset: offset + left,
        length: length - left,
        index: index + groupsIn(left, this.#groupLength),
        isRoot: false,
        value: rightValue,
      },
      { offset, length: left, index: index + 1, isRoot: false, value: leftValue },
    );
  }
}
