/**
 * Step 5: nothing is copied, and no array is made for a block; one for a chunk is left. The compression function takes a chaining value and a block from
 * where they are, and writes the result to its place; two chaining values side by side are the block of their parent.
 */
import { ORDER } from './2-permutations.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_BYTES, CHUNK_END, CHUNK_START, digestOf, IV } from './specification.ts';
import { finish, newStack } from './tree-in-place.ts';

export function readFull(message: Uint8Array, from: number, words: Uint32Array): void {
  for (let i = 0, at = from; i < BLOCK_WORDS; i++, at += 4) {
    words[i] = message[at] | (message[at + 1] << 8) | (message[at + 2] << 16) | (message[at + 3] << 24);
  }
}

/** The last block, which may be full as well; after byte `to` of the message are zeros. */
export function readLast(message: Uint8Array, from: number, to: number, words: Uint32Array): void {
  if (to - from === BLOCK_BYTES) {
    readFull(message, from, words);
    return;
  }
  words.fill(0);
  for (let i = 0; from + i < to; i++) words[i >> 2] |= message[from + i] << (8 * (i & 3));
}

function compress(
  values: Uint32Array,
  valueAt: number,
  words: Uint32Array,
  wordsAt: number,
  counter: number,
  length: number,
  flags: number,
  out: Uint32Array,
  outAt: number,
): void {
  let s0 = values[valueAt] | 0;
  let s1 = values[valueAt + 1] | 0;
  let s2 = values[valueAt + 2] | 0;
  let s3 = values[valueAt + 3] | 0;
  let s4 = values[valueAt + 4] | 0;
  let s5 = values[valueAt + 5] | 0;
  let s6 = values[valueAt + 6] | 0;
  let s7 = values[valueAt + 7] | 0;
  let s8 = 0x6a09e667 | 0;
  let s9 = 0xbb67ae85 | 0;
  let s10 = 0x3c6ef372 | 0;
  let s11 = 0xa54ff53a | 0;
  let s12 = counter | 0;
  let s13 = (counter / 2 ** 32) | 0;
  let s14 = length | 0;
  let s15 = flags | 0;
  for (let p = 0; p < ORDER.length;) {
    // Columns.
    s0 = (s0 + s4 + words[wordsAt + ORDER[p++]]) | 0;
    s12 ^= s0;
    s12 = (s12 >>> 16) | (s12 << 16);
    s8 = (s8 + s12) | 0;
    s4 ^= s8;
    s4 = (s4 >>> 12) | (s4 << 20);
    s0 = (s0 + s4 + words[wordsAt + ORDER[p++]]) | 0;
    s12 ^= s0;
    s12 = (s12 >>> 8) | (s12 << 24);
    s8 = (s8 + s12) | 0;
    s4 ^= s8;
    s4 = (s4 >>> 7) | (s4 << 25);
    s1 = (s1 + s5 + words[wordsAt + ORDER[p++]]) | 0;
    s13 ^= s1;
    s13 = (s13 >>> 16) | (s13 << 16);
    s9 = (s9 + s13) | 0;
    s5 ^= s9;
    s5 = (s5 >>> 12) | (s5 << 20);
    s1 = (s1 + s5 + words[wordsAt + ORDER[p++]]) | 0;
    s13 ^= s1;
    s13 = (s13 >>> 8) | (s13 << 24);
    s9 = (s9 + s13) | 0;
    s5 ^= s9;
    s5 = (s5 >>> 7) | (s5 << 25);
    s2 = (s2 + s6 + words[wordsAt + ORDER[p++]]) | 0;
    s14 ^= s2;
    s14 = (s14 >>> 16) | (s14 << 16);
    s10 = (s10 + s14) | 0;
    s6 ^= s10;
    s6 = (s6 >>> 12) | (s6 << 20);
    s2 = (s2 + s6 + words[wordsAt + ORDER[p++]]) | 0;
    s14 ^= s2;
    s14 = (s14 >>> 8) | (s14 << 24);
    s10 = (s10 + s14) | 0;
    s6 ^= s10;
    s6 = (s6 >>> 7) | (s6 << 25);
    s3 = (s3 + s7 + words[wordsAt + ORDER[p++]]) | 0;
    s15 ^= s3;
    s15 = (s15 >>> 16) | (s15 << 16);
    s11 = (s11 + s15) | 0;
    s7 ^= s11;
    s7 = (s7 >>> 12) | (s7 << 20);
    s3 = (s3 + s7 + words[wordsAt + ORDER[p++]]) | 0;
    s15 ^= s3;
    s15 = (s15 >>> 8) | (s15 << 24);
    s11 = (s11 + s15) | 0;
    s7 ^= s11;
    s7 = (s7 >>> 7) | (s7 << 25);
    // Diagonals.
    s0 = (s0 + s5 + words[wordsAt + ORDER[p++]]) | 0;
    s15 ^= s0;
    s15 = (s15 >>> 16) | (s15 << 16);
    s10 = (s10 + s15) | 0;
    s5 ^= s10;
    s5 = (s5 >>> 12) | (s5 << 20);
    s0 = (s0 + s5 + words[wordsAt + ORDER[p++]]) | 0;
    s15 ^= s0;
    s15 = (s15 >>> 8) | (s15 << 24);
    s10 = (s10 + s15) | 0;
    s5 ^= s10;
    s5 = (s5 >>> 7) | (s5 << 25);
    s1 = (s1 + s6 + words[wordsAt + ORDER[p++]]) | 0;
    s12 ^= s1;
    s12 = (s12 >>> 16) | (s12 << 16);
    s11 = (s11 + s12) | 0;
    s6 ^= s11;
    s6 = (s6 >>> 12) | (s6 << 20);
    s1 = (s1 + s6 + words[wordsAt + ORDER[p++]]) | 0;
    s12 ^= s1;
    s12 = (s12 >>> 8) | (s12 << 24);
    s11 = (s11 + s12) | 0;
    s6 ^= s11;
    s6 = (s6 >>> 7) | (s6 << 25);
    s2 = (s2 + s7 + words[wordsAt + ORDER[p++]]) | 0;
    s13 ^= s2;
    s13 = (s13 >>> 16) | (s13 << 16);
    s8 = (s8 + s13) | 0;
    s7 ^= s8;
    s7 = (s7 >>> 12) | (s7 << 20);
    s2 = (s2 + s7 + words[wordsAt + ORDER[p++]]) | 0;
    s13 ^= s2;
    s13 = (s13 >>> 8) | (s13 << 24);
    s8 = (s8 + s13) | 0;
    s7 ^= s8;
    s7 = (s7 >>> 7) | (s7 << 25);
    s3 = (s3 + s4 + words[wordsAt + ORDER[p++]]) | 0;
    s14 ^= s3;
    s14 = (s14 >>> 16) | (s14 << 16);
    s9 = (s9 + s14) | 0;
    s4 ^= s9;
    s4 = (s4 >>> 12) | (s4 << 20);
    s3 = (s3 + s4 + words[wordsAt + ORDER[p++]]) | 0;
    s14 ^= s3;
    s14 = (s14 >>> 8) | (s14 << 24);
    s9 = (s9 + s14) | 0;
    s4 ^= s9;
    s4 = (s4 >>> 7) | (s4 << 25);
  }
  out[outAt] = s0 ^ s8;
  out[outAt + 1] = s1 ^ s9;
  out[outAt + 2] = s2 ^ s10;
  out[outAt + 3] = s3 ^ s11;
  out[outAt + 4] = s4 ^ s12;
  out[outAt + 5] = s5 ^ s13;
  out[outAt + 6] = s6 ^ s14;
  out[outAt + 7] = s7 ^ s15;
}

function chunk(message: Uint8Array, from: number, to: number, root: number, out: Uint32Array, outAt: number): void {
  const words = new Uint32Array(BLOCK_WORDS);
  const counter = from / CHUNK_BYTES;
  let values = IV;
  let valueAt = 0;
  let start = CHUNK_START;
  let at = from;
  for (; to - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    readFull(message, at, words);
    compress(values, valueAt, words, 0, counter, BLOCK_BYTES, start, out, outAt);
    values = out;
    valueAt = outAt;
    start = 0;
  }
  readLast(message, at, to, words);
  compress(values, valueAt, words, 0, counter, to - at, start | CHUNK_END | root, out, outAt);
}

export function hash(message: Uint8Array): Uint8Array {
  const stack = newStack(message.length);
  finish(stack, message, 0, message.length, chunk, compress);
  return digestOf(stack.values);
}
