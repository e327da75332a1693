/**
 * The module of ChaCha8Rand (C2SP chacha8rand.md): ChaCha with 8 rounds makes sixteen blocks under one key, and the last 32 bytes
 * of them are the next key. The output takes the first word of four blocks, then their second words, and so on, which is
 * how four blocks lie in the lanes of vectors: nothing is transposed.
 *
 * Only the key is added to the result of the rounds, because the other words of the input are public.
 */
import { chacha } from '../chacha/rounds.ts';
import { SIGMA, WORDS } from '../keystream/core.ts';
import { setOfBlocks, type Place } from '../keystream/lanes.ts';
import { SET_BYTES, word } from '../keystream/map.ts';
import { copy, loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { LANES } from '../words/lanes.ts';
import { masksOf, scalarWords } from '../words/locals.ts';
import { BLOCKS_BYTES, KEY, KEY_BYTES, MASKS, OUTPUT_BYTES, PAGES, STAGE } from './map.ts';

/** The exported functions. */
export interface Functions {
  /**
   * Makes `iterations` iterations, at least one, from the key at KEY: their output goes to STAGE, the next key after
   * it.
   */
  generate(iterations: number): void;
}

const DOUBLE_ROUNDS = 4;
/** The words of the key, the two middle rows of the input. */
const isKey = (w: number): boolean => w >= 4 && w < 12;
const ALL_WORDS = /* @__PURE__ */ Array.from({ length: WORDS }, (_, w) => w);

export function randomModule({ lanes }: { readonly lanes?: { readonly relaxed: boolean } | undefined }): Module {
  const module = new Module(PAGES);
  if (lanes) module.data(MASKS, masksOf(chacha.byteRotations, chacha.multiplied));

  module.define('generate', ['i32'], undefined, (frame, iterations) => {
    const at = frame.local('i32'); // where the iteration's blocks are, from STAGE on
    const end = frame.local('i32');
    const base = frame.local('i32'); // where the set's or the block's are
    const rounds = frame.local('i32');
    const each = (bytes: number, ...body: readonly Statement[]): Statement =>
      sequence(set(base, at), loop(sequence(...body, set(base, i32.add(base, bytes))), i32.lt_u(base, end)));

    const iteration = (): Statement[] => {
      if (!lanes) {
        const words = scalarWords();
        const x = frame.locals('i32', WORDS);
        const block = frame.local('i32');
        for (const [a, b, c, d] of chacha.doubleRound.flat()) chacha.quarterRound(words, x[a], x[b], x[c], x[d]);
        const steps = words.taken();
        // Blocks 0 to 3 of a set lie 4 bytes apart; after the fourth comes the next set.
        return [
          set(block, i32.value(0)),
          loop(
            sequence(
              ...ALL_WORDS.map((w) => set(x[w], w === chacha.counter ? block : i32.load(0, word(w)))),
              set(rounds, i32.value(DOUBLE_ROUNDS)),
              loop(sequence(...steps), tee(rounds, i32.sub(rounds, 1))),
              set(base, i32.add(at, i32.add(i32.shl(i32.shr_u(block, 2), 8), i32.shl(i32.and(block, 3), 2)))),
              ...ALL_WORDS.map((w) =>
                i32.store(base, STAGE + 4 * LANES * w, isKey(w) ? i32.add(x[w], i32.load(0, word(w))) : x[w]),
              ),
              set(block, i32.add(block, 1)),
            ),
            i32.lt_u(block, BLOCKS_BYTES / (4 * WORDS)),
          ),
        ];
      }
      const blockSet = setOfBlocks(frame, chacha, lanes.relaxed);
      const place: Place = { base, offset: STAGE, data: base, dataOffset: STAGE };
      return [
        blockSet.prologue,
        each(SET_BYTES, ...blockSet.fill(place), blockSet.nextSet),
        set(rounds, i32.value(DOUBLE_ROUNDS)),
        loop(
          sequence(...chacha.doubleRound.map((quads) => each(SET_BYTES, ...blockSet.rounds(quads, place)))),
          tee(rounds, i32.sub(rounds, 1)),
        ),
        each(
          SET_BYTES,
          ...ALL_WORDS.filter(isKey).map((w) =>
            v128.store(
              base,
              STAGE + 16 * w,
              v128.i32x4_add(v128.load(base, STAGE + 16 * w), v128.load32_splat(0, word(w))),
            ),
          ),
        ),
      ];
    };

    return [
      ...SIGMA.map((constant, w) => i32.store(0, word(w), constant)),
      ...ALL_WORDS.slice(12).map((w) => i32.store(0, word(w), 0)),
      set(at, i32.value(0)),
      loop(
        sequence(
          set(end, i32.add(at, BLOCKS_BYTES)),
          ...iteration(),
          copy(KEY, i32.add(at, STAGE + OUTPUT_BYTES), KEY_BYTES),
          set(at, i32.add(at, OUTPUT_BYTES)),
        ),
        tee(iterations, i32.sub(iterations, 1)),
      ),
    ];
  });
  return module;
}
