/**
 * Long and short messages, convenient and inconvenient lengths: one contest for each length, so that a curve is drawn of
 * pairs. After D. J. Bernstein, "Salsa20 speed" (2005), §3, and the lengths that SUPERCOP measures.
 */
import { ALWAYS, FULL, randomWork, THOROUGH, type ClientContest } from '../contest.ts';
import { casesOf, type Who } from '../field.ts';
import type { Kind } from '../messages.ts';
import { principal, sketched } from '../primitives/all.ts';
import type { Operation } from '../primitives/operation.ts';
import { poly1305 } from '../primitives/poly1305.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

const around = (lengths: readonly number[]): number[] => lengths.flatMap((length) => [length - 1, length, length + 1]);

/** A look: both sides of a few edges, and the columns of tables. */
const few: readonly number[] = [8, 64, 576, 4096, 65536];

/** Each edge of a block up to 1 KiB with both its neighbours; then edges of groups and chunks; the columns of eBACS. */
const sparse: readonly number[] = [
  ...[0, 1, 2, 3, 8, 16, 31, 32, 33, 96],
  ...around(steps(64, 512, 64)),
  ...steps(576, 1024, 64),
  ...[575, 577, 1023, 1025],
  ...steps(1280, 4096, 256),
  ...[1499, 1500, 2047, 2049, 4095, 4097],
  ...steps(5120, 8192, 1024),
  ...[16 * KIB, 64 * KIB, MIB],
];

const veryLong = 16 * MIB;
const everyLength: readonly number[] = steps(0, 8192, 1);

/** Cheap: there are many lengths, the code is warm after the first of them, and every session adds its rounds. */
const CURVE = { rounds: [5, 5], budgetMilliseconds: 0 } as const;

/** One rival of each kind: plain JavaScript, and compiled. */
const rivals: Readonly<Record<string, readonly string[]>> = {
  'chacha20/encrypt': ['noble', 'libsodium.js'],
  'xchacha20poly1305/seal': ['noble', 'libsodium.js'],
  'poly1305/mac': ['libsodium.js'],
  'blake3/hash': ['hash-wasm', 'fuzdev'],
  'salsa20/encrypt': ['noble'],
  'secretbox/seal': ['libsodium.js', 'tweetnacl'],
};

/** Where curves are read: without vectors there is little between these. */
const columns = new Set([8, 64, 576, 1024, 1536, 2048, 4096, 8192, 16 * KIB, 64 * KIB, MIB]);

function contest(operation: Operation, length: number, kinds: readonly Kind[]): ClientContest {
  const who: Who = {
    ours: columns.has(length) && operation !== poly1305 ? ['auto', 'scalar'] : ['auto'],
    rivals: length > MIB ? [] : (rivals[operation.id] ?? []),
  };
  return {
    id: `length/${operation.id}/${length}`,
    axis: 'length',
    form: 'rounds',
    primitive: operation.primitive,
    operation: operation.operation,
    title: `${operation.primitive}, ${operation.operation}: length ${length}`,
    parameters: { length },
    kinds,
    plan: CURVE,
    prepare: async ({ random }) => casesOf(operation, who, await randomWork(operation, length, random), length),
  };
}

const inDefault = new Set([...few, ...sparse, 1536, veryLong]);
const inQuick = new Set(few);
const all = [...new Set([...inDefault, ...everyLength])].sort((a, b) => a - b);

const curves = principal.flatMap((operation) =>
  all.map((bytes) => contest(operation, bytes, inQuick.has(bytes) ? ALWAYS : inDefault.has(bytes) ? THOROUGH : FULL)),
);
/** The columns of tables, and the edge that a slope needs. */
const sketches = sketched.flatMap((operation) =>
  [...few, 1536, 16 * KIB].sort((a, b) => a - b).map((bytes) => contest(operation, bytes, THOROUGH)),
);

export const length: readonly ClientContest[] = [...curves, ...sketches];
