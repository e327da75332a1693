/** Lengths around the limits of BLAKE3, and digests of one message's prefixes, by noble. */
import { blake3, type Blake3 } from '../../src/blake3.ts';
import { digestsOfPrefixes } from './blake3.ts';
import { expectBytes, range, sample } from './bytes.ts';

export const CHUNK = 1024;
export const message = sample(2 ** 20 + 100, 301);

/** Lengths 70 bytes on both sides of multiples of a chunk, which all limits are: whole chunks, groups of lanes, the stage. */
export const aroundChunks = (from: number, to: number, step: number): number[] =>
  range(from, to + 1).flatMap((i) => range(-70, 71).map((d) => i * step + d));

/** No order of lengths that a cache could like. */
export const shuffled = (lengths: readonly number[]): number[] =>
  lengths
    .map((length) => [Math.imul(length, 0x9e3779b1) >>> 0, length] as const)
    .sort(([a], [b]) => a - b)
    .map(([, length]) => length);

type Check = (lengths: readonly number[], way: string, hash: (bytes: Uint8Array, length: number) => Uint8Array) => void;

/** Digests of these prefixes, and a function that compares hashes with them. */
export function prefixes(lengths: readonly number[]): { digest: (length: number) => Uint8Array; check: Check } {
  const digests = digestsOfPrefixes(message, lengths);
  const digest = (length: number): Uint8Array => digests.get(length)!;
  return {
    digest,
    check(some, way, hash) {
      for (const length of some)
        expectBytes(hash(message.subarray(0, length), length), digest(length), `${length} bytes, ${way}`);
    },
  };
}
export const cut = (bytes: Uint8Array, at: number): Blake3 =>
  blake3.create().update(bytes.subarray(0, at)).update(bytes.subarray(at));
