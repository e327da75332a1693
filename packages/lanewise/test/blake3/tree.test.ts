/** The parts of a message, merged, give the hash of the whole message by another implementation. */
import { blake3 as noble } from '@noble/hashes/blake3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  maxSubtreeLength,
  merge,
  root,
  rootXof,
  subtree,
  subtreeFrom,
  TreeBuilder,
  type Subtree,
} from '../../src/blake3.ts';
import { expectBytes, range, refusal, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const CHUNK = 1024;
const message = sample(300_000, 701);
const key = sample(32, 702);
const context = new TextEncoder().encode('lanewise 2026-11-21 parts of a tree');
const modes = { plain: {}, keyed: { key }, derived: { context } };

const partsOf = (length: number, size: number, options: object = {}): Subtree[] =>
  range(0, Math.ceil(length / size)).map((i) =>
    subtree(message.subarray(i * size, Math.min(length, (i + 1) * size)), { offset: i * size, ...options }),
  );
const built = (parts: readonly Subtree[]): TreeBuilder => {
  const builder = new TreeBuilder();
  for (const part of parts) builder.add(part);
  return builder;
};

onEachEngine(() => {
  describe.each(Object.entries(modes))('%s', (_, options) => {
    test('parts that came from another thread', () => {
      const length = 4 * 16 * CHUNK + 5;
      const received = partsOf(length, 16 * CHUNK, options).map((part) => subtreeFrom(structuredClone(part), options));
      expectBytes(built(received).digest(), noble(message.subarray(0, length), options), 'built here');
      const sent = structuredClone(received[0]);
      const copy = subtreeFrom(sent, options);
      sent.chainingValue.fill(0);
      expectBytes(copy.chainingValue, received[0].chainingValue, 'a copy of what came');
    });
    test.each([CHUNK, 2 * CHUNK, 16 * CHUNK, 64 * CHUNK])('parts of %d bytes, in order and in reverse', (size) => {
      const lengths = [1, 2, 3, 4, 5, 7, 8, 9].flatMap((n) => [n * size + 1, n * size + 777, (n + 1) * size]);
      for (const length of lengths.filter((n) => n <= message.length)) {
        const expected = noble(message.subarray(0, length), { ...options, dkLen: 50 });
        const parts = partsOf(length, size, options);
        expectBytes(built(parts).digest(50), expected, `${length} bytes in order`);
        expectBytes(built(parts.reverse()).digest(50), expected, `${length} bytes in reverse`);
      }
    });

    test('output of the root from any position', () => {
      const [left, right] = [
        subtree(message.subarray(0, 2048), { offset: 0, ...options }),
        subtree(message.subarray(2048, 3000), { offset: 2048, ...options }),
      ];
      const expected = noble(message.subarray(0, 3000), { ...options, dkLen: 500 });
      expectBytes(root(left, right, 500), expected, 'root');
      expectBytes(rootXof(left, right).seek(123).xof(377), expected.subarray(123), 'rootXof');
    });
  });

  test('parts of any sizes that are nodes, in any order', () => {
    const nodes = (length: number, splits: readonly boolean[]): [offset: number, length: number][] => {
      let next = 0;
      const split = (offset: number, size: number): [number, number][] => {
        const mayStay = offset > 0 || size < length;
        if (size <= CHUNK || (mayStay && !splits[next++ % splits.length])) return [[offset, size]];
        let left = CHUNK;
        while (2 * left < size) left *= 2;
        return [...split(offset, left), ...split(offset + left, size - left)];
      };
      return split(0, length);
    };
    fc.assert(
      fc.property(
        fc.integer({ min: CHUNK + 1, max: 40 * CHUNK }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.nat()),
        (length, splits, order) => {
          const parts = nodes(length, splits).map(([offset, size]) =>
            subtree(message.subarray(offset, offset + size), { offset }),
          );
          const shuffled = parts
            .map((part) => ({ part, at: order.next().value as number }))
            .sort((a, b) => a.at - b.at);
          const digest = built(shuffled.map(({ part }) => part)).digest();
          expectBytes(digest, noble(message.subarray(0, length)), `${length} bytes in ${parts.length} parts`);
        },
      ),
      { numRuns: 40, seed: 703 },
    );
  });
});

test('of parts in order few are kept', () => {
  const builder = new TreeBuilder();
  const sizes = partsOf(256 * CHUNK, CHUNK).map((part) => builder.add(part).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(9);
});

test('how long a part may be', () => {
  expect([0, 1, 2, 3, 4, 6, 8, 12, 1024].map((n) => maxSubtreeLength(n * CHUNK) / CHUNK)).toEqual([
    Infinity,
    1,
    2,
    1,
    4,
    2,
    8,
    4,
    1024,
  ]);
});

describe('what is no tree is refused', () => {
  const parts = partsOf(5 * CHUNK, CHUNK);
  const cases: [string, () => unknown, string][] = [
    ['no offset', () => subtree(message, {} as never), 'TypeError: "offset" expected integer, got type=undefined'],
    ['an offset within a chunk', () => maxSubtreeLength(5), 'RangeError: "offset" expected a multiple of 1024, got 5'],
    [
      'an empty part',
      () => subtree(new Uint8Array(0), { offset: 0 }),
      'RangeError: "part" expected length from 1 to Infinity at this offset, got length=0',
    ],
    [
      'a part longer than its node',
      () => subtree(message.subarray(0, 2049), { offset: 2048 }),
      'RangeError: "part" expected length from 1 to 2048 at this offset, got length=2049',
    ],
    ['a gap', () => merge(parts[0], parts[2]), 'RangeError: "right" expected offset 1024, where left ends, got 2048'],
    [
      'neighbours that are no siblings',
      () => merge(parts[1], parts[2]),
      'RangeError: "left" expected to be the left child of 2048 bytes at 1024, got length=1024',
    ],
    [
      'two modes',
      () => merge(parts[0], subtree(message.subarray(0, 5), { offset: CHUNK, key })),
      'Error: cannot merge parts of different modes',
    ],
    [
      'a root that does not start at 0',
      () => root(parts[2], parts[3]),
      'RangeError: "left" expected offset 0, got 2048',
    ],
    [
      'an object that looks like a part',
      () => merge({ ...parts[0] }, parts[1]),
      'TypeError: "left" expected what subtree() or merge() gave, got type=Object',
    ],
    [
      'a part twice',
      () => built([parts[0], parts[0]]),
      'RangeError: "part" expected bytes that no other part has, got offset=0',
    ],
    [
      'a missing part',
      () => built([parts[0], parts[2]]).digest(),
      'Error: cannot hash: bytes from 1024 to 2048 are missing',
    ],
    [
      'one part only',
      () => built([parts[0]]).digest(),
      'Error: cannot hash: need at least two parts, got 1; use blake3() for a whole message',
    ],
    [
      'both key and context',
      () => subtree(message, { offset: 0, key, context: 'x' }),
      'Error: cannot use both "key" and "context"',
    ],
    ['no part', () => subtreeFrom(undefined as never), 'TypeError: "part" expected object, got type=undefined'],
    [
      'a part without its value',
      () => subtreeFrom({ offset: 0, length: 1024 } as never),
      'TypeError: "chainingValue" expected Uint8Array of length 32, got type=undefined',
    ],
    [
      'a value that is too short',
      () => subtreeFrom({ chainingValue: new Uint8Array(31), offset: 0, length: 1024 }),
      'RangeError: "chainingValue" expected Uint8Array of length 32, got length=31',
    ],
    [
      'an offset within a chunk',
      () => subtreeFrom({ chainingValue: new Uint8Array(32), offset: 1, length: 1024 }),
      'RangeError: "offset" expected a multiple of 1024, got 1',
    ],
    [
      'a length that no part there has',
      () => subtreeFrom({ chainingValue: new Uint8Array(32), offset: 1024, length: 2048 }),
      'RangeError: "length" expected integer from 1 to 1024 at this offset, got 2048',
    ],
  ];
  test.each(cases)('%s', (_, call, error) => expect(refusal(call)).toBe(error));
});
