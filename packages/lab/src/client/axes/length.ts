/**
 * Long and short messages, convenient and inconvenient lengths: one contest for each length, so that every point of a
 * curve is a paired ratio. After D. J. Bernstein, "Salsa20 speed" (2005), §3, and the lengths that SUPERCOP measures.
 */
import { about, type ClientContest } from '../contest.ts';
import { randomCases, type Who } from '../field.ts';
import { ALWAYS, FULL, THOROUGH } from '../kinds.ts';
import type { Kind } from '../messages.ts';
import type { LengthCurve } from '../room.ts';
import { entries } from '../rooms.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

const around = (lengths: readonly number[]): number[] => lengths.flatMap((length) => [length - 1, length, length + 1]);

/** The lengths of a quick run: both sides of a few boundaries, and the columns of the tables. */
const few: readonly number[] = [8, 64, 576, 4096, 65536];

/**
 * Each block boundary up to 1 KiB with both its neighbours; then boundaries of groups and chunks; the columns of eBACS.
 */
const sparse: readonly number[] = [
  ...[0, 1, 2, 3, 8, 16, 31, 32, 33, 96, 575, 577, 1023, 1025, 1499, 1500, 2047, 2049, 4095, 4097],
  ...around(steps(64, 512, 64)),
  ...[...steps(576, 1024, 64), ...steps(1280, 4096, 256), ...steps(5120, 8192, 1024)],
  ...[16 * KIB, 64 * KIB, MIB],
];

const veryLong = 16 * MIB;
const everyLength: readonly number[] = steps(0, 8192, 1);

/** Few rounds: there are many lengths, the code is hot after the first of them, and every session adds its rounds. */
const CURVE = { rounds: [5, 5], budgetMilliseconds: 0 } as const;

/** The lengths at which curves are read. Without vectors there is little difference between them. */
const columns = new Set([8, 64, 576, 1024, 1536, 2048, 4096, 8192, 16 * KIB, 64 * KIB, MIB]);

function contest(curve: LengthCurve, length: number, kinds: readonly Kind[], rank: number): ClientContest {
  const { operation, rivals = [], scalar = true } = curve;
  const who: Who = {
    ours: columns.has(length) ? ['auto', 'native', ...(scalar ? (['scalar'] as const) : [])] : ['auto'],
    rivals: length > MIB ? [] : rivals,
  };
  return about('length', operation, length, {
    title: `${operation.primitive}, ${operation.operation}: length ${length}`,
    kinds,
    rank,
    plan: CURVE,
    prepare: ({ random }) => randomCases(operation, who, length, random),
  });
}

const inDefault = new Set([...few, ...sparse, 1536, veryLong]);
const inQuick = new Set(few);
const all = [...new Set([...inDefault, ...everyLength])].sort((a, b) => a - b);

const curves = entries(({ principal }) => principal).flatMap((curve) =>
  all.map((bytes) => contest(curve, bytes, inQuick.has(bytes) ? ALWAYS : inDefault.has(bytes) ? THOROUGH : FULL, 0)),
);
/** The columns of the tables, and the boundary that a slope needs. */
const sketches = entries(({ sketched }) => sketched).flatMap((curve) =>
  [...few, 1536, 16 * KIB].sort((a, b) => a - b).map((bytes) => contest(curve, bytes, THOROUGH, 1)),
);

export const length: readonly ClientContest[] = [...curves, ...sketches];
