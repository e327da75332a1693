/**
 * golden.json: the SHA-256 of every kernel's bytes, so that a change of what is generated shows in a diff.
 * `npm run golden` writes it.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kernels } from './kernels.ts';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export interface GoldenEntry {
  readonly byteLength: number;
  readonly sha256: string;
}
export type Golden = Readonly<Record<string, GoldenEntry>>;

export const goldenFile = join(import.meta.dirname, 'golden.json');

/** What the kernels of the sources are. */
export const currentGolden = (): Golden =>
  Object.fromEntries(kernels.map(({ name, bytes }) => [name, { byteLength: bytes.length, sha256: sha256(bytes) }]));

/** What they were when they were last looked at. */
export const savedGolden = (): Golden => JSON.parse(readFileSync(goldenFile, 'utf8')) as Golden;

if (import.meta.main) writeFileSync(goldenFile, JSON.stringify(currentGolden(), null, 2) + '\n');
