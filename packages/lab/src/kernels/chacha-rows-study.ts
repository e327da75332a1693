/**
 * ChaCha20 with one block across the lanes, for study: each row of the block is a vector, and the diagonals are rotated
 * into columns between half rounds. Each instruction makes four additions at once, but depends on the one before, and
 * the rotations of rows come on top. One block at a time, or several interleaved; or three by rows in vectors, and the
 * fourth in integers: this is how OpenSSL's code for SSSE3 and NEON fills processors that execute both kinds at once. The
 * memory map is that of chacha-study.ts.
 */
import { loop, sequence, set, tee } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../lanewise/src/wasm/v128.ts';
import { weave } from '../../../lanewise/src/words/weave.ts';
import { COLUMNS, DIAGONALS, moduleOf, STATE, STEPS } from './chacha-study.ts';
import { rotationsIn, type Rotations } from './rotations.ts';

const COUNTER = STATE + 48;
const BLOCK = 64;

interface RowsVariant {
  /** The number of blocks that are interleaved. */
  readonly blocks: number;
  readonly rotations: Rotations;
  /** Whether one more block is in sixteen integers, whose instructions are woven in between. */
  readonly beside: boolean;
}

type Row = Local<'v128'>;
type RowStep = (rows: readonly Row[]) => Statement;

/** The steps of the quarter rounds of a block's four columns. */
const rowSteps = ({ rotated }: Pick<ReturnType<typeof rotationsIn>, 'rotated'>): readonly RowStep[] =>
  STEPS.map(
    ([to, from, mixed, count]) =>
      (rows) =>
        sequence(
          set(rows[to], v128.i32x4_add(rows[to], rows[from])),
          set(rows[mixed], rotated(v128.xor(rows[mixed], rows[to]), count)),
        ),
  );

/** Rotates the rows so that diagonals become columns, or back. */
const turnSteps = (back: boolean): readonly RowStep[] =>
  ([1, 2, 3] as const).map((row) => {
    const by = back ? 4 - row : row;
    return (rows) => set(rows[row], v128.shuffle32(rows[row], rows[row], by, (by + 1) & 3, (by + 2) & 3, (by + 3) & 3));
  });

/** The steps of four quarter rounds on sixteen integers: the same step of all before the next step. */
const integerSteps = (x: readonly Local<'i32'>[], quads: typeof COLUMNS | typeof DIAGONALS): readonly Statement[] =>
  STEPS.flatMap(([to, from, mixed, count]) =>
    quads.flatMap((quad) => [
      set(x[quad[to]], i32.add(x[quad[to]], x[quad[from]])),
      set(x[quad[mixed]], i32.rotl(i32.xor(x[quad[mixed]], x[quad[to]]), count)),
    ]),
  );

/** Defines a function (address, groups) for groups of this many blocks. */
function defineGroups(module: Module, { blocks, rotations: form, beside }: RowsVariant) {
  return module.define(undefined, ['i32', 'i32'], undefined, (frame, address, groups) => {
    const rotation = rotationsIn(frame, form);
    const rounds = frame.local('i32');
    const each = Array.from({ length: blocks }, () => frame.locals('v128', 4));
    const x = beside ? frame.locals('i32', 16) : [];
    const perGroup = beside ? blocks + 1 : blocks;

    /** RFC 8439 §2.3; block n of a group adds n to the counter. */
    const initial = (block: number, row: number): Expression<'v128'> => {
      const loaded = v128.load(0, STATE + 16 * row);
      return row === 3 && block > 0 ? v128.i32x4_add(loaded, v128.i32x4(block, 0, 0, 0)) : loaded;
    };
    const word = (w: number): Expression<'i32'> => {
      const loaded = i32.load(0, STATE + 4 * w);
      return w === 12 ? i32.add(loaded, blocks) : loaded;
    };
    /** Makes the same step of every block before the next step, and those of integers in between. */
    const halfRound = (quads: typeof COLUMNS | typeof DIAGONALS, back: boolean): Statement =>
      weave(
        [
          ...rowSteps(rotation).flatMap((step) => each.map(step)),
          ...each.flatMap((rows) => turnSteps(back).map((step) => step(rows))),
        ],
        beside ? integerSteps(x, quads) : [],
      );

    return [
      rotation.load,
      loop(
        sequence(
          ...each.flatMap((rows, block) => rows.map((row, r) => set(row, initial(block, r)))),
          ...x.map((local, w) => set(local, word(w))),
          set(rounds, i32.value(10)),
          loop(sequence(halfRound(COLUMNS, false), halfRound(DIAGONALS, true)), tee(rounds, i32.sub(rounds, 1))),
          ...each.flatMap((rows, block) =>
            rows.map((row, r) => {
              const at = BLOCK * block + 16 * r;
              return v128.store(address, at, v128.xor(v128.load(address, at), v128.i32x4_add(row, initial(block, r))));
            }),
          ),
          ...x.map((local, w) => {
            const at = BLOCK * blocks + 4 * w;
            return i32.store(address, at, i32.xor(i32.load(address, at), i32.add(local, word(w))));
          }),
          i32.store(0, COUNTER, i32.add(i32.load(0, COUNTER), perGroup)),
          set(address, i32.add(address, BLOCK * perGroup)),
        ),
        tee(groups, i32.sub(groups, 1)),
      ),
    ];
  });
}

/** Any number of blocks is allowed; with one in integers, a multiple of a group. */
export const rowsModule = ({
  blocks,
  rotations,
  beside = false,
}: Omit<RowsVariant, 'beside'> & Partial<RowsVariant>): Module =>
  beside
    ? moduleOf(blocks + 1, blocks + 1, (module) => defineGroups(module, { blocks, rotations, beside }))
    : moduleOf(blocks, 1, (module, count) => defineGroups(module, { blocks: count, rotations, beside }));
