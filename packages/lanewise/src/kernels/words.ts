/** Words in wasm locals: the rounds become instructions, on one block (i32) or on one block per lane (v128). */
import type { Words } from '../rounds/words.ts';
import { sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame } from '../wasm/module.ts';
import type { Expression, Local, Statement } from '../wasm/types.ts';
import * as v128 from '../wasm/v128.ts';

/** Words whose steps are collected in the order in which a round takes them. */
export interface Recorder<R extends S, S> extends Words<R, S> {
  /** The steps since the last call. */
  taken(): Statement[];
}

function recorder<R extends S, S>(words: (record: (s: Statement) => void) => Words<R, S>): Recorder<R, S> {
  let code: Statement[] = [];
  const record = (s: Statement): void => void code.push(s);
  return {
    ...words(record),
    taken() {
      const steps = code;
      code = [];
      return steps;
    },
  };
}

export const scalarWords = (): Recorder<Local<'i32'>, Expression<'i32'>> =>
  recorder((record) => ({
    add: (d, s) => record(set(d, i32.add(d, s))),
    xor: (d, s) => record(set(d, i32.xor(d, s))),
    rotl: (d, n) => record(set(d, i32.rotl(d, n))),
  }));

/** How a vector is rotated by whole bytes: which instruction moves them, and where its masks are in memory. */
export interface Rotation {
  readonly relaxed: boolean;
  readonly masks: number;
  /** By how many bits to the left, in the order of the masks; ChaCha's unless given. */
  readonly counts?: readonly number[];
}

/** Byte `i` of the result is byte `i - n/8 (mod 4)` of its word: rotation to the left by n = 8, 16 or 24. */
const rotationMask = (n: number): number[] => Array.from({ length: 16 }, (_, i) => (i & 12) | ((i - n / 8) & 3));
const BYTE_ROTATIONS = [16, 8];
export const masksOf = (counts: readonly number[]): number[] => counts.flatMap(rotationMask);
export const rotationMasks: readonly number[] = masksOf(BYTE_ROTATIONS);

/**
 * Four blocks, one per lane. Rotations by whole bytes are one byte permutation, others two shifts and an or.
 *
 * The relaxed swizzle takes its mask from memory, where the engine cannot know it: V8 since 13 makes a constant anew at
 * each use (four instructions). Without relaxed SIMD, i.e. on older engines, the constant is what is fast.
 */
export function laneWords(
  frame: Frame,
  rotation: Rotation,
): Recorder<Local<'v128'>, Expression<'v128'>> & { prologue: Statement } {
  const t = frame.local('v128');
  const masks = (rotation.counts ?? BYTE_ROTATIONS).map((n, i) => {
    const m = rotationMask(n);
    const word = (w: number): number => m[w] | (m[w + 1] << 8) | (m[w + 2] << 16) | (m[w + 3] << 24);
    const local = frame.local('v128');
    return {
      n,
      local,
      constant: v128.i32x4(word(0), word(4), word(8), word(12)),
      load: set(local, v128.load(0, rotation.masks + 16 * i)),
    };
  });
  const rotated = (x: Local<'v128'>, n: number): Expression<'v128'> => {
    const mask = masks.find((m) => m.n === n);
    if (!mask) return v128.or(v128.i32x4_shl(tee(t, x), n), v128.i32x4_shr_u(t, 32 - n));
    return rotation.relaxed ? v128.i8x16_relaxed_swizzle(x, mask.local) : v128.i8x16_swizzle(x, mask.constant);
  };
  return {
    prologue: rotation.relaxed ? sequence(...masks.map((m) => m.load)) : sequence(),
    ...recorder<Local<'v128'>, Expression<'v128'>>((record) => ({
      add: (d, s) => record(set(d, v128.i32x4_add(d, s))),
      xor: (d, s) => record(set(d, v128.xor(d, s))),
      rotl: (d, n) => record(set(d, rotated(d, n))),
    })),
  };
}

/**
 * Rows to columns: lane `i` of the four rows becomes column `i`. The shuffles are those that every engine knows as one
 * instruction (punpckldq and its siblings on x64, zip1 and zip2 on ARM).
 */
export function transposed(
  frame: Frame,
  [a, b, c, d]: readonly Local<'v128'>[],
): { prologue: Statement; columns: Expression<'v128'>[] } {
  const [low01, low23, high01, high23] = frame.locals('v128', 4);
  return {
    prologue: sequence(
      set(low01, v128.shuffle32(a, b, 0, 4, 1, 5)),
      set(low23, v128.shuffle32(c, d, 0, 4, 1, 5)),
      set(high01, v128.shuffle32(a, b, 2, 6, 3, 7)),
      set(high23, v128.shuffle32(c, d, 2, 6, 3, 7)),
    ),
    columns: [
      v128.shuffle32(low01, low23, 0, 1, 4, 5),
      v128.shuffle32(low01, low23, 2, 3, 6, 7),
      v128.shuffle32(high01, high23, 0, 1, 4, 5),
      v128.shuffle32(high01, high23, 2, 3, 6, 7),
    ],
  };
}
