/** The package beside its original: results, errors, and names; and beside the official vectors where the original is wrong. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blake3 as noble } from '@noble/hashes/blake3.js';
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../drop-ins/src/compare.ts';
import { distOf, folderOf, workspace } from '../../drop-ins/src/folders.ts';
import { lineOf } from '../../drop-ins/src/shell.ts';

interface Reader {
  read(length: number): Uint8Array;
}
interface Hasher {
  update(input: unknown): Hasher;
  finalize(length?: number): Uint8Array;
  finalizeXof(): Reader;
  reset(): Hasher;
}
type HasherClass = (new (words?: unknown, flags?: unknown) => Hasher) &
  Readonly<Record<'newKeyed' | 'newDeriveKey', (value: unknown) => Hasher>>;
interface Library {
  readonly hash: (input: unknown, length?: number) => Uint8Array;
  readonly hashInto: (input: unknown, out: Uint8Array, length?: number) => void;
  readonly Hasher: HasherClass;
  readonly XofReader: new (...values: unknown[]) => Reader;
  readonly createHasher: () => Hasher;
  readonly createKeyed: (key: unknown) => Hasher;
  readonly createDeriveKey: (context: unknown) => Hasher;
  readonly warmupSimd: () => boolean;
  readonly default: Readonly<Record<string, unknown>>;
}

const line = lineOf('blake3-jit', 1);
const load = async (folder: string): Promise<Library> =>
  (await import(pathToFileURL(join(folder, 'dist/index.js')).href)) as Library;
const [ours, theirs] = await Promise.all([load(distOf(line)), load(folderOf(line.alias))]);

const pattern = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => i % 251);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const KEY = new TextEncoder().encode('whats the Elvish word for friend');
const CONTEXT = 'BLAKE3 2019-12-27 16:29:52 test vectors context';

const makers: Readonly<Record<string, (library: Library) => Hasher>> = {
  hash: ({ createHasher }) => createHasher(),
  keyed_hash: ({ createKeyed }) => createKeyed(KEY),
  derive_key: ({ createDeriveKey }) => createDeriveKey(CONTEXT),
};
/** On both sides of blocks, chunks and of the length from which the original uses WebAssembly. */
const LENGTHS = [0, 1, 31, 64, 65, 1023, 1024, 1025, 2048, 3000, 4095, 4096, 4097, 5121, 8192, 17_000, 100_001];

test('names', () => {
  expect(Object.keys(ours).sort()).toEqual(Object.keys(theirs).sort());
  expect(Object.keys(ours.default)).toEqual(Object.keys(theirs.default));
  for (const name of Object.keys(theirs.default))
    expect(ours.default[name]).toBe((ours as unknown as Readonly<Record<string, unknown>>)[name]);
  for (const name of ['Hasher', 'XofReader'] as const)
    for (const method of name === 'Hasher' ? ['update', 'finalize', 'finalizeXof', 'reset'] : ['read'])
      expect(ours[name].prototype).toHaveProperty(method);
  expect(ours.createHasher()).toBeInstanceOf(ours.Hasher);
  expect(ours.createHasher().finalizeXof()).toBeInstanceOf(ours.XofReader);
});

describe.each(Object.keys(makers))('%s', (mode) => {
  test.each(LENGTHS)('%i bytes', (length) => {
    const message = pattern(length);
    const made = (library: Library): Hasher => makers[mode](library).update(message);
    expect(hex(made(ours).finalize())).toBe(hex(made(theirs).finalize()));
    for (const out of [0, 1, 32, 33, 64]) expect(hex(made(ours).finalize(out))).toBe(hex(made(theirs).finalize(out)));
    const [reader, its] = [made(ours).finalizeXof(), made(theirs).finalizeXof()];
    for (const out of [1, 63, 64, 65, 0, 200]) expect(hex(reader.read(out))).toBe(hex(its.read(out)));
    if (mode !== 'hash') return;
    expect(hex(ours.hash(message))).toBe(hex(theirs.hash(message)));
    expect(hex(ours.hash(message.subarray(0, length), 64))).toBe(hex(theirs.hash(message, 64)));
    const [out, same] = [new Uint8Array(70), new Uint8Array(70)];
    ours.hashInto(message, out, 40);
    theirs.hashInto(message, same, 40);
    expect(out).toEqual(same);
  });

  test('in pieces, and again after reset', () => {
    const message = pattern(70_000);
    const hasher = makers[mode](ours);
    // The first 64 KiB wait, and grow in steps.
    for (const size of [700, 100, 1]) {
      for (let at = 0; at < message.length; at += size)
        expect(hasher.update(message.subarray(at, at + size))).toBe(hasher);
      expect(hex(hasher.finalize())).toBe(hex(makers[mode](theirs).update(message).finalize()));
      expect(hasher.reset()).toBe(hasher);
    }
  });
});

describe('where the original is wrong', () => {
  interface Case {
    readonly input_len: number;
    readonly hash: string;
    readonly keyed_hash: string;
    readonly derive_key: string;
  }
  const { tests } = JSON.parse(readFileSync(join(workspace, 'vectors/blake3.json'), 'utf8')) as {
    tests: readonly Case[];
  };

  test('the official vectors with 131 bytes of output, from finalize', () => {
    expect(tests.length).toBeGreaterThanOrEqual(35);
    for (const vector of tests)
      for (const mode of ['hash', 'keyed_hash', 'derive_key'] as const) {
        const expected = vector[mode];
        const its = makers[mode](ours)
          .update(pattern(vector.input_len))
          .finalize(expected.length / 2);
        expect(hex(its), `${mode} ${vector.input_len}`).toBe(expected);
      }
  });

  test('the function has outputs of any length', () => {
    for (const length of [0, 100, 5000])
      expect(hex(ours.hash(pattern(length), 1000))).toBe(hex(noble(pattern(length), { dkLen: 1000 })));
  });

  test('a hasher goes on after finalize', () => {
    const [first, second] = [pattern(3000), pattern(5000)];
    const hasher = ours.createHasher().update(first);
    expect(hex(hasher.finalize())).toBe(hex(noble(first)));
    const reader = hasher.finalizeXof();
    expect(hex(hasher.finalize(100))).toBe(hex(noble(first, { dkLen: 100 })));
    hasher.update(second);
    expect(hex(hasher.finalize())).toBe(hex(noble(Buffer.concat([first, second]))));
    expect(hex(reader.read(50))).toBe(hex(noble(first, { dkLen: 50 })));
  });

  test('a key at any place of its buffer', () => {
    const key = new Uint8Array(40).fill(3);
    const message = pattern(100);
    expect(hex(ours.createKeyed(key.subarray(1, 33)).update(message).finalize())).toBe(
      hex(noble(message, { key: key.slice(1, 33) })),
    );
  });
});

test.each([
  ['a short key', ({ createKeyed }: Library) => createKeyed(new Uint8Array(31))],
  ['a short key of the class', ({ Hasher }: Library) => Hasher.newKeyed(new Uint8Array(33))],
  ['an output that is too small', ({ hashInto }: Library) => hashInto(pattern(3), new Uint8Array(31))],
  ['a negative length', ({ createHasher }: Library) => createHasher().finalize(-1)],
  ['nothing', ({ hash }: Library) => hash(undefined)],
])('%s is the same error', (_, call) => {
  const kind = (library: Library): string => outcomeOf(() => call(library)).split(':')[0];
  expect(kind(ours)).toBe(kind(theirs));
  if (!kind(theirs).startsWith('TypeError') && !kind(theirs).startsWith('RangeError'))
    expect(outcomeOf(() => call(ours))).toBe(outcomeOf(() => call(theirs)));
});

test('a hasher of words: the modes of BLAKE3 only', () => {
  const IV = Uint32Array.of(
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
  );
  const words = Uint32Array.from({ length: 8 }, (_, i) => 0x01020304 * (i + 1));
  const message = pattern(5000);
  const calls: readonly [unknown, unknown][] = [
    [undefined, undefined],
    [undefined, 0],
    [IV, 0],
    [IV, 32],
    [words, 16],
    [words, 64],
    [IV, 16],
  ];
  for (const values of calls)
    expect(hex(new ours.Hasher(...values).update(message).finalize())).toBe(
      hex(new theirs.Hasher(...values).update(message).finalize()),
    );
  for (const values of [[words, 0], [words, 32], [IV, 1], [undefined, 3], [words], [words.subarray(1), 16]])
    expect(() => new ours.Hasher(...values)).toThrow(RangeError);
  expect(() => new ours.XofReader(IV, words, 0, 64, 11)).toThrow('finalizeXof() makes one');
});

test('what is no array of numbers is refused; the original hashes zeros', () => {
  const { buffer } = pattern(100);
  for (const wrong of ['text', buffer, 7, {}, null, new Set([1])]) {
    expect(() => ours.hash(wrong)).toThrow(TypeError);
    expect(() => ours.createHasher().update(wrong)).toThrow(TypeError);
    expect(() => ours.hashInto(wrong, new Uint8Array(32))).toThrow(TypeError);
  }
  const numbers = [...pattern(100)];
  expect(hex(ours.hash(numbers))).toBe(hex(noble(pattern(100))));
});

test('warmupSimd says whether there are vectors', () => expect(ours.warmupSimd()).toBe(theirs.warmupSimd()));

test('a hasher that is ended has wiped every array that held its message, those that became too small, too', () => {
  const made: Uint8Array[] = [];
  const { Uint8Array: Original } = globalThis;
  globalThis.Uint8Array = new Proxy(Original, {
    construct(target, values, self) {
      const array = Reflect.construct(target, values, self) as Uint8Array;
      made.push(array);
      return array;
    },
  });
  try {
    for (const total of [100, 70_000]) {
      const hasher = ours.createHasher();
      const piece = new Original(17).fill(0xa5);
      for (let length = 0; length < total; length += piece.length) hasher.update(piece);
      hasher.reset();
    }
  } finally {
    globalThis.Uint8Array = Original;
  }
  expect(made.length).toBeGreaterThan(5);
  expect(made.filter((array) => array.includes(0xa5)).map(({ length }) => length)).toEqual([]);
});
