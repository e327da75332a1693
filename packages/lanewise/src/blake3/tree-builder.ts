/** The parts of a message, put together in whatever order they come. */
import type { Blake3 } from './hasher.ts';
import type { Mode } from './mode.ts';
import { checkSameMode, parentOf, Part, type Subtree } from './part.ts';
import { merge, rootXof } from './tree.ts';
import { refuseSurplus, sizeOf } from '../calls/checks.ts';
import { floor } from '../engine/intrinsics.ts';
import { CHUNK } from './rounds.ts';

/** A part that waits for others. */
interface Leaf {
  readonly isLeaf: true;
  part: Subtree;
  parent: Fork | undefined;
}

/**
 * Parts that wait, in the left and in the right half of a block of `2 * half` bytes around `middle`. There is at least one in
 * each half. Blocks are aligned as the nodes of the message's tree are, so two leaves that fill their halves are siblings.
 */
interface Fork {
  readonly isLeaf: false;
  readonly middle: number;
  readonly half: number;
  left: Leaf | Fork;
  right: Leaf | Fork;
  parent: Fork | undefined;
}

const startOf = (node: Leaf | Fork): number => (node.isLeaf ? node.part.offset : node.middle - node.half);
const inBlock = (fork: Fork, offset: number): boolean =>
  offset >= fork.middle - fork.half && offset < fork.middle + fork.half;

function firstIn(node: Leaf | Fork): Leaf {
  while (!node.isLeaf) node = node.left;
  return node;
}
function lastIn(node: Leaf | Fork): Leaf {
  while (!node.isLeaf) node = node.right;
  return node;
}

/**
 * Puts the parts of a message together, in whatever order they come. Two whole siblings become one part as soon as both
 * are there, so that of n parts in order about log2(n) are kept; otherwise as many as wait for a sibling. Adding a part
 * takes time proportional to the logarithm of the message's length at most, in any order.
 *
 * @throws TypeError if the constructor gets an argument.
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
  /** A binary trie over the offsets of the parts: no deeper than an offset has bits, whatever the parts are. */
  #root: Leaf | Fork | undefined;
  #size = 0;
  /** The mode of the first part, which all others must have. */
  #mode: Mode | undefined;
  /** Whether an `add` is changing the trie, or was interrupted while doing so. */
  #changing = false;

  /**
   * A tree without parts.
   *
   * @throws TypeError if it gets an argument.
   */
  constructor() {
    refuseSurplus(arguments, 0);
  }

  /** How many parts are kept. */
  get size(): number {
    return this.#size;
  }

  /**
   * Takes a part.
   *
   * @param part - A result of `subtree`, `subtreeFrom` or `merge`.
   * @returns The object.
   * @throws TypeError if it isn't a part, RangeError if another part already covers some of its bytes, Error if the mode
   * of the others is another one; then nothing has changed. Error after an `add` that threw anything else, as when the
   * stack overflows.
   */
  add(part: Subtree): this {
    refuseSurplus(arguments, 1);
    this.#checkWhole();
    const mode = Part.modeOf(part, 'part');
    if (this.#mode) checkSameMode(this.#mode, mode);
    const { offset, length } = part;

    // Descends to the place of the part: beside `node`, between the nodes to the left and to the right of the path.
    let left: Leaf | Fork | undefined;
    let right: Leaf | Fork | undefined;
    let node = this.#root;
    while (node && !node.isLeaf && inBlock(node, offset))
      if (offset < node.middle) {
        right = node.right;
        node = node.left;
      } else {
        left = node.left;
        node = node.right;
      }
    if (node)
      if (startOf(node) <= offset) left = node;
      else right = node;
    const before = left && lastIn(left).part;
    const after = right && firstIn(right).part;
    if ((before && before.offset + before.length > offset) || (after && offset + length > after.offset))
      throw new RangeError(`"part" expected bytes that no other part has, got offset=${offset}`);

    this.#changing = true;
    const wasAll = this.#root;
    const leaf: Leaf = { isLeaf: true, part, parent: undefined };
    this.#mode = mode;
    this.#size++;
    if (node) this.#fork(node, leaf);
    else this.#root = leaf;
    // The two siblings that were the whole tree may now be merged, because they are not the root's children any more.
    if (wasAll && !wasAll.isLeaf) this.#mergeFrom(wasAll);
    this.#mergeFrom(leaf.parent);
    this.#changing = false;
    return this;
  }

  /**
   * The hash of the message that the parts make.
   *
   * @param length - In bytes, 32 unless given.
   * @returns The same bytes as `blake3` of the whole message.
   * @throws TypeError or RangeError if the length isn't an integer from 0 up, or if the parts aren't nodes of one tree; Error
   * if a part is missing, if all came as one (then take `blake3`), or after an `add` that threw half-way.
   */
  digest(length = 32): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 1);
    return this.#output().xof(sizeOf(length, 'length'));
  }

  /**
   * Like `digest`, with output of any length.
   *
   * @returns An object with `xof`, `xofInto` and `seek`.
   * @throws RangeError if the parts aren't nodes of one tree; Error as `digest`.
   */
  xof(): Blake3 {
    refuseSurplus(arguments, 0);
    return this.#output();
  }

  #output(): Blake3 {
    this.#checkWhole();
    const parts: Subtree[] = [];
    let end = 0;
    const visit = (node: Leaf | Fork): void => {
      if (!node.isLeaf) {
        visit(node.left);
        visit(node.right);
        return;
      }
      const { part } = node;
      if (part.offset !== end) throw new Error(`cannot hash: bytes from ${end} to ${part.offset} are missing`);
      parts[parts.length] = part;
      end += part.length;
    };
    if (this.#root) visit(this.#root);
    if (parts.length < 2)
      throw new Error(`cannot hash: need at least two parts, got ${parts.length}; use blake3() for a whole message`);
    let last = parts[parts.length - 1];
    for (let i = parts.length - 2; i > 0; i--) last = merge(parts[i], last);
    return rootXof(parts[0], last);
  }

  #checkWhole(): void {
    if (this.#changing) throw new Error('cannot use a TreeBuilder after an add that threw half-way; make another');
  }

  /** Replaces a node by a fork over that node and a leaf whose offset is outside of the node's block. */
  #fork(node: Leaf | Fork, leaf: Leaf): void {
    const { offset } = leaf.part;
    const start = startOf(node);
    let half = CHUNK;
    while (floor(offset / (2 * half)) !== floor(start / (2 * half))) half *= 2;
    const middle = (floor(offset / (2 * half)) * 2 + 1) * half;
    const { parent } = node;
    const before = offset < start;
    const fork: Fork = { isLeaf: false, middle, half, left: before ? leaf : node, right: before ? node : leaf, parent };
    leaf.parent = node.parent = fork;
    this.#replace(node, fork, parent);
  }

  #replace(node: Leaf | Fork, by: Leaf | Fork, parent: Fork | undefined): void {
    if (!parent) this.#root = by;
    else if (parent.left === node) parent.left = by;
    else parent.right = by;
  }

  /** Merges the two parts of a fork if they fill its block, then those of the fork above it, and so on. */
  #mergeFrom(fork: Fork | undefined): void {
    while (fork) {
      const { left, right, half, middle, parent } = fork;
      if (!left.isLeaf || !right.isLeaf) return;
      if (left.part.length !== half || right.part.length !== half) return;
      // If no other part followed, their parent would be the root, which isn't a part.
      if (this.#size === 2 && middle === half) return;
      left.part = parentOf(this.#mode!, left.part, right.part);
      left.parent = parent;
      this.#replace(fork, left, parent);
      this.#size--;
      fork = parent;
    }
  }
}
