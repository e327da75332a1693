/**
 * ChaCha20 with one block across the lanes, for study: each row of the block is a vector, and the diagonals are rotated
 * into columns between half rounds. Each instruction makes four additions at once, but depends on the one before, and
 * the rotations of rows come on top. One block at a time, or several interleaved. The memory map is that of
 * chacha-study.ts.
 */
import { loop, sequence, set, tee } from '../../../lanewise/src/wasm/control.ts';
import * as i32 from '../../../lanewise/src/wasm/i32.ts';
import type { Module } from '../../../lanewise/src/wasm/module.ts';
import type { Expression, Local, Statement } from '../../../lanewise/src/wasm/types.ts';
import * as v128 from '../../../lanewise/src/wasm/v128.ts';
import { moduleOf, STATE, STEPS } from './chacha-study.ts';
import { rotationsIn, type Rotations } from './rotations.ts';

const COUNTER = STATE + 48;
const BLOCK = 64;

export interface RowsVariant {
  /** The number of blocks that are interleaved. */
  readonly blocks: number;
  readonly rotations: Rotations;
}

type Row = Local<'v128'>;
type RowStep = (rows: readonly Row[]) => Statement;

/** The steps of the quarter rounds of a block's four columns. */
export const rowSteps = ({ rotated }: Pick<ReturnType<typeof rotationsIn>, 'rotated'>): readonly RowStep[] =>
  STEPS.map(
    ([to, from, mixed, count]) =>
      (rows) =>
        sequence(
          set(rows[to], v128.i32x4_add(rows[to], rows[from])),
          set(rows[mixed], rotated(v128.xor(rows[mixed], rows[to]), count)),
        ),
  );

/** Rotates the rows so that diagonals become columns, or back. */
export const turnSteps = (back: boolean): readonly RowStep[] =>
  ([1, 2, 3] as const).map((row) => {
    const by = back ? 4 - row : row;
    return (rows) => set(rows[row], v128.shuffle32(rows[row], rows[row], by, (by + 1) & 3, (by + 2) & 3, (by + 3) & 3));
  });

/** Defines a function (address, groups) for groups of this many blocks. */
function defineGroups(module: Module, { blocks, rotations: form }: RowsVariant) {
  return module.define(undefined, ['i32', 'i32'], undefined, (frame, address, groups) => {
    const rotation = rotationsIn(frame, form);
    const rounds = frame.local('i32');
    const each = Array.from({ length: blocks }, () => frame.locals('v128', 4));

    /** Makes the same step of every block before the next step. */
    const inTurn = (step: RowStep): Statement => sequence(...each.map(step));
    const quarterRounds = sequence(...rowSteps(rotation).map(inTurn));
    const turn = (back: boolean): Statement => inTurn((rows) => sequence(...turnSteps(back).map((step) => step(rows))));

    /** RFC 8439 §2.3; block n of a group adds n to the counter. */
    const initial = (block: number, row: number): Expression<'v128'> => {
      const loaded = v128.load(0, STATE + 16 * row);
      return row === 3 && block > 0 ? v128.i32x4_add(loaded, v128.i32x4(block, 0, 0, 0)) : loaded;
    };

    return [
      rotation.load,
      loop(
        sequence(
          ...each.flatMap((rows, block) => rows.map((row, r) => set(row, initial(block, r)))),
          set(rounds, i32.value(10)),
          loop(sequence(quarterRounds, turn(false), quarterRounds, turn(true)), tee(rounds, i32.sub(rounds, 1))),
          ...each.flatMap((rows, block) =>
            rows.map((row, r) => {
              const at = BLOCK * block + 16 * r;
              return v128.store(address, at, v128.xor(v128.load(address, at), v128.i32x4_add(row, initial(block, r))));
            }),
          ),
          i32.store(0, COUNTER, i32.add(i32.load(0, COUNTER), blocks)),
          set(address, i32.add(address, BLOCK * blocks)),
        ),
        tee(groups, i32.sub(groups, 1)),
      ),
    ];
  });
}

/** Any number of blocks is allowed. */
export const rowsModule = ({ blocks: perGroup, rotations }: RowsVariant): Module =>
  moduleOf(perGroup, 1, (module, blocks) => defineGroups(module, { blocks, rotations }));
