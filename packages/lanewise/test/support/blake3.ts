/** BLAKE3 by noble, and helpers of its tests: modes, the pattern of the official vectors, digests of prefixes. */
import { blake3 as noble } from '@noble/hashes/blake3.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, expect } from 'vitest';
import type { Blake3Options } from '../../src/blake3.ts';

const encoder = new TextEncoder();
export const key = encoder.encode('whats the Elvish word for friend');
export const context = 'BLAKE3 2019-12-27 16:29:52 test vectors context';
const contextBytes = encoder.encode(context);

export const modeNames = ['hash', 'keyed_hash', 'derive_key'] as const;
export type ModeName = (typeof modeNames)[number];
export const modes: Readonly<Record<ModeName, Blake3Options>> = {
  hash: {},
  keyed_hash: { key },
  derive_key: { context },
};
const nobleModes = { hash: {}, keyed_hash: { key }, derive_key: { context: contextBytes } };

/** The input of the official vectors. */
export const pattern = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => i % 251);

/** All tests of a file. Their number must be `count`: a file that was cut short would otherwise pass. */
export function testsOf<T>(name: string, count: number): T[] {
  const path = join(import.meta.dirname, '../../../../vectors', name);
  const { tests } = JSON.parse(readFileSync(path, 'utf8')) as { tests: T[] };
  test(`${name} has ${count} tests`, () => expect(tests).toHaveLength(count));
  return tests;
}

export const expected = (message: Uint8Array, mode: ModeName = 'hash', dkLen = 32): Uint8Array =>
  noble(message, { ...nobleModes[mode], dkLen });

/**
 * The digests of the prefixes of a message that have these lengths, in rising order. noble is slow, so it sees the message
 * once, and a copy of it ends at each of the lengths.
 */
export function digestsOfPrefixes(
  message: Uint8Array,
  lengths: readonly number[],
  mode: ModeName = 'hash',
): ReadonlyMap<number, Uint8Array> {
  const digests = new Map<number, Uint8Array>();
  const hasher = noble.create(nobleModes[mode]);
  let at = 0;
  for (const length of lengths) {
    hasher.update(message.subarray(at, length));
    at = length;
    digests.set(length, hasher.clone().digest());
  }
  return digests;
}

/** A message in pieces of one size; the last may be shorter. */
export function* piecesOf(message: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < message.length; at += size) yield message.subarray(at, at + size);
}
