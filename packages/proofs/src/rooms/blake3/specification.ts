// BLAKE3: "BLAKE3: one function, fast everywhere" (O'Connor, Aumasson, Neves, Wilcox-O'Hearn, 2021), §2.1 to §2.6. The tree
// is defined as the paper defines it: a node is a chunk, or has two children; the left one is a complete tree.
import { bytesOf, wordsOf, wordsOf64, type Algebra } from '../../specifications/algebra.ts';

/** Table 1 */
export const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/** Table 2: word i of the permuted message is word PERMUTATION[i] of the message. */
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

/** Table 3 */
export const CHUNK_START = 2 ** 0;
export const CHUNK_END = 2 ** 1;
export const PARENT = 2 ** 2;
export const ROOT = 2 ** 3;
export const KEYED_HASH = 2 ** 4;
export const DERIVE_KEY_CONTEXT = 2 ** 5;
export const DERIVE_KEY_MATERIAL = 2 ** 6;

const CHUNK_BYTES = 1024;
const BLOCK_BYTES = 64;
const ROUNDS = 7;

/** §2.2, G_i: `x` and `y` are the message's words 2i and 2i + 1. */
function g<W>(w: Algebra<W>, v: W[], a: number, b: number, c: number, d: number, x: W, y: W): void {
  const rotr = (word: W, count: number): W => w.rotl(word, 32 - count);
  v[a] = w.add(w.add(v[a], v[b]), x);
  v[d] = rotr(w.xor(v[d], v[a]), 16);
  v[c] = w.add(v[c], v[d]);
  v[b] = rotr(w.xor(v[b], v[c]), 12);
  v[a] = w.add(w.add(v[a], v[b]), y);
  v[d] = rotr(w.xor(v[d], v[a]), 8);
  v[c] = w.add(v[c], v[d]);
  v[b] = rotr(w.xor(v[b], v[c]), 7);
}

/** §2.2, the inputs of a compression. */
export interface Node<W> {
  /** h, the chaining value: 8 words. */
  readonly chainingValue: readonly W[];
  /** m, the block: 16 words. */
  readonly block: readonly W[];
  /** t */
  readonly counter: bigint;
  /** b, the number of the block's bytes that are message. */
  readonly length: number;
  /** d */
  readonly flags: number;
}

/** §2.2, the seven rounds on a state of 16 words. */
export function rounds<W>(w: Algebra<W>, state: readonly W[], block: readonly W[]): W[] {
  const v = [...state];
  let m = [...block];
  for (let round = 0; round < ROUNDS; round++) {
    g(w, v, 0, 4, 8, 12, m[0], m[1]);
    g(w, v, 1, 5, 9, 13, m[2], m[3]);
    g(w, v, 2, 6, 10, 14, m[4], m[5]);
    g(w, v, 3, 7, 11, 15, m[6], m[7]);
    g(w, v, 0, 5, 10, 15, m[8], m[9]);
    g(w, v, 1, 6, 11, 12, m[10], m[11]);
    g(w, v, 2, 7, 8, 13, m[12], m[13]);
    g(w, v, 3, 4, 9, 14, m[14], m[15]);
    m = PERMUTATION.map((i) => m[i]);
  }
  return v;
}

/** §2.2, the compression function: 16 words. `numbers` are the four words t0, t1, b and d; `through` are the rounds, or names for them. */
export function compressWords<W>(
  w: Algebra<W>,
  h: readonly W[],
  block: readonly W[],
  numbers: readonly W[],
  through: typeof rounds<W> = rounds,
): W[] {
  const iv = IV.slice(0, 4).map((word) => w.word(word));
  const v = through(w, [...h, ...iv, ...numbers], block);
  return v.map((word, i) => (i < 8 ? w.xor(word, v[i + 8]) : w.xor(word, h[i - 8])));
}

/** An algebra in which names may stand for the compression function's results, which depend on the same words. */
export interface Compressing<W> extends Algebra<W> {
  readonly compression?: (w: Algebra<W>, h: readonly W[], block: readonly W[], numbers: readonly W[]) => W[];
}

export const compress = <W>(w: Compressing<W>, { chainingValue: h, block, counter, length, flags }: Node<W>): W[] =>
  (w.compression ?? compressWords)(w, h, block, [...wordsOf64(w, counter), w.word(length), w.word(flags)]);

/** The truncated output of a node that is not the root, §2.2: 8 words. */
export const chainingValue = <W>(w: Compressing<W>, node: Node<W>): W[] => compress(w, node).slice(0, 8);

/** §2.4: a chunk of 0 to 1024 bytes, the `index`th of the message; its last block is the node. */
export function chunk<W>(
  w: Compressing<W>,
  key: readonly W[],
  flags: number,
  bytes: readonly W[],
  index: bigint,
): Node<W> {
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK_BYTES));
  let h = key;
  for (let i = 0; ; i++) {
    const block = bytes.slice(BLOCK_BYTES * i, BLOCK_BYTES * (i + 1));
    const zeros = Array.from({ length: BLOCK_BYTES - block.length }, () => w.byte(0));
    const first = i === 0 ? CHUNK_START : 0;
    const last = i === blocks - 1 ? CHUNK_END : 0;
    const node = {
      chainingValue: h,
      block: wordsOf(w, [...block, ...zeros]),
      counter: index,
      length: block.length,
      flags: flags | first | last,
    };
    if (last) return node;
    h = chainingValue(w, node);
  }
}

/** §2.5: the parent of two chaining values. */
export const parent = <W>(key: readonly W[], flags: number, left: readonly W[], right: readonly W[]): Node<W> => ({
  chainingValue: key,
  block: [...left, ...right],
  counter: 0n,
  length: BLOCK_BYTES,
  flags: flags | PARENT,
});

/** §2.1: the bytes of the left of two children, which is the largest complete tree below the whole. */
export function leftLength(length: number): number {
  let left = CHUNK_BYTES;
  while (2 * left < length) left *= 2;
  return left;
}

/** §2.1: the tree over bytes whose first chunk has number `index`. */
export function tree<W>(w: Compressing<W>, key: readonly W[], flags: number, bytes: readonly W[], index = 0n): Node<W> {
  if (bytes.length <= CHUNK_BYTES) return chunk(w, key, flags, bytes, index);
  const left = leftLength(bytes.length);
  return parent(
    key,
    flags,
    chainingValue(w, tree(w, key, flags, bytes.slice(0, left), index)),
    chainingValue(w, tree(w, key, flags, bytes.slice(left), index + BigInt(left / CHUNK_BYTES))),
  );
}

/** §2.6: block number `i` of the output of the root: 64 bytes. */
export const output = <W>(w: Compressing<W>, root: Node<W>, i: bigint): W[] =>
  bytesOf(w, compress(w, { ...root, counter: i, flags: root.flags | ROOT }));

/** §2.6: `length` bytes of output. */
function extended<W>(w: Compressing<W>, root: Node<W>, length: number): W[] {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, i) => output(w, root, BigInt(i)));
  return blocks.flat().slice(0, length);
}

const initialValue = <W>(w: Algebra<W>): W[] => IV.map((word) => w.word(word));

/** §2.3, the mode hash. */
export const hash = <W>(w: Algebra<W>, message: readonly W[], length = 32): W[] =>
  extended(w, tree(w, initialValue(w), 0, message), length);

/** §2.3, the mode keyed_hash, with a key of 32 bytes. */
export const keyedHash = <W>(w: Algebra<W>, key: readonly W[], message: readonly W[], length = 32): W[] =>
  extended(w, tree(w, wordsOf(w, key), KEYED_HASH, message), length);

/** §2.3, the mode derive_key. */
export function deriveKey<W>(w: Algebra<W>, context: readonly W[], material: readonly W[], length = 32): W[] {
  const contextKey = extended(w, tree(w, initialValue(w), DERIVE_KEY_CONTEXT, context), 32);
  return extended(w, tree(w, wordsOf(w, contextKey), DERIVE_KEY_MATERIAL, material), length);
}
