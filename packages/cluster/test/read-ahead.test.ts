/** Reading ahead: which ranges are asked for, and that their bytes come in order. */
import { describe, expect, it } from 'vitest';
import { readAhead } from '../src/jobs/read-ahead.ts';
import type { ObjectVersion, Reader } from '../src/objects/object.ts';
import { bytesOf, patterned } from './bytes.ts';

const MiB = 2 ** 20;
const CHUNK = 65_536;
const content = patterned(26 * MiB);
const object: ObjectVersion = { url: 'file:///object', size: content.length, etag: '"1"' };

/** A reader of the content that keeps a list of the ranges asked for; later ranges come sooner. */
class Asked implements Reader {
  readonly ranges: [offset: number, length: number][] = [];

  look(): Promise<ObjectVersion> {
    return Promise.resolve(object);
  }

  async *read(_object: ObjectVersion, offset: number, length: number): AsyncGenerator<Uint8Array> {
    this.ranges.push([offset, length]);
    for (let turns = 20 - this.ranges.length; turns > 0; turns--) await Promise.resolve();
    for (let at = 0; at < length; at += MiB)
      yield content.subarray(offset + at, offset + at + Math.min(MiB, length - at));
  }
}

describe('what is read ahead', () => {
  it.each<[string, number, number[]]>([
    ['nothing', 0, []],
    ['a chunk', CHUNK, [CHUNK]],
    ['a range', 8 * MiB, [8 * MiB]],
    ['a range and a chunk', 8 * MiB + CHUNK, [8 * MiB + CHUNK]],
    ['a range and a rest that is almost too long', 9 * MiB - 1, [9 * MiB - 1]],
    ['a range and a rest', 9 * MiB, [8 * MiB, MiB]],
    ['three ranges and a chunk', 24 * MiB + CHUNK, [8 * MiB, 8 * MiB, 8 * MiB + CHUNK]],
    ['three ranges and a rest', 25 * MiB, [8 * MiB, 8 * MiB, 8 * MiB, MiB]],
  ])('of %s', async (_, length, expected) => {
    const reader = new Asked();
    const from = 12_345;
    const read = await bytesOf(readAhead(reader, object, from, length));
    expect(Buffer.compare(read, content.subarray(from, from + length))).toBe(0);
    expect(reader.ranges.map(([, bytes]) => bytes)).toEqual(expected);
    expect(reader.ranges.map(([offset]) => offset)).toEqual(
      expected.map((_each, index) => from + expected.slice(0, index).reduce((sum, bytes) => sum + bytes, 0)),
    );
  });
});
