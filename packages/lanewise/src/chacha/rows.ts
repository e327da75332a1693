/**
 * ChaCha within a block: the four rows of the state are four vectors, and one quarter round on them is the round of all
 * four columns. For messages of a few blocks, which do not fill the lanes of a set.
 */
import { chacha, quarterRound } from './rounds.ts';
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { advance, type Xor } from '../keystream/kernel.ts';
import { BLOCK, MASKS, word } from '../keystream/map.ts';
import { laneWords } from '../words/locals.ts';

type Rows = readonly Local<'v128'>[];

/** Turns row i by i places to the left, so that diagonals become columns; `back` turns them back. RFC 8439 §2.3 */
const diagonalised = (rows: Rows, back: boolean): Statement[] =>
  [1, 2, 3].map((i) => {
    const by = back ? 4 - i : i;
    return set(rows[i], v128.shuffle32(rows[i], rows[i], by, (by + 1) & 3, (by + 2) & 3, (by + 3) & 3));
  });

/** Exactly `count` blocks side by side: what one waits for, another computes. */
export const defineChachaRows = (module: Module, relaxed: boolean, count: number): Xor =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame: Frame, doubleRounds, address) => {
    const words = laneWords(frame, { relaxed, masks: MASKS, counts: chacha.byteRotations });
    const blocks = Array.from({ length: count }, (_, number) => ({ number, rows: frame.locals('v128', 4) }));
    /** The counter is the low half of the last row, so that a carry goes where it belongs. */
    const initial = (number: number, row: number): Expression<'v128'> => {
      const loaded = v128.load(0, word(4 * row));
      return row === 3 && number ? v128.i64x2_add(loaded, v128.i32x4(number, 0, 0, 0)) : loaded;
    };
    const round = (): Statement[] => {
      for (const { rows } of blocks) quarterRound(words, rows[0], rows[1], rows[2], rows[3]);
      return words.taken();
    };
    return [
      words.prologue,
      ...blocks.flatMap(({ number, rows }) => rows.map((local, row) => set(local, initial(number, row)))),
      loop(
        sequence(
          ...round(),
          ...blocks.flatMap(({ rows }) => diagonalised(rows, false)),
          ...round(),
          ...blocks.flatMap(({ rows }) => diagonalised(rows, true)),
        ),
        tee(doubleRounds, i32.sub(doubleRounds, 1)),
      ),
      ...blocks.flatMap(({ number, rows }) =>
        rows.map((local, row) => {
          const at = BLOCK * number + 16 * row;
          const keystream = v128.i32x4_add(local, initial(number, row));
          return v128.store(address, at, v128.xor(v128.load(address, at), keystream));
        }),
      ),
      advance(chacha, count),
    ];
  });
