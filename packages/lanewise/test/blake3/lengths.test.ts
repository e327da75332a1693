/** BLAKE3 of every length up to 9000, in one call and streamed, and in each mode around the limits, against noble. */
import { describe, test } from 'vitest';
import { blake3, hashMany } from '../../src/blake3.ts';
import { atOffset, expectBytes, range } from '../support/bytes.ts';
import { aroundChunks, CHUNK, cut, message, prefixes, shuffled } from '../support/blake3-lengths.ts';
import { digestsOfPrefixes, expected, modeNames, modes } from '../support/blake3.ts';
import { onEachEngine } from '../support/engines.ts';

const MEBIBYTE = 2 ** 20;
const EVERY = range(0, 9001);
/** Some that are longer, for the comparison with noble's own digests. */
const LONGER = [65_535, 65_536, 65_537, 131_142, MEBIBYTE - 1, MEBIBYTE];
const { digest, check } = prefixes([...EVERY, ...LONGER]);

test('what the digests of prefixes are compared with is what noble says of a whole message', () => {
  for (const length of [0, 1, 64, 65, 1024, 1025, 5000, 9000, ...LONGER])
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
