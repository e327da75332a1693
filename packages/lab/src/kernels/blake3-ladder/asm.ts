/**
 * asm.js: step 7 in the part of JavaScript that engines of 2013 learned to compile ahead of time, over a heap of its own. No
 * code is made of text: the function says `use asm`, and an engine that does not know the words runs it as JavaScript.
 */
import { BLOCK_BYTES, CHUNK_BYTES, CHUNK_END, CHUNK_START, digestOf, IV } from './specification.ts';
import { finish, newStack } from './tree-in-place.ts';

interface AsmFunctions {
  /** Addresses are in bytes, of the chaining value, the block, and the result. */
  compress(valueAt: number, blockAt: number, counter: number, length: number, flags: number, outAt: number): void;
  /** The chaining value of the chunk at address 0, whose last block is filled up with zeros. */
  chunk(length: number, counter: number, start: number, last: number, outAt: number): void;
}

/* eslint-disable no-var, no-useless-assignment -- asm.js has neither `let` nor `const`, and a zero gives a variable its type */
// prettier-ignore
export function asmModule(stdlib: { readonly Int32Array: Int32ArrayConstructor }, _: unknown, buffer: ArrayBuffer): AsmFunctions {
  'use asm';
  var heap = new stdlib.Int32Array(buffer);

  function compressBlock(valueAt: number, blockAt: number, counter: number, length: number, flags: number, outAt: number) {
    valueAt = valueAt | 0;
    blockAt = blockAt | 0;
    counter = counter | 0;
    length = length | 0;
    flags = flags | 0;
    outAt = outAt | 0;
    var s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    var s8 = 0, s9 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0, s14 = 0, s15 = 0;
    var m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0;
    var m8 = 0, m9 = 0, m10 = 0, m11 = 0, m12 = 0, m13 = 0, m14 = 0, m15 = 0;
    var i = 0, first = 0;
    s0 = heap[valueAt >> 2] | 0;
    s1 = heap[(valueAt + 4) >> 2] | 0;
    s2 = heap[(valueAt + 8) >> 2] | 0;
    s3 = heap[(valueAt + 12) >> 2] | 0;
    s4 = heap[(valueAt + 16) >> 2] | 0;
    s5 = heap[(valueAt + 20) >> 2] | 0;
    s6 = heap[(valueAt + 24) >> 2] | 0;
    s7 = heap[(valueAt + 28) >> 2] | 0;
    s8 = 0x6a09e667 | 0;
    s9 = 0xbb67ae85 | 0;
    s10 = 0x3c6ef372 | 0;
    s11 = 0xa54ff53a | 0;
    s12 = counter;
    s13 = 0;
    s14 = length;
    s15 = flags;
    m0 = heap[blockAt >> 2] | 0;
    m1 = heap[(blockAt + 4) >> 2] | 0;
    m2 = heap[(blockAt + 8) >> 2] | 0;
    m3 = heap[(blockAt + 12) >> 2] | 0;
    m4 = heap[(blockAt + 16) >> 2] | 0;
    m5 = heap[(blockAt + 20) >> 2] | 0;
    m6 = heap[(blockAt + 24) >> 2] | 0;
    m7 = heap[(blockAt + 28) >> 2] | 0;
    m8 = heap[(blockAt + 32) >> 2] | 0;
    m9 = heap[(blockAt + 36) >> 2] | 0;
    m10 = heap[(blockAt + 40) >> 2] | 0;
    m11 = heap[(blockAt + 44) >> 2] | 0;
    m12 = heap[(blockAt + 48) >> 2] | 0;
    m13 = heap[(blockAt + 52) >> 2] | 0;
    m14 = heap[(blockAt + 56) >> 2] | 0;
    m15 = heap[(blockAt + 60) >> 2] | 0;
    for (i = 1; ; i = (i + 1) | 0) {
      // Columns.
      s0 = (s0 + s4 + m0) | 0;
      s12 = s12 ^ s0;
      s12 = (s12 >>> 16) | (s12 << 16);
      s8 = (s8 + s12) | 0;
      s4 = s4 ^ s8;
      s4 = (s4 >>> 12) | (s4 << 20);
      s0 = (s0 + s4 + m1) | 0;
      s12 = s12 ^ s0;
      s12 = (s12 >>> 8) | (s12 << 24);
      s8 = (s8 + s12) | 0;
      s4 = s4 ^ s8;
      s4 = (s4 >>> 7) | (s4 << 25);
      s1 = (s1 + s5 + m2) | 0;
      s13 = s13 ^ s1;
      s13 = (s13 >>> 16) | (s13 << 16);
      s9 = (s9 + s13) | 0;
      s5 = s5 ^ s9;
      s5 = (s5 >>> 12) | (s5 << 20);
      s1 = (s1 + s5 + m3) | 0;
      s13 = s13 ^ s1;
      s13 = (s13 >>> 8) | (s13 << 24);
      s9 = (s9 + s13) | 0;
      s5 = s5 ^ s9;
      s5 = (s5 >>> 7) | (s5 << 25);
      s2 = (s2 + s6 + m4) | 0;
      s14 = s14 ^ s2;
      s14 = (s14 >>> 16) | (s14 << 16);
      s10 = (s10 + s14) | 0;
      s6 = s6 ^ s10;
      s6 = (s6 >>> 12) | (s6 << 20);
      s2 = (s2 + s6 + m5) | 0;
      s14 = s14 ^ s2;
      s14 = (s14 >>> 8) | (s14 << 24);
      s10 = (s10 + s14) | 0;
      s6 = s6 ^ s10;
      s6 = (s6 >>> 7) | (s6 << 25);
      s3 = (s3 + s7 + m6) | 0;
      s15 = s15 ^ s3;
      s15 = (s15 >>> 16) | (s15 << 16);
      s11 = (s11 + s15) | 0;
      s7 = s7 ^ s11;
      s7 = (s7 >>> 12) | (s7 << 20);
      s3 = (s3 + s7 + m7) | 0;
      s15 = s15 ^ s3;
      s15 = (s15 >>> 8) | (s15 << 24);
      s11 = (s11 + s15) | 0;
      s7 = s7 ^ s11;
      s7 = (s7 >>> 7) | (s7 << 25);
      // Diagonals.
      s0 = (s0 + s5 + m8) | 0;
      s15 = s15 ^ s0;
      s15 = (s15 >>> 16) | (s15 << 16);
      s10 = (s10 + s15) | 0;
      s5 = s5 ^ s10;
      s5 = (s5 >>> 12) | (s5 << 20);
      s0 = (s0 + s5 + m9) | 0;
      s15 = s15 ^ s0;
      s15 = (s15 >>> 8) | (s15 << 24);
      s10 = (s10 + s15) | 0;
      s5 = s5 ^ s10;
      s5 = (s5 >>> 7) | (s5 << 25);
      s1 = (s1 + s6 + m10) | 0;
      s12 = s12 ^ s1;
      s12 = (s12 >>> 16) | (s12 << 16);
      s11 = (s11 + s12) | 0;
      s6 = s6 ^ s11;
      s6 = (s6 >>> 12) | (s6 << 20);
      s1 = (s1 + s6 + m11) | 0;
      s12 = s12 ^ s1;
      s12 = (s12 >>> 8) | (s12 << 24);
      s11 = (s11 + s12) | 0;
      s6 = s6 ^ s11;
      s6 = (s6 >>> 7) | (s6 << 25);
      s2 = (s2 + s7 + m12) | 0;
      s13 = s13 ^ s2;
      s13 = (s13 >>> 16) | (s13 << 16);
      s8 = (s8 + s13) | 0;
      s7 = s7 ^ s8;
      s7 = (s7 >>> 12) | (s7 << 20);
      s2 = (s2 + s7 + m13) | 0;
      s13 = s13 ^ s2;
      s13 = (s13 >>> 8) | (s13 << 24);
      s8 = (s8 + s13) | 0;
      s7 = s7 ^ s8;
      s7 = (s7 >>> 7) | (s7 << 25);
      s3 = (s3 + s4 + m14) | 0;
      s14 = s14 ^ s3;
      s14 = (s14 >>> 16) | (s14 << 16);
      s9 = (s9 + s14) | 0;
      s4 = s4 ^ s9;
      s4 = (s4 >>> 12) | (s4 << 20);
      s3 = (s3 + s4 + m15) | 0;
      s14 = s14 ^ s3;
      s14 = (s14 >>> 8) | (s14 << 24);
      s9 = (s9 + s14) | 0;
      s4 = s4 ^ s9;
      s4 = (s4 >>> 7) | (s4 << 25);
      if ((i | 0) == 7) break;
      first = m0;
      m0 = m2;
      m2 = m3;
      m3 = m10;
      m10 = m12;
      m12 = m9;
      m9 = m11;
      m11 = m5;
      m5 = first;
      first = m1;
      m1 = m6;
      m6 = m4;
      m4 = m7;
      m7 = m13;
      m13 = m14;
      m14 = m15;
      m15 = m8;
      m8 = first;
    }
    heap[outAt >> 2] = s0 ^ s8;
    heap[(outAt + 4) >> 2] = s1 ^ s9;
    heap[(outAt + 8) >> 2] = s2 ^ s10;
    heap[(outAt + 12) >> 2] = s3 ^ s11;
    heap[(outAt + 16) >> 2] = s4 ^ s12;
    heap[(outAt + 20) >> 2] = s5 ^ s13;
    heap[(outAt + 24) >> 2] = s6 ^ s14;
    heap[(outAt + 28) >> 2] = s7 ^ s15;
  }

  function hashChunk(length: number, counter: number, start: number, last: number, outAt: number) {
    length = length | 0;
    counter = counter | 0;
    start = start | 0;
    last = last | 0;
    outAt = outAt | 0;
    var at = 0, valueAt = 1024;
    for (; (length | 0) > 64; length = (length - 64) | 0) {
      compressBlock(valueAt, at, counter, 64, start, outAt);
      valueAt = outAt;
      start = 0;
      at = (at + 64) | 0;
    }
    compressBlock(valueAt, at, counter, length, start | last, outAt);
  }

  return { compress: compressBlock, chunk: hashChunk };
}
/* eslint-enable no-var, no-useless-assignment */

/** The heap: a chunk, the initial value, and the stack. */
const INITIAL_VALUE = CHUNK_BYTES;
const STACK = 4096;
const buffer = new ArrayBuffer(2 ** 16);
const bytes = new Uint8Array(buffer);
new Uint32Array(buffer, INITIAL_VALUE).set(IV);
const stack = { values: new Uint32Array(buffer, STACK, newStack().values.length), top: 0 };
const asm = asmModule({ Int32Array }, undefined, buffer);

/** A message in memory has fewer than 2^31 chunks, so the high word of each counter is zero. */
function chunk(message: Uint8Array, from: number, to: number, root: number, _: Uint32Array, outAt: number): void {
  bytes.set(message.subarray(from, to));
  // The last block is filled up, and the only one of an empty message is all zeros.
  bytes.fill(0, to - from, Math.max(BLOCK_BYTES, Math.ceil((to - from) / BLOCK_BYTES) * BLOCK_BYTES));
  asm.chunk(to - from, from / CHUNK_BYTES, CHUNK_START, CHUNK_END | root, STACK + 4 * outAt);
}

/** Parents: both chaining values are on the stack, and so is the result. */
function compress(
  _: Uint32Array,
  _valueAt: number,
  _words: Uint32Array,
  wordsAt: number,
  counter: number,
  length: number,
  flags: number,
  _out: Uint32Array,
  outAt: number,
): void {
  asm.compress(INITIAL_VALUE, STACK + 4 * wordsAt, counter, length, flags, STACK + 4 * outAt);
}

export function hash(message: Uint8Array): Uint8Array {
  finish(stack, message, 0, message.length, chunk, compress);
  return digestOf(stack.values);
}
