/**
 * ChaCha within a block: the four rows of the state are four vectors, and one quarter round on them is the round of all
 * four columns. For messages of a few blocks, which do not fill the lanes of a set.
 */
import { chacha, quarterRound } from './rounds.ts';
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { advance } from '../keystream/kernel.ts';
import { BLOCK_BYTES, MASKS, word } from '../keystream/map.ts';
import type { RowsOf, VectorCore } from '../keystream/vector-kernel.ts';
import { laneWords } from '../words/locals.ts';

type Rows = readonly Local<'v128'>[];

/**
 * Turns the rows so that diagonals become columns, RFC 8439 §2.3; `back` turns them back. Row b stays where it is and the
 * others turn past it: it is the last result of a round, so the next round would have to wait for its turn.
 */
const diagonalised = (rows: Rows, back: boolean): Statement[] =>
  [0, 2, 3].map((i) => {
    const by = (back ? 5 - i : 3 + i) & 3;
    return set(rows[i], v128.shuffle32(rows[i], rows[i], by, (by + 1) & 3, (by + 2) & 3, (by + 3) & 3));
  });

/** Double rounds of several blocks side by side: while one block waits for a result, another computes. */
function doubleRoundsOf(frame: Frame, relaxed: boolean, blocks: readonly Rows[], count: Local<'i32'>): Statement[] {
  const words = laneWords(frame, { relaxed, masks: MASKS, counts: chacha.byteRotations });
  const round = (): Statement[] => {
    for (const [a, b, c, d] of blocks) quarterRound(words, a, b, c, d);
    return words.taken();
  };
  const turn = (back: boolean): Statement[] => blocks.flatMap((rows) => diagonalised(rows, back));
  return [
    words.prologue,
    loop(sequence(...round(), ...turn(false), ...round(), ...turn(true)), tee(count, i32.sub(count, 1))),
  ];
}

const ROWS = [0, 1, 2, 3];

/** Exactly `count` blocks. */
const defineRows: RowsOf = (module, relaxed, count) =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, doubleRounds, address) => {
    const blocks = Array.from({ length: count }, () => frame.locals('v128', 4));
    /** The counter is the low half of the last row: adding it as 64 bits carries into its high word. */
    const initial = (number: number, row: number): Expression<'v128'> => {
      const loaded = v128.load(0, word(4 * row));
      return row === 3 && number ? v128.i64x2_add(loaded, v128.i32x4(number, 0, 0, 0)) : loaded;
    };
    return [
      ...blocks.flatMap((rows, number) => ROWS.map((row) => set(rows[row], initial(number, row)))),
      ...doubleRoundsOf(frame, relaxed, blocks, doubleRounds),
      ...blocks.flatMap((rows, number) =>
        ROWS.map((row) => {
          const at = BLOCK_BYTES * number + 16 * row;
          const keystream = v128.i32x4_add(rows[row], initial(number, row));
          return v128.store(address, at, v128.xor(v128.load(address, at), keystream));
        }),
      ),
      advance(chacha, count),
    ];
  });

export const chachaVectors: VectorCore = { core: chacha, defineRows };
