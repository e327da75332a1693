/**
 * Salsa20 within a block: its four diagonals are four vectors, and one quarter round on them is the round of all four
 * columns; turned, that of all four rows. For messages of a few blocks, which do not fill the lanes of a set.
 */
import { quarterRound, salsa } from './rounds.ts';
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';
import { advance } from '../keystream/kernel.ts';
import { BLOCK_BYTES, MASKS, word } from '../keystream/map.ts';
import type { RowsOf, VectorCore } from '../keystream/vector-kernel.ts';
import { laneWords } from '../words/locals.ts';

type Diagonals = readonly [a: Local<'v128'>, b: Local<'v128'>, c: Local<'v128'>, d: Local<'v128'>];

const diagonalLocals = (frame: Frame): Diagonals => frame.locals('v128', 4) as unknown as Diagonals;

/** To the left by so many lanes. */
const turned = (x: Local<'v128'>, by: number): Statement =>
  set(x, v128.shuffle32(x, x, by & 3, (by + 1) & 3, (by + 2) & 3, (by + 3) & 3));

/**
 * From the order of the input (constants; k0 to k3; k4 to k7; nonce and counter), whose rows in the middle are `first` and
 * `second`, and whose last is `last`, to
 *
 *     a  x0 x5 x10 x15    constants
 *     b  x4 x9 x14 x3     k3 counter1 k7 k2
 *     c  x8 x13 x2 x7     counter0 k6 k1 nonce1
 *     d  x12 x1 x6 x11    k5 k0 nonce0 k4
 */
const load = (
  [a, b, c, d]: Diagonals,
  first: Local<'v128'>,
  second: Local<'v128'>,
  last: Local<'v128'>,
): Statement[] => [
  set(a, v128.load(0, word(0))),
  set(b, v128.shuffle32(v128.shuffle32(first, second, 3, 3, 7, 2), last, 0, 7, 2, 3)),
  set(c, v128.shuffle32(v128.shuffle32(first, second, 6, 6, 1, 1), last, 6, 1, 2, 5)),
  set(d, v128.shuffle32(v128.shuffle32(first, second, 5, 0, 0, 4), last, 0, 1, 4, 3)),
];

/** Double rounds of several blocks side by side: while one block waits for a result, another computes. */
function doubleRoundsOf(
  frame: Frame,
  relaxed: boolean,
  blocks: readonly Diagonals[],
  count: Local<'i32'>,
): Statement[] {
  const words = laneWords(frame, { relaxed, masks: MASKS, counts: salsa.byteRotations });
  const round = (order: (rows: Diagonals) => Diagonals): Statement[] => {
    for (const rows of blocks) quarterRound(words, ...order(rows));
    return words.taken();
  };
  const turns = (back: boolean): Statement[] =>
    blocks.flatMap((rows) => [1, 2, 3].map((i) => turned(rows[i], back ? i : 4 - i)));
  return [
    words.prologue,
    loop(
      sequence(...round((rows) => rows), ...turns(false), ...round(([a, b, c, d]) => [a, d, c, b]), ...turns(true)),
      tee(count, i32.sub(count, 1)),
    ),
  ];
}

const inputRows = (frame: Frame): { locals: Local<'v128'>[]; read: Statement[] } => {
  const locals = frame.locals('v128', 3);
  return { locals, read: [set(locals[0], v128.load(0, word(4))), set(locals[1], v128.load(0, word(8)))] };
};

/** Exactly `count` blocks. */
const defineRows: RowsOf = (module, relaxed, count) =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, doubleRounds, address) => {
    const blocks = Array.from({ length: count }, (_, number) => ({
      number,
      input: diagonalLocals(frame),
      rows: diagonalLocals(frame),
    }));
    const {
      locals: [first, second, last],
      read,
    } = inputRows(frame);
    /** Back to the order of the block: every word of a row is on another diagonal. */
    const store = ({ number, input, rows: [a, b, c, d] }: (typeof blocks)[number]): Statement[] => {
      const pick = (x: Local<'v128'>, y: Local<'v128'>): Expression<'v128'> => v128.shuffle32(x, y, 0, 5, 2, 7);
      const [ad, ba, cb, dc] = input;
      return [
        ...[a, b, c, d].map((row, i) => set(row, v128.i32x4_add(row, input[i]))),
        set(ad, pick(a, d)),
        set(ba, pick(b, a)),
        set(cb, pick(c, b)),
        set(dc, pick(d, c)),
        ...[
          v128.shuffle32(ad, cb, 0, 1, 6, 7),
          v128.shuffle32(ba, dc, 0, 1, 6, 7),
          v128.shuffle32(cb, ad, 0, 1, 6, 7),
          v128.shuffle32(dc, ba, 0, 1, 6, 7),
        ].map((keystream, row) => {
          const at = BLOCK_BYTES * number + 16 * row;
          return v128.store(address, at, v128.xor(v128.load(address, at), keystream));
        }),
      ];
    };

    const row = v128.load(0, word(12));
    return [
      ...read,
      ...blocks.flatMap(({ number, input }) => [
        set(last, number ? v128.i64x2_add(row, v128.i32x4(0, 0, number, 0)) : row),
        ...load(input, first, second, last),
      ]),
      ...blocks.flatMap(({ input, rows }) => rows.map((local, i) => set(local, input[i]))),
      ...doubleRoundsOf(
        frame,
        relaxed,
        blocks.map(({ rows }) => rows),
        doubleRounds,
      ),
      ...blocks.flatMap(store),
      advance(salsa, count),
    ];
  });

export const salsaVectors: VectorCore = { core: salsa, defineRows };
