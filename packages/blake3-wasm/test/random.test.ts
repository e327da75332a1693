/** Random calls in random order, on several objects at a time: the package and its original give the same. A failure names its seed. */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { bytes, noted, pairs, type Library, type Methods } from './pairs.ts';

/** Numbers below `limit`, the same for a seed: xorshift of 32 bits (Marsaglia 2003). */
function numbers(seed: number): (limit: number) => number {
  let state = seed + 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Lengths around those of blocks, chunks, gathered chunks, subtrees and the stage of a kernel. */
const EDGES = [0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 3072, 8192, 16_383, 16_384, 16_385, 31_744, 65_536, 140_000];
const POOL = bytes(300_000, 11);
const TEXT = 'Grüße, 世界 🙂 ';

function piece(next: (limit: number) => number, isNode: boolean): unknown {
  const length = next(3) === 0 ? next(40_000) : Math.max(0, EDGES[next(EDGES.length)] + next(3) - 1);
  const from = next(1000);
  switch (next(8)) {
    case 0:
      return TEXT.repeat(next(200));
    case 1:
      return POOL.slice(from, from + length).buffer;
    case 2:
      return isNode ? Buffer.from(POOL.buffer, from, length) : POOL.subarray(from, from + length);
    case 3:
      return Uint16Array.from({ length: next(90) }, () => next(65_536));
    case 4:
      return Array.from({ length: next(90) }, () => next(256));
    default:
      return POOL.subarray(from, from + length);
  }
}

/** A story of `steps` calls. Everything in it depends on the seed alone, so both libraries are told the same. */
function story(library: Library, seed: number, steps: number, isNode: boolean): string[] {
  const next = numbers(seed);
  const found: string[] = [];
  const note = (title: string, call: () => unknown): unknown => found.push(`seed ${seed}, ${title}: ${noted(call)}`);
  const key = (): Uint8Array => (isNode ? Buffer.from(bytes(32, next(256))) : bytes(32, next(256)));
  const options = (): object | undefined => [undefined, {}, { length: next(200) }, { length: next(9000) }][next(4)];
  const stays = (): object => ({ dispose: false, ...(next(2) ? { length: next(100) } : {}) });
  const hashers: Methods[] = [];
  const readers: Methods[] = [];
  const create = (): Methods => {
    switch (next(isNode ? 3 : 2)) {
      case 0:
        return library.createHash() as Methods;
      case 1:
        return library.createKeyed(key()) as Methods;
      default:
        return library.createDeriveKey(TEXT.repeat(next(100))) as Methods;
    }
  };
  for (let step = 0; step < steps; step++) {
    const at = next(4);
    const hasher = (hashers[at] ??= create());
    const reader = (readers[at] ??= hasher.reader({ dispose: false }) as Methods);
    switch (next(12)) {
      case 0: {
        const [message, its] = [piece(next, isNode), options()];
        note('hash', () => library.hash(message, its));
        break;
      }
      case 1: {
        const [by, message, its] = [key(), piece(next, isNode), options()];
        note('keyedHash', () => library.keyedHash(by, message, its));
        break;
      }
      case 2: {
        const [context, message, its] = [TEXT.repeat(next(50)), piece(next, isNode), options()];
        note('deriveKey', () => library.deriveKey(context, message, its));
        break;
      }
      case 3: {
        const its = stays();
        note('digest so far', () => hasher.digest(['hex', 'base64', undefined][next(3)], its));
        break;
      }
      case 4: {
        const its = options();
        note('digest', () => hasher.digest(its));
        hashers[at] = create();
        break;
      }
      case 5:
        readers[at] = hasher.reader({ dispose: false }) as Methods;
        break;
      case 6: {
        const length = next(5) ? next(300) : next(80_000);
        note('read', () => reader.read(length));
        note('position', () => reader.position);
        break;
      }
      case 7: {
        const target = bytes(next(500));
        note('readInto', () => [reader.readInto(target), target].join());
        break;
      }
      case 8: {
        const near = [0n, 64n, 2n ** 32n, 2n ** 38n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 600n][next(7)];
        reader.position = near + BigInt(next(130));
        break;
      }
      default: {
        const message = piece(next, isNode);
        note('update', () => (hasher.update(message) === hasher ? 'itself' : 'another'));
      }
    }
  }
  return found;
}

describe.each(pairs)('$title', ({ title, ours, theirs }) => {
  test.each(Array.from({ length: 24 }, (_, seed) => 1000 * seed + title.length))('seed %d', (seed) => {
    const isNode = title === 'Node';
    expect(story(ours, seed, 60, isNode)).toEqual(story(theirs, seed, 60, isNode));
  });

  test('every length around the edges, in one piece and in two', () => {
    for (const edge of EDGES)
      for (const length of [edge - 1, edge, edge + 1].filter((its) => its >= 0)) {
        const message = POOL.subarray(0, length);
        const expected = noted(() => theirs.hash(message));
        expect(noted(() => ours.hash(message))).toBe(expected);
        const half = (ours.createHash() as Methods).update(message.subarray(0, length >> 1)) as Methods;
        expect(noted(() => (half.update(message.subarray(length >> 1)) as Methods).digest())).toBe(expected);
      }
  });
});

describe('a transform stream', () => {
  const [{ ours, theirs }] = pairs;
  const streams = {
    createHash: (its: Library) => its.createHash(),
    createKeyed: (its: Library) => its.createKeyed(Buffer.from(bytes(32))),
    createDeriveKey: (its: Library) => its.createDeriveKey('context'),
  };
  test.each(Object.entries(streams))('%s', async (_, make) => {
    const digests = [ours, theirs].map(async (library) => {
      const found: Buffer[] = [];
      const pieces = [0, 1, 64, 5000, 40_000, 100_000].map((length) => Buffer.from(POOL.subarray(0, length)));
      await pipeline(
        Readable.from([...pieces, TEXT], { objectMode: false }),
        make(library) as Transform,
        async (source) => {
          for await (const each of source as AsyncIterable<Buffer>) found.push(each);
        },
      );
      return found;
    });
    const [mine, its] = await Promise.all(digests);
    expect(mine).toHaveLength(1);
    expect(mine).toEqual(its);
  });

  test('text is written in its encoding', async () => {
    const digests = [ours, theirs].map((library) => {
      const hasher = library.createHash() as Methods;
      hasher.write('616263', 'hex');
      hasher.write('ä', 'latin1');
      hasher.end();
      return new Promise((resolve) => hasher.on('data', resolve));
    });
    expect(await digests[0]).toEqual(await digests[1]);
  });

  test('it ends in an error after dispose, as the original', async () => {
    const messages = [ours, theirs].map(async (library) => {
      const hasher = library.createHash() as Methods;
      hasher.dispose();
      try {
        await pipeline(Readable.from([Buffer.from('abc')]), hasher as unknown as Transform);
        return 'no error';
      } catch (error) {
        return (error as Error).message;
      }
    });
    const [mine, its] = await Promise.all(messages);
    expect(mine).toBe(its);
    expect(mine).toMatch(/after dispose/);
  });
});
