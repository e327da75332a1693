/** Chaining values of subtrees, with all parents between: one call of the kernel for 64 KiB. BLAKE3 §2.1 to §2.5 */
import { baoInstance, type Kernel } from './binding.ts';
import { CV, CVS, secretsTo, SETS, STAGE, STAGE_BYTES } from './map.ts';
import { CHUNK, groupsIn, leftLength, PARENT, parentBytes, VALUE, type Subtree } from './shape.ts';
import { lend } from '../calls/lifetime.ts';
import { bufferOf, byteLengthOf, byteOffsetOf, Bytes, copyOf, floor, min, part, Words } from '../engine/intrinsics.ts';

/** BLAKE3, table 3. */
const ROOT = 8;

/** Where a subtree is: its value is of no account. */
export type Place = Pick<Subtree, 'offset' | 'isRoot'>;

/** Lends the kernel to one call, in mode hash. */
const lendKernel = <Result>(length: number, work: (kernel: Kernel) => Result): Result =>
  lend(baoInstance(), SETS, secretsTo(min(length, STAGE_BYTES)), (kernel) => {
    // This call leaves the initial value at the key's place.
    kernel.run.hash(0, 0);
    return work(kernel);
  });

const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0;

const PARENT_WORDS = PARENT / 4;

/**
 * The parents of a complete subtree, from the levels that the kernel has left: node i is at CVS + 32 (i - 2), so its two children, which
 * are nodes 2 i and 2 i + 1, stand side by side. Words are copied one by one: a view of each parent costs more than its bytes.
 *
 * @param levels - The words from CVS on.
 */
function readParents(levels: Int32Array, node: number, groups: number, parents: Int32Array, at: number): void {
  const from = (node - 1) * PARENT_WORDS;
  for (let i = 0; i < PARENT_WORDS; i += 4) {
    parents[at + i] = levels[from + i];
    parents[at + i + 1] = levels[from + i + 1];
    parents[at + i + 2] = levels[from + i + 2];
    parents[at + i + 3] = levels[from + i + 3];
  }
  if (groups === 2) return;
  const half = groups / 2;
  readParents(levels, 2 * node, half, parents, at + PARENT_WORDS);
  readParents(levels, 2 * node + 1, half, parents, at + half * PARENT_WORDS);
}

/** Hashes a subtree while the kernel is lent: leaves its value at CV. */
function visit(
  kernel: Kernel,
  levels: Int32Array,
  content: Uint8Array,
  offset: number,
  from: number,
  size: number,
  groupLength: number,
  parents: Uint8Array,
  words: Int32Array,
  at: number,
  last: number,
): void {
  const { run } = kernel;
  if (size > groupLength && (size > STAGE_BYTES || !isPowerOfTwo(size))) {
    const left = leftLength(size);
    const rightAt = at + groupsIn(left, groupLength) * PARENT;
    visit(kernel, levels, content, offset, from, left, groupLength, parents, words, at + PARENT, 0);
    kernel.read(CV, VALUE, parents, at);
    visit(kernel, levels, content, offset, from + left, size - left, groupLength, parents, words, rightAt, 0);
    kernel.read(CV, VALUE, parents, at + VALUE);
    kernel.write(CVS, PARENT, part(parents, at, PARENT));
    run.parent(last);
    return;
  }
  const chunk = (offset + from) / CHUNK;
  const [low, high] = [chunk | 0, floor(chunk / 2 ** 32)];
  kernel.write(STAGE, size, part(content, from, size));
  if (size <= CHUNK) run.chunk(size, low, high, 0, last);
  else {
    run.tree(size, low, high, 0);
    if (size > groupLength) readParents(levels, 1, size / groupLength, words, at / 4);
    run.parent(last);
  }
}

/**
 * Hashes subtrees of one length that follow each other, in one call of the kernel's owner.
 *
 * @param content - Their bytes.
 * @param length - The length of each.
 * @param parents - Takes the parents of each in pre-order; `parentsAt` is a multiple of 4, as its own offset.
 * @param values - Takes the chaining value of each, or the hash if it is the root.
 */
export function hashSubtrees(
  { offset, isRoot }: Place,
  content: Uint8Array,
  length: number,
  groupLength: number,
  parents: Uint8Array,
  values: Uint8Array,
  parentsAt = 0,
  valuesAt = 0,
): void {
  const total = byteLengthOf(content);
  const last = isRoot ? ROOT : 0;
  const words = new Words(bufferOf(parents), byteOffsetOf(parents), floor(byteLengthOf(parents) / 4));
  const step = parentBytes(length, groupLength);
  lendKernel(length, (kernel) => {
    const levels = new Words(bufferOf(kernel.memory), CVS, (STAGE_BYTES / CHUNK) * PARENT_WORDS);
    let [from, at, to] = [0, parentsAt, valuesAt];
    do {
      visit(kernel, levels, content, offset, from, length, groupLength, parents, words, at, last);
      kernel.read(CV, VALUE, values, to);
      from += length;
      at += step;
      to += VALUE;
    } while (from < total);
  });
}

/** Hashes one subtree. */
export function hashSubtree(
  place: Place,
  content: Uint8Array,
  groupLength: number,
  parents: Uint8Array,
  value: Uint8Array,
  parentsAt = 0,
  valueAt = 0,
): void {
  hashSubtrees(place, content, byteLengthOf(content), groupLength, parents, value, parentsAt, valueAt);
}

/** The chaining value of a parent, or the hash if it is the root. */
export function parentValue(parent: Uint8Array, isRoot: boolean): Uint8Array<ArrayBuffer> {
  const value = new Bytes(VALUE);
  lendKernel(0, (kernel) => {
    kernel.write(CVS, PARENT, parent);
    kernel.run.parent(isRoot ? ROOT : 0);
    kernel.read(CV, VALUE, value);
  });
  return value;
}

/** Whether as many bytes of `a` and `b` are equal as `a` has. Both are public: they tell how a content is damaged. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  const length = byteLengthOf(a);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return byteLengthOf(b) === length;
}

/** The first part of a subtree that isn't what the value demands: a group of content, or a parent over these bytes. */
export interface Wrong {
  readonly what: 'content' | 'parent';
  readonly offset: number;
  readonly length: number;
}

/** Memory for the parents that a check computes, which is used again. */
export class Checker {
  readonly #groupLength: number;
  #parents = new Bytes(0);
  readonly #value = new Bytes(VALUE);

  constructor(groupLength: number) {
    this.#groupLength = groupLength;
  }

  /**
   * Compares a subtree with its value.
   *
   * @param parents - Those between, as they came from anywhere.
   * @returns Undefined if all of it is proven.
   */
  wrongOf(node: Subtree, content: Uint8Array, parents: Uint8Array): Wrong | undefined {
    const size = parentBytes(node.length, this.#groupLength);
    if (byteLengthOf(this.#parents) < size) this.#parents = new Bytes(size);
    const computed = part(this.#parents, 0, size);
    hashSubtree(node, content, this.#groupLength, computed, this.#value);
    if (areEqual(node.value!, this.#value) && areWordsEqual(computed, parents)) return undefined;
    return this.#find(node.offset, node.length, 0, node.value!, this.#value, computed, parents, node.isRoot);
  }

  /** Descends to the first node that is wrong. `expected` is proven; the others were computed from the content, and came with it. */
  #find(
    offset: number,
    length: number,
    at: number,
    expected: Uint8Array,
    found: Uint8Array,
    computed: Uint8Array,
    given: Uint8Array,
    isRoot: boolean,
  ): Wrong | undefined {
    if (length <= this.#groupLength) return areEqual(expected, found) ? undefined : { what: 'content', offset, length };
    const parent = part(given, at, PARENT);
    if (!areEqual(expected, parentValue(parent, isRoot))) return { what: 'parent', offset, length };
    const left = leftLength(length);
    const rightAt = at + groupsIn(left, this.#groupLength) * PARENT;
    const [its, other] = [0, VALUE].map(
      (half) => [part(parent, half, VALUE), part(computed, at + half, VALUE)] as const,
    );
    return (
      this.#find(offset, left, at + PARENT, its[0], its[1], computed, given, false) ??
      this.#find(offset + left, length - left, rightAt, other[0], other[1], computed, given, false)
    );
  }
}

/** The words of bytes; of a copy if they are not aligned. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const its = byteOffsetOf(bytes) & 3 ? copyOf(bytes) : bytes;
  return new Words(bufferOf(its), byteOffsetOf(its), byteLengthOf(its) / 4);
}

/** As {@link areEqual}, of whole parents, whose bytes are many if groups are short. */
function areWordsEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (byteLengthOf(a) !== byteLengthOf(b)) return false;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const length = byteLengthOf(a) / 4;
  for (let i = 0; i < length; i += 4)
    if (
      (left[i] ^ right[i]) |
      (left[i + 1] ^ right[i + 1]) |
      (left[i + 2] ^ right[i + 2]) |
      (left[i + 3] ^ right[i + 3])
    )
      return false;
  return true;
}

/** The error for a wrong part. */
export function wrongError({ what, offset, length }: Wrong): Error {
  const bytes = length ? `bytes ${offset} to ${offset + length}` : 'the empty content';
  return new Error(
    what === 'content' ? `${bytes} do not match the hash` : `the tree over ${bytes} does not match the hash`,
  );
}
