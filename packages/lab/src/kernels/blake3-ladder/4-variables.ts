/** Step 4: the state is sixteen variables, which an engine can keep in registers, and becomes an array at the end only. */
import { fullBlock, lastBlock } from './1-full-blocks.ts';
import { ORDER } from './2-permutations.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_END, CHUNK_START, CV_WORDS, digestOf, IV } from './specification.ts';
import { rootOf } from './tree-of-copies.ts';

function compress(
  chainingValue: Uint32Array,
  words: Uint32Array,
  counter: number,
  length: number,
  flags: number,
): Uint32Array {
  let s0 = chainingValue[0] | 0;
  let s1 = chainingValue[1] | 0;
  let s2 = chainingValue[2] | 0;
  let s3 = chainingValue[3] | 0;
  let s4 = chainingValue[4] | 0;
  let s5 = chainingValue[5] | 0;
  let s6 = chainingValue[6] | 0;
  let s7 = chainingValue[7] | 0;
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
    s0 = (s0 + s4 + words[ORDER[p++]]) | 0;
    s12 ^= s0;
    s12 = (s12 >>> 16) | (s12 << 16);
    s8 = (s8 + s12) | 0;
    s4 ^= s8;
    s4 = (s4 >>> 12) | (s4 << 20);
    s0 = (s0 + s4 + words[ORDER[p++]]) | 0;
    s12 ^= s0;
    s12 = (s12 >>> 8) | (s12 << 24);
    s8 = (s8 + s12) | 0;
    s4 ^= s8;
    s4 = (s4 >>> 7) | (s4 << 25);
    s1 = (s1 + s5 + words[ORDER[p++]]) | 0;
    s13 ^= s1;
    s13 = (s13 >>> 16) | (s13 << 16);
    s9 = (s9 + s13) | 0;
    s5 ^= s9;
    s5 = (s5 >>> 12) | (s5 << 20);
    s1 = (s1 + s5 + words[ORDER[p++]]) | 0;
    s13 ^= s1;
    s13 = (s13 >>> 8) | (s13 << 24);
    s9 = (s9 + s13) | 0;
    s5 ^= s9;
    s5 = (s5 >>> 7) | (s5 << 25);
    s2 = (s2 + s6 + words[ORDER[p++]]) | 0;
    s14 ^= s2;
    s14 = (s14 >>> 16) | (s14 << 16);
    s10 = (s10 + s14) | 0;
    s6 ^= s10;
    s6 = (s6 >>> 12) | (s6 << 20);
    s2 = (s2 + s6 + words[ORDER[p++]]) | 0;
    s14 ^= s2;
    s14 = (s14 >>> 8) | (s14 << 24);
    s10 = (s10 + s14) | 0;
    s6 ^= s10;
    s6 = (s6 >>> 7) | (s6 << 25);
    s3 = (s3 + s7 + words[ORDER[p++]]) | 0;
    s15 ^= s3;
    s15 = (s15 >>> 16) | (s15 << 16);
    s11 = (s11 + s15) | 0;
    s7 ^= s11;
    s7 = (s7 >>> 12) | (s7 << 20);
    s3 = (s3 + s7 + words[ORDER[p++]]) | 0;
    s15 ^= s3;
    s15 = (s15 >>> 8) | (s15 << 24);
    s11 = (s11 + s15) | 0;
    s7 ^= s11;
    s7 = (s7 >>> 7) | (s7 << 25);
    // Diagonals.
    s0 = (s0 + s5 + words[ORDER[p++]]) | 0;
    s15 ^= s0;
    s15 = (s15 >>> 16) | (s15 << 16);
    s10 = (s10 + s15) | 0;
    s5 ^= s10;
    s5 = (s5 >>> 12) | (s5 << 20);
    s0 = (s0 + s5 + words[ORDER[p++]]) | 0;
    s15 ^= s0;
    s15 = (s15 >>> 8) | (s15 << 24);
    s10 = (s10 + s15) | 0;
    s5 ^= s10;
    s5 = (s5 >>> 7) | (s5 << 25);
    s1 = (s1 + s6 + words[ORDER[p++]]) | 0;
    s12 ^= s1;
    s12 = (s12 >>> 16) | (s12 << 16);
    s11 = (s11 + s12) | 0;
    s6 ^= s11;
    s6 = (s6 >>> 12) | (s6 << 20);
    s1 = (s1 + s6 + words[ORDER[p++]]) | 0;
    s12 ^= s1;
    s12 = (s12 >>> 8) | (s12 << 24);
    s11 = (s11 + s12) | 0;
    s6 ^= s11;
    s6 = (s6 >>> 7) | (s6 << 25);
    s2 = (s2 + s7 + words[ORDER[p++]]) | 0;
    s13 ^= s2;
    s13 = (s13 >>> 16) | (s13 << 16);
    s8 = (s8 + s13) | 0;
    s7 ^= s8;
    s7 = (s7 >>> 12) | (s7 << 20);
    s2 = (s2 + s7 + words[ORDER[p++]]) | 0;
    s13 ^= s2;
    s13 = (s13 >>> 8) | (s13 << 24);
    s8 = (s8 + s13) | 0;
    s7 ^= s8;
    s7 = (s7 >>> 7) | (s7 << 25);
    s3 = (s3 + s4 + words[ORDER[p++]]) | 0;
    s14 ^= s3;
    s14 = (s14 >>> 16) | (s14 << 16);
    s9 = (s9 + s14) | 0;
    s4 ^= s9;
    s4 = (s4 >>> 12) | (s4 << 20);
    s3 = (s3 + s4 + words[ORDER[p++]]) | 0;
    s14 ^= s3;
    s14 = (s14 >>> 8) | (s14 << 24);
    s9 = (s9 + s14) | 0;
    s4 ^= s9;
    s4 = (s4 >>> 7) | (s4 << 25);
  }
  const out = new Uint32Array(BLOCK_WORDS);
  out[0] = s0 ^ s8;
  out[1] = s1 ^ s9;
  out[2] = s2 ^ s10;
  out[3] = s3 ^ s11;
  out[4] = s4 ^ s12;
  out[5] = s5 ^ s13;
  out[6] = s6 ^ s14;
  out[7] = s7 ^ s15;
  out[8] = s8 ^ chainingValue[0];
  out[9] = s9 ^ chainingValue[1];
  out[10] = s10 ^ chainingValue[2];
  out[11] = s11 ^ chainingValue[3];
  out[12] = s12 ^ chainingValue[4];
  out[13] = s13 ^ chainingValue[5];
  out[14] = s14 ^ chainingValue[6];
  out[15] = s15 ^ chainingValue[7];
  return out;
}

function chunk(message: Uint8Array, from: number, to: number, counter: number, root: number): Uint32Array {
  let value = IV;
  let start = CHUNK_START;
  let at = from;
  for (; to - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    value = compress(value, fullBlock(message, at), counter, BLOCK_BYTES, start).slice(0, CV_WORDS);
    start = 0;
  }
  const flags = start | CHUNK_END | root;
  return compress(value, lastBlock(message, at, to), counter, to - at, flags).slice(0, CV_WORDS);
}

export const hash = (message: Uint8Array): Uint8Array => digestOf(rootOf(message, chunk, compress));
