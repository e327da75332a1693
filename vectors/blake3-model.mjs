// BLAKE3 written as its paper draws it ("BLAKE3: one function, fast everywhere", 2021): slow, readable, with counters
// of any size. One of the oracles of verify.mjs.
import { bytes, words } from './model.mjs';

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const [CHUNK_START, CHUNK_END, PARENT, ROOT] = [1, 2, 4, 8];
const [KEYED_HASH, DERIVE_KEY_CONTEXT, DERIVE_KEY_MATERIAL] = [16, 32, 64];

const rotr = (x, n) => ((x >>> n) | (x << (32 - n))) >>> 0;
function g(v, a, b, c, d, x, y) {
  v[a] = (v[a] + v[b] + x) >>> 0;
  v[d] = rotr(v[d] ^ v[a], 16);
  v[c] = (v[c] + v[d]) >>> 0;
  v[b] = rotr(v[b] ^ v[c], 12);
  v[a] = (v[a] + v[b] + y) >>> 0;
  v[d] = rotr(v[d] ^ v[a], 8);
  v[c] = (v[c] + v[d]) >>> 0;
  v[b] = rotr(v[b] ^ v[c], 7);
}

/** 2.2: 64 bytes of output. `counter` is a BigInt. */
function compress({ cv, block, counter, length, flags }) {
  const [low, high] = [counter & 0xffffffffn, counter >> 32n].map(Number);
  const v = [...cv, ...IV.slice(0, 4), low, high, length, flags];
  let m = block;
  for (let round = 0; round < 7; round++) {
    for (let i = 0; i < 4; i++) g(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
    for (let i = 0; i < 4; i++)
      g(v, i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4), m[8 + 2 * i], m[9 + 2 * i]);
    m = PERMUTATION.map((i) => m[i]);
  }
  return [...cv.map((_, i) => (v[i] ^ v[i + 8]) >>> 0), ...cv.map((word, i) => (v[i + 8] ^ word) >>> 0)];
}
const chainingValue = (node) => compress(node).slice(0, 8);

/** 2.4: the last compression of a chunk, not yet done. */
function chunk(mode, input, counter) {
  let { key: cv, flags } = mode;
  let start = CHUNK_START;
  for (let at = 0; ; at += 64) {
    const part = input.subarray(at, at + 64);
    const block = new Uint8Array(64);
    block.set(part);
    const node = { cv, block: words(block), counter, length: part.length, flags: flags | start };
    if (at + 64 >= input.length) return { ...node, flags: node.flags | CHUNK_END };
    cv = chainingValue(node);
    start = 0;
  }
}
/** 2.5 */
const parent = (mode, left, right) => ({
  cv: mode.key,
  block: [...left, ...right],
  counter: 0n,
  length: 64,
  flags: mode.flags | PARENT,
});

/**
 * 5.1.2: the last node of a message whose first `chunksBefore` chunks are known by the chaining values of their subtrees,
 * the largest first.
 */
function lastNode(mode, input, chunksBefore = 0n, stack = []) {
  const values = [...stack];
  let number = chunksBefore;
  let at = 0;
  for (; input.length - at > 1024; at += 1024) {
    let value = chainingValue(chunk(mode, input.subarray(at, at + 1024), number++));
    for (let whole = number; whole % 2n === 0n; whole /= 2n) value = chainingValue(parent(mode, values.pop(), value));
    values.push(value);
  }
  let node = chunk(mode, input.subarray(at), number);
  while (values.length) node = parent(mode, values.pop(), chainingValue(node));
  return node;
}

/** 2.6 */
function output(node, position, length) {
  const out = [];
  const first = position / 64n;
  const skip = Number(position % 64n);
  for (let i = 0n; out.length < skip + length; i++)
    out.push(...bytes(compress({ ...node, counter: first + i, flags: node.flags | ROOT })));
  return Uint8Array.from(out.slice(skip, skip + length));
}

/** 2.3: from `{ key }`, `{ context }` (bytes) or neither. */
function modeOf({ key, context }) {
  if (key) return { key: words(key), flags: KEYED_HASH };
  if (!context) return { key: IV, flags: 0 };
  const derived = output(lastNode({ key: IV, flags: DERIVE_KEY_CONTEXT }, context), 0n, 32);
  return { key: words(derived), flags: DERIVE_KEY_MATERIAL };
}

/** `length` bytes of output from byte `position` on. */
export function blake3({ input, position = 0n, length, chunksBefore = 0n, stack = [], ...options }) {
  return output(lastNode(modeOf(options), input, chunksBefore, stack.map(words)), position, length);
}

/** The chaining value of a part of a message, which starts at chunk `first` and is no more than a node of the tree. */
export function blake3Subtree({ input, first, ...options }) {
  const mode = modeOf(options);
  const node = (part, number) => {
    if (part.length <= 1024) return chunk(mode, part, number);
    let left = 1024;
    while (2 * left < part.length) left *= 2;
    const values = [node(part.subarray(0, left), number), node(part.subarray(left), number + BigInt(left / 1024))];
    return parent(mode, ...values.map(chainingValue));
  };
  return Uint8Array.from(bytes(chainingValue(node(input, first))));
}
