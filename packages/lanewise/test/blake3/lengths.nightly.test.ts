/** BLAKE3 of lengths on both sides of every limit up to 1 MiB, in one call and streamed, against noble. */
import { describe, test } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { aroundChunks, CHUNK, cut, message, prefixes, shuffled } from '../support/blake3-lengths.ts';
import { expectBytes, range } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

/** Around each multiple of a chunk up to 64 KiB; of 64 KiB up to 1 MiB; and one length near each other multiple. */
const NEAR = [...new Set([...aroundChunks(1, 64, CHUNK), ...aroundChunks(1, 16, 65_536)])];
const SPREAD = range(65, 1024).map((i) => i * CHUNK + ((i * 37) % 141) - 70);
/** Every length up to 9000, and around every multiple of a chunk up to 1 MiB. */
const ALL = [...new Set([...range(0, 9001), ...aroundChunks(1, 1024, CHUNK)])].sort((a, b) => a - b);
const { digest, check } = prefixes(ALL);

onEachEngine(() => {
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
