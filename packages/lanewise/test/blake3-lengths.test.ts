/** BLAKE3 of every length on both sides of every limit, in one call and streamed, against noble. */
import { describe, test } from 'vitest';
import { blake3, hashMany, type Blake3 } from '../src/blake3.ts';
import { atOffset, expectBytes, range, sample } from './support/bytes.ts';
import { digestsOfPrefixes, expected, modeNames, modes } from './support/blake3.ts';
import { onEachEngine } from './support/engines.ts';

const MEBIBYTE = 2 ** 20;
const CHUNK = 1024;
const message = sample(MEBIBYTE + 100, 301);

const EVERY = range(0, 9001);
/** Whole chunks, groups of lanes and what goes in one call are all multiples of a chunk. */
const aroundChunks = (from: number, to: number, step: number): number[] =>
  range(from, to + 1).flatMap((i) => range(-70, 71).map((d) => i * step + d));
/** Around each multiple of a chunk up to 64 KiB; of 64 KiB up to 1 MiB; and one length near each other multiple. */
const NEAR = [...new Set([...aroundChunks(1, 64, CHUNK), ...aroundChunks(1, 16, 65_536)])];
const SPREAD = range(65, 1024).map((i) => i * CHUNK + ((i * 37) % 141) - 70);
/** All that the tests ask for, and around every multiple of a chunk up to 1 MiB. */
const ALL = [...new Set([...EVERY, ...aroundChunks(1, 1024, CHUNK)])].sort((a, b) => a - b);
const digests = digestsOfPrefixes(message, ALL);
const digest = (length: number): Uint8Array => digests.get(length)!;

/** No order of lengths that a cache could like. */
const shuffled = (lengths: readonly number[]): number[] =>
  lengths
    .map((length) => [Math.imul(length, 0x9e3779b1) >>> 0, length] as const)
    .sort(([a], [b]) => a - b)
    .map(([, length]) => length);

const check = (
  lengths: readonly number[],
  way: string,
  hash: (bytes: Uint8Array, length: number) => Uint8Array,
): void => {
  for (const length of lengths)
    expectBytes(hash(message.subarray(0, length), length), digest(length), `${length} bytes, ${way}`);
};
const cut = (bytes: Uint8Array, at: number): Blake3 =>
  blake3.create().update(bytes.subarray(0, at)).update(bytes.subarray(at));

test('what the digests of prefixes are compared with is what noble says of a whole message', () => {
  for (const length of [0, 1, 64, 65, 1024, 1025, 5000, 9000, 65_535, 65_536, 65_537, 131_142, MEBIBYTE - 1, MEBIBYTE])
    expectBytes(digest(length), expected(message.subarray(0, length)), `${length} bytes`);
});

onEachEngine(() => {
  describe('every length from 0 to 9000', () => {
    test('in one call', () => check(shuffled(EVERY), 'one call', (bytes) => blake3(bytes)));
    test('at changing alignments', () =>
      check(EVERY, 'a view', (bytes, length) => blake3(atOffset(1 + (length % 63), bytes))));
    test('in one update', () => check(shuffled(EVERY), 'update', (bytes) => blake3.create().update(bytes).digest()));
    test('in two updates', () =>
      check(EVERY, 'two updates', (bytes, length) =>
        cut(bytes, (Math.imul(length, 0x9e3779b1) % (length + 1)) >>> 0).digest(),
      ));
    test('byte by byte, with a digest after each', () => {
      const hasher = blake3.create();
      for (const length of EVERY) {
        expectBytes(hasher.peek(), digest(length), `${length} bytes`);
        hasher.update(message.subarray(length, length + 1));
      }
    });
    test('many of one length', () => {
      for (const length of EVERY.filter((n) => n <= 1100 && (n % 7 === 0 || n % 64 < 2 || n > 1000))) {
        const count = 1 + (length % 9);
        const same = Array.from({ length: count }, () => message.subarray(0, length));
        for (const each of hashMany(same)) expectBytes(each, digest(length), `${count} of ${length} bytes`);
      }
    });
  });

  describe('70 bytes on both sides of the limits', () => {
    test('in one call', () => check(shuffled(NEAR), 'one call', (bytes) => blake3(bytes)));
    test('near every chunk up to 1 MiB, in one call', () => check(SPREAD, 'one call', (bytes) => blake3(bytes)));
    test('of every chunk up to 1 MiB, one digest after the other of one object', () => {
      const hasher = blake3.create();
      let at = 0;
      for (const length of ALL) {
        // The js engine needs 20 seconds for all of them.
        const near = (length + 70) % CHUNK;
        if (length > 70_000 && near > 3 && near !== 70 && near !== 71 && near < 137) continue;
        hasher.update(message.subarray(at, length));
        at = length;
        expectBytes(hasher.peek(), digest(length), `${length} bytes`);
      }
    });
    test('in two updates, cut near a chunk', () =>
      check(SPREAD, 'two updates', (bytes, length) =>
        cut(bytes, (((length * 7) % 64) + 1) * CHUNK + (length % 3) - 1).digest(),
      ));
  });
});

describe.each(modeNames.filter((name) => name !== 'hash'))('%s', (name) => {
  const lengths = [
    ...range(0, 2200),
    ...aroundChunks(1, 64, CHUNK).filter((n) => n > 2200 && (n % CHUNK < 3 || n % 41 === 0)),
    ...aroundChunks(1, 16, 65_536).filter((n) => n % CHUNK < 2 || n % 29 === 0),
  ];
  const sorted = [...new Set(lengths)].sort((a, b) => a - b);
  const ofMode = digestsOfPrefixes(message, sorted, name);

  onEachEngine(() => {
    test('in one call, and in two updates', () => {
      for (const length of sorted) {
        const bytes = message.subarray(0, length);
        expectBytes(blake3(bytes, modes[name]), ofMode.get(length)!, `${length} bytes`);
        const hasher = blake3.create(modes[name]).update(bytes.subarray(0, length >> 1));
        expectBytes(
          hasher.update(bytes.subarray(length >> 1)).digest(),
          ofMode.get(length)!,
          `${length} bytes, streamed`,
        );
      }
    });
  });
});

test('output of every length up to 1100 bytes, and long ones', () => {
  const lengths = [...range(1, 1101), 4095, 4096, 4097, 16_384, 16_385, 65_535, 65_536, 65_537, 200_000];
  for (const name of modeNames) {
    const bytes = message.subarray(0, 3000);
    const long = expected(bytes, name, 200_000);
    for (const dkLen of lengths)
      expectBytes(blake3(bytes, { ...modes[name], dkLen }), long.subarray(0, dkLen), `${dkLen}`);
  }
});
