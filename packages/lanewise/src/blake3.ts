/**
 * BLAKE3: a hash, a keyed hash and a key derivation function, with output of any length ("BLAKE3: one function, fast
 * everywhere", O'Connor, Aumasson, Neves, Wilcox-O'Hearn, 2021).
 * @module
 */
export { blake3, hash, type Blake3Function } from './blake3/function.ts';
export type { Blake3 } from './blake3/hasher.ts';
export type { Blake3Options } from './blake3/options.ts';
export { hashMany } from './blake3/many.ts';
export type { Subtree } from './blake3/part.ts';
export { TreeBuilder } from './blake3/tree-builder.ts';
export { maxSubtreeLength, merge, root, rootXof, subtree, subtreeFrom, type SubtreeOptions } from './blake3/tree.ts';
