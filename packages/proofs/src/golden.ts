/**
 * golden.json of each room: the SHA-256 of the bytes of its kernels, so that a change of what is generated shows in a diff.
 * `npm run golden` writes it.
 */
import { createHash } from 'node:crypto';
import { kernels, type Kernel } from './kernels.ts';
import { savedIn, saveIn } from './golden-files.ts';
import { roomOf, rooms } from './rooms.ts';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export interface GoldenEntry {
  readonly byteLength: number;
  readonly sha256: string;
}
/** By kernel. */
export type Golden = Readonly<Record<string, GoldenEntry | undefined>>;

const FILE = 'golden.json';

const goldenOf = (some: readonly Kernel[]): Readonly<Record<string, GoldenEntry>> =>
  Object.fromEntries(some.map(({ name, bytes }) => [name, { byteLength: bytes.length, sha256: sha256(bytes) }]));

/** What the kernels of the sources are. */
export const currentGolden = (): Readonly<Record<string, GoldenEntry>> => goldenOf(kernels);

/** The SHA-256 of each. */
export const currentSums = (): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(currentGolden()).map(([name, { sha256: sum }]) => [name, sum]));

/** What they were when they were last looked at. */
export const savedGolden = (): Golden =>
  Object.assign({}, ...rooms.map((room) => savedIn<GoldenEntry>(room, FILE))) as Golden;

if (import.meta.main)
  for (const room of rooms) saveIn(room, FILE, goldenOf(kernels.filter(({ family }) => roomOf(family) === room)));
