/** Leaves that are read by several requests at once: their nodes are those of one reading, and a fault ends all requests. */
import { blake3, TreeBuilder } from 'lanewise/blake3.js';
import { randomBytes } from 'lanewise/utils.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { nodeOfRange, spanBytesOf, SPANS_AT_ONCE } from '../src/jobs/spans.ts';
import type { ObjectVersion, Reader } from '../src/objects/object.ts';

const MIB = 2 ** 20;
const object: ObjectVersion = { url: 'https://example.org/object', size: 0, etag: '"1"' };

/** An object in memory over a slow network: pieces of odd lengths, and a list of the ranges that are asked for. */
function slowReader(bytes: Uint8Array): Reader & { readonly asked: [number, number][]; under: number; most: number } {
  const reader = {
    asked: [] as [number, number][],
    under: 0,
    most: 0,
    look: () => Promise.reject(new Error('not asked for')),
    async *read(_: ObjectVersion, offset: number, length: number, signal?: AbortSignal) {
      reader.asked.push([offset, length]);
      reader.most = Math.max(reader.most, ++reader.under);
      try {
        for (let at = offset; at < offset + length; at += 4099) {
          if (at % 3 === 0) await sleep(0);
          signal?.throwIfAborted();
          yield bytes.subarray(at, Math.min(at + 4099, offset + length));
        }
      } finally {
        reader.under--;
      }
    },
  };
  return reader;
}

describe.each([1, 1024, 16_384, 16_385, 49_152, 65_536, 65_537, 100_000, 131_072, 131_073, 262_144, 300_001])(
  'a message of a leaf and %i bytes',
  (rest) => {
    it.each([undefined, 16_384, 32_768])('has the hash of one reading, in spans of %s bytes', async (spanBytes) => {
      const leaf = 2 ** Math.ceil(Math.log2(Math.max(rest, 65_536)));
      const bytes = randomBytes(leaf + rest);
      const reader = slowReader(bytes);
      const builder = new TreeBuilder();
      for (const [offset, length] of [
        [0, leaf],
        [leaf, rest],
      ])
        builder.add(await nodeOfRange(reader, { object, offset, length, options: {} }, undefined, spanBytes));
      expect(builder.digest()).toEqual(blake3(bytes));
      // Every byte was asked for once.
      const asked = reader.asked.toSorted(([a], [b]) => a - b);
      let end = 0;
      for (const [offset, length] of asked) {
        expect(offset).toBe(end);
        end += length;
      }
      expect(end).toBe(bytes.length);
      expect(reader.most).toBe(spanBytes === undefined ? 1 : Math.min(SPANS_AT_ONCE, leaf / spanBytes));
    });
  },
);

it('a span that fails ends the others, and its error is that of the leaf', async () => {
  const reader = slowReader(new Uint8Array(8 * 65_536));
  const read = reader.read.bind(reader);
  reader.read = async function* (version, offset, length, signal) {
    if (offset === 65_536) throw new Error('the second span is gone');
    yield* read(version, offset, length, signal);
  };
  const range = { object, offset: 0, length: 8 * 65_536, options: {} };
  await expect(nodeOfRange(reader, range, undefined, 65_536)).rejects.toThrow('the second span is gone');
  expect(reader.under).toBe(0);
  expect(reader.asked.map(([offset]) => offset)).toEqual([0, 2 * 65_536]);
});

it('a range that is too short is an error', async () => {
  const reader = slowReader(new Uint8Array(200_000));
  const range = { object, offset: 0, length: 262_144, options: {} };
  reader.read = async function* () {
    await Promise.resolve();
    yield new Uint8Array(100);
  };
  await expect(nodeOfRange(reader, range, undefined, 65_536)).rejects.toThrow(
    '"object" expected 65536 bytes in a range, got 100',
  );
});

it('a signal ends all spans with its reason', async () => {
  const reader = slowReader(new Uint8Array(4 * MIB));
  const aborter = new AbortController();
  const range = { object, offset: 0, length: 4 * MIB, options: {} };
  const work = nodeOfRange(reader, range, aborter.signal, MIB);
  await sleep(5);
  aborter.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
  expect(reader.under).toBe(0);
});

it('spans are powers of two from 8 to 64 MiB, and a leaf of 64 MiB has more of them than are read at once', () => {
  expect([1024, 8 * MIB, 24 * MIB, 64 * MIB, 128 * MIB, 192 * MIB, 1024 * MIB, 2 ** 40].map(spanBytesOf)).toEqual(
    [8, 8, 8, 16, 32, 64, 64, 64].map((mebibytes) => mebibytes * MIB),
  );
});
