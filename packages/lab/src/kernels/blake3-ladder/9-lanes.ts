/**
 * Step 9: four chunks at once, one in each lane of 128-bit vectors. The module is assembled and compiled when this file is loaded, and
 * has one page of memory. JavaScript transposes the words of the four blocks on their way into it, and calls once for each
 * block. The rest goes through step 8, and so do all parents.
 */
import * as blake3 from '../../../../lanewise/src/blake3/rounds.ts';
import { sequence, set, tee } from '../../../../lanewise/src/wasm/control.ts';
import { Module } from '../../../../lanewise/src/wasm/module.ts';
import * as i32 from '../../../../lanewise/src/wasm/i32.ts';
import type { Expression, Local, Statement } from '../../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../../lanewise/src/wasm/v128.ts';
import { compress } from './generated/6-message-words.ts';
import { hash as hashOfBytes } from './generated/7-buffers.ts';
import { chunk, viewed, type Viewed } from './8-views.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_BYTES, CHUNK_END, CHUNK_START, CV_WORDS, IV } from './specification.ts';
import { finish, newStack, place, type Stack } from './tree-in-place.ts';

export const LANES = 4;
const CHUNK_WORDS = CHUNK_BYTES / 4;

/** Byte addresses: word w of the four blocks, or of the four chaining values, is the vector at 16 * w after these. */
const MESSAGE = 0;
const VALUES = 256;
/** The low words of the four counters, and the high words. */
const COUNTERS = 384;

const words = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const splat = (word: number): Expression<'v128'> => v128.i32x4(word, word, word, word);
/** The masks that rotate each word to the right by whole bytes. */
const maskOf = (bytes: number): Expression<'v128'> => v128.i8x16(...words(16).map((i) => (i & 12) | ((i + bytes) & 3)));

/** Exports `memory` and `compress4(flags)`, which compresses full blocks. */
export function lanesModule(): Module {
  const module = new Module(1);
  module.define('compress4', ['i32'], undefined, (frame, flags) => {
    const s = frame.locals('v128', BLOCK_WORDS);
    const shifted = frame.local('v128');
    const rotated = (x: Expression<'v128'>, count: number): Expression<'v128'> =>
      count % 8 === 0
        ? v128.i8x16_swizzle(x, maskOf(count / 8))
        : v128.or(v128.i32x4_shr_u(tee(shifted, x), count), v128.i32x4_shl(shifted, 32 - count));
    const half = (
      [a, b, c, d]: readonly Local<'v128'>[],
      word: number,
      first: number,
      second: number,
    ): readonly Statement[] => [
      set(a, v128.i32x4_add(v128.i32x4_add(a, b), v128.load(0, MESSAGE + 16 * word))),
      set(d, rotated(v128.xor(d, a), first)),
      set(c, v128.i32x4_add(c, d)),
      set(b, rotated(v128.xor(b, c), second)),
    ];
    const round = (order: readonly number[]): readonly Statement[] =>
      [...blake3.columns, ...blake3.diagonals].flatMap((indices, i) => {
        const quad = indices.map((index) => s[index]);
        return [...half(quad, order[2 * i], 16, 12), ...half(quad, order[2 * i + 1], 8, 7)];
      });
    return [
      ...words(CV_WORDS).map((w) => set(s[w], v128.load(0, VALUES + 16 * w))),
      ...words(4).map((w) => set(s[8 + w], splat(blake3.IV[w]))),
      set(s[12], v128.load(0, COUNTERS)),
      set(s[13], v128.load(0, COUNTERS + 16)),
      set(s[14], splat(BLOCK_BYTES)),
      set(s[15], v128.i32x4_splat(flags)),
      sequence(...blake3.schedule.flatMap(round)),
      ...words(CV_WORDS).map((w) => v128.store(i32.value(0), VALUES + 16 * w, v128.xor(s[w], s[w + 8]))),
    ];
  });
  return module;
}

const exports = new WebAssembly.Instance(new WebAssembly.Module(lanesModule().bytes())).exports as unknown as {
  readonly memory: WebAssembly.Memory;
  readonly compress4: (flags: number) => void;
};
const memory = new Uint32Array(exports.memory.buffer);
const { compress4 } = exports;
const values = VALUES / 4;
const counters = COUNTERS / 4;
const stack = newStack();
const digest = new Uint8Array(stack.values.buffer, 0, 4 * CV_WORDS);

/** The chaining values of the four chunks from byte `from` on, to their places on the stack. */
function fourChunks(message: Uint32Array, from: number, to: Stack): void {
  const counter = from / CHUNK_BYTES;
  for (let lane = 0; lane < LANES; lane++) {
    for (let w = 0; w < CV_WORDS; w++) memory[values + LANES * w + lane] = IV[w];
    memory[counters + lane] = counter + lane;
    memory[counters + LANES + lane] = (counter + lane) / 2 ** 32;
  }
  for (let block = 0; block < CHUNK_WORDS; block += BLOCK_WORDS) {
    for (let lane = 0; lane < LANES; lane++) {
      const at = from / 4 + CHUNK_WORDS * lane + block;
      for (let w = 0; w < BLOCK_WORDS; w++) memory[LANES * w + lane] = message[at + w];
    }
    compress4((block === 0 ? CHUNK_START : 0) | (block === CHUNK_WORDS - BLOCK_WORDS ? CHUNK_END : 0));
  }
  for (let lane = 0; lane < LANES; lane++) {
    const at = place(to, counter + lane, compress);
    for (let w = 0; w < CV_WORDS; w++) to.values[at + w] = memory[values + LANES * w + lane];
  }
}

function hashOf(message: Viewed): Uint8Array {
  const { length } = message.bytes;
  let from = 0;
  for (; length - from >= LANES * CHUNK_BYTES; from += LANES * CHUNK_BYTES) fourChunks(message.words, from, stack);
  finish(stack, message, from, length, chunk, compress);
  return digest.slice();
}

export function hash(message: Uint8Array): Uint8Array {
  const view = viewed(message);
  return view ? hashOf(view) : hashOfBytes(message);
}
