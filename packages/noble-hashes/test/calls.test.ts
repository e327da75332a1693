/** SHA-2, HMAC, HKDF, PBKDF2, BLAKE2 and Argon2 of both lines answer every call as the originals do, most of them by our functions. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { outcomeOf, pairsOf, type Loaded } from '../../drop-ins/src/compare.ts';
import { lines } from '../../drop-ins/src/lines.ts';

type Any = (...values: unknown[]) => unknown;
type Module = Readonly<Record<string, Any>>;
/** The modules of a line or of its original, by their paths. */
type Modules = (path: string) => Module;

const bytes = (length: number, first = 1): Uint8Array => Uint8Array.from({ length }, (_, i) => (first + i) % 251);

function detached(): Uint8Array {
  const view = bytes(32);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

const SIZES = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 300, 5000];
const WRONG: readonly unknown[] = [null, 7, true, [1, 2], {}, new Uint16Array(32), new ArrayBuffer(32), detached()];
const MISSING: readonly unknown[] = [undefined, ...WRONG];
const INPUTS: readonly unknown[] = [bytes(40, 9), Buffer.from(bytes(5)), bytes(0), 'Grüße \ud800', '', ...MISSING];
const NAMES = ['sha224', 'sha256', 'sha384', 'sha512', 'sha512_256', 'sha512_224'];
const ALL = ['sha256', 'sha512', 'sha512_224'];

/** A call with its usual arguments, and with each of them replaced by each of some values in turn. */
function* varied(call: Any, usual: readonly unknown[], others: readonly (readonly unknown[])[]): Generator<Any> {
  yield () => call(...usual);
  yield () => call(...usual, undefined);
  for (let i = 0; i < usual.length; i++) {
    for (const value of others[i]) yield () => call(...usual.with(i, value));
    yield () => call(...usual.slice(0, i));
  }
}

const ITERATIONS: readonly unknown[] = [
  { c: 1 },
  { c: 3, dkLen: 100 },
  { c: 3, dkLen: undefined },
  { c: 0 },
  { c: 1.5 },
  { c: '3' },
  { c: 2, dkLen: 0 },
  { c: 2, dkLen: -1 },
  { c: 2, asyncTick: 1 },
  { c: 2, asyncTick: 'x' },
  { c: 2, other: 1 },
  Object.assign(Object.create({ dkLen: 5 }), { c: 2 }),
  Object.assign(Object.create(null), { c: 2 }),
  JSON.parse('{ "c": 2, "__proto__": { "dkLen": 5 } }'),
  ...MISSING,
];

const BLAKE2: readonly unknown[] = [
  {},
  ...[0, 1, 31, 32, 33, 64, 65, -1, 1.5, '5', null].map((dkLen) => ({ dkLen })),
  ...[0, 1, 32, 33, 64, 65].map((length) => ({ key: bytes(length) })),
  ...[8, 16, 17].flatMap((length) => [{ salt: bytes(length) }, { personalization: bytes(length), dkLen: 20 }]),
  ...['key', 'salt', 'personalization'].flatMap((name) =>
    ['text of 16 bytes', null, 5].map((its) => ({ [name]: its })),
  ),
  { key: bytes(8), salt: bytes(8), personalization: bytes(8) },
  { key: bytes(20), salt: bytes(16), personalization: bytes(16) },
  { unknown: 1 },
  ...MISSING,
];

const cost = { t: 1, m: 8, p: 1 };
const ARGON2: readonly unknown[] = [
  { ...cost, t: 2, m: 40, p: 2, dkLen: 72 },
  ...[0, 3, 4, 5, 64, 65, 70, 1.5, null].map((dkLen) => ({ ...cost, dkLen })),
  ...[0, -1, 1.5, '1', null].flatMap((value) => ['t', 'm', 'p'].map((name) => ({ ...cost, [name]: value }))),
  ...[0x10, 0x13, 0x12, null].map((version) => ({ ...cost, t: 2, version })),
  { ...cost, m: 15, p: 2 },
  { ...cost, m: 23, p: 2 },
  { ...cost, key: bytes(9), personalization: bytes(7) },
  { ...cost, key: 'key', personalization: 'ad' },
  { ...cost, key: null, personalization: 5 },
  { ...cost, maxmem: 8 * 1024 },
  { ...cost, maxmem: 8 * 1024 - 1 },
  { ...cost, maxmem: 2 ** 32 },
  { ...cost, asyncTick: 1 },
  { ...cost, onProgress: 5 },
  { ...cost, other: 5 },
  Object.assign(Object.create({ dkLen: 5 }), cost),
  // Without options version 2 takes 1 GiB.
  ...[null, 7, true],
];

/** All calls of a module, under the names of modules where several are the same. */
const tables: Record<string, (modules: Modules, path: string) => Generator<Any>> = {
  *sha2(modules, path) {
    for (const name of NAMES) {
      const hash = modules(path)[name];
      if (!hash) continue;
      for (const size of SIZES) yield () => hash(bytes(size));
      for (const input of INPUTS) yield* [() => hash(input), () => hash(input, { dkLen: 3 })];
      yield hash;
      const { create } = hash as unknown as { create: () => Record<string, Any> };
      yield () => ((create().update(bytes(300)) as Record<string, Any>).clone() as Record<string, Any>).digest();
    }
  },
  *hmac(modules) {
    const { hmac } = modules('hmac');
    for (const name of ALL) {
      const hash = modules('sha2')[name];
      for (const size of SIZES)
        yield* [() => hmac(hash, bytes(size), bytes(9)), () => hmac(hash, bytes(9), bytes(size))];
      yield* varied(hmac, [hash, bytes(32), bytes(10)], [MISSING, INPUTS, INPUTS]);
    }
    yield () => hmac(modules('sha3').sha3_256, bytes(32), bytes(10));
  },
  *hkdf(modules) {
    const { hkdf, extract, expand } = modules('hkdf');
    const lengths = [0, 1, 32, 64, 65, 8160, 8161, 16320, 16321, -1, 1.5, '32', null, undefined];
    for (const name of ALL) {
      const hash = modules('sha2')[name];
      const others = [MISSING, INPUTS, INPUTS, INPUTS, lengths];
      yield* varied(hkdf, [hash, bytes(32), bytes(10), bytes(7), 42], others);
      yield* varied(extract, [hash, bytes(32), bytes(10)], others);
      yield* varied(expand, [hash, bytes(64), bytes(10), 42], [...others.slice(0, 3), lengths]);
    }
    yield () => hkdf(modules('sha3').sha3_256, bytes(32), bytes(10), bytes(7), 42);
  },
  *pbkdf2(modules) {
    const { pbkdf2, pbkdf2Async } = modules('pbkdf2');
    for (const name of ALL)
      for (const derive of [pbkdf2, pbkdf2Async])
        yield* varied(
          derive,
          [modules('sha2')[name], bytes(32), bytes(10), { c: 2 }],
          [MISSING, INPUTS, INPUTS, ITERATIONS],
        );
  },
  *blake2(modules, path) {
    for (const name of ['blake2b', 'blake2s']) {
      const hash = modules(path)[name];
      if (!hash) continue;
      for (const size of SIZES) yield* [() => hash(bytes(size)), () => hash(bytes(size), { key: bytes(32) })];
      yield* varied(hash, [bytes(10), { dkLen: 32 }], [INPUTS, BLAKE2]);
      yield () => (hash as unknown as { create: (options: object) => { digest: Any } }).create({ dkLen: 20 }).digest();
    }
  },
  *argon2(modules) {
    const its = modules('argon2');
    for (const name of ['argon2d', 'argon2i', 'argon2id', 'argon2idAsync']) {
      const derive = its[name];
      for (const input of INPUTS) yield* [() => derive(input, bytes(16), cost), () => derive(bytes(20), input, cost)];
      for (const length of [7, 8, 9]) yield () => derive(bytes(20), bytes(length), cost);
      for (const options of ARGON2) yield () => derive(bytes(20), bytes(16), options);
      yield* [derive, () => derive(bytes(20))];
    }
  },
};

/** The outcomes of all calls, in order; a promise's too. */
async function outcomesOf(calls: Iterable<Any>): Promise<string[]> {
  const found: string[] = [];
  for (const call of calls) {
    let value: unknown;
    const outcome = outcomeOf(() => (value = call()));
    if (!(value instanceof Promise)) found.push(outcome);
    else
      found.push(
        await value.then(
          (result) => `promise of ${outcomeOf(() => result)}`,
          (error: unknown) =>
            `promise of ${outcomeOf(() => {
              throw error;
            })}`,
        ),
      );
  }
  return found;
}

const its = lines.filter((line) => line.package === 'noble-hashes');
const loaded = (await Promise.all(its.map((line) => pairsOf(line)))).map((pairs) =>
  ['esm', 'cjs'].flatMap((format) => {
    const of = pairs.filter(({ title }) => title.endsWith(`, ${format}`));
    if (of.length === 0) return [];
    const from = (side: 'ours' | 'theirs'): Modules => {
      const modules = new Map<string, Loaded>(of.map((pair) => [pair.module, pair[side]]));
      return (path) => modules.get(path) as Module;
    };
    return [{ title: `${of[0].title.split(',')[0]}, ${format}`, ours: from('ours'), theirs: from('theirs') }];
  }),
);
const lineups = loaded.flat();
/** Version 1 has older paths, too. */
const OLD: Readonly<Record<string, readonly string[]>> = { sha2: ['sha256', 'sha512'], blake2: ['blake2b', 'blake2s'] };

afterEach(() => vi.restoreAllMocks());

describe.each(lineups)('$title', ({ ours, theirs }) => {
  const rows = Object.entries(tables).flatMap(([path, table]) =>
    [path, ...(OLD[path] ?? [])].filter((name) => theirs(name)).map((name) => ({ name, table })),
  );
  test.each(rows)('$name: all calls', async ({ name, table }) => {
    const expected = await outcomesOf(table(theirs, name));
    expect(expected.length).toBeGreaterThan(30);
    expect(await outcomesOf(table(ours, name))).toEqual(expected);
  });

  test('usual calls are ours', async () => {
    // Without the classes of the original, its functions do nothing.
    for (const [path, pattern] of [
      ['sha2', /^_?SHA/],
      ['blake2', /^_?BLAKE2/],
    ] as const)
      for (const [name, value] of Object.entries(ours(path)))
        if (pattern.test(name))
          vi.spyOn((value as unknown as { prototype: Record<string, Any> }).prototype, 'update').mockImplementation(
            () => {
              throw new Error('the original');
            },
          );
    const { sha256, sha384, sha512, sha512_256, sha224 } = ours('sha2');
    const [message, salt] = [bytes(100), bytes(16)];
    const calls: Any[] = [sha224, sha256, sha384, sha512, sha512_256].flatMap((hash) => [
      () => hash(message),
      () => ours('hmac').hmac(hash, salt, message),
      () => ours('hkdf').hkdf(hash, message, salt, salt, 70),
      () => ours('hkdf').hkdf(hash, message, undefined, undefined, 70),
      () => ours('hkdf').extract(hash, message, undefined),
      () => ours('hkdf').expand(hash, message, undefined, 20),
      () => ours('pbkdf2').pbkdf2(hash, 'password', salt, { c: 2, dkLen: 32 }),
      () => ours('pbkdf2').pbkdf2Async(hash, 'password', salt, { c: 2, dkLen: 32 }),
    ]);
    for (const name of ['argon2d', 'argon2i', 'argon2id'])
      calls.push(
        () => ours('argon2')[name]('password', salt, cost),
        () => ours('argon2')[`${name}Async`]('password', salt, { ...cost, onProgress: () => undefined }),
      );
    for (const name of ['blake2b', 'blake2s'])
      calls.push(
        () => ours('blake2')[name](message),
        () => ours('blake2')[name](message, { dkLen: 20, key: salt }),
      );
    for (const outcome of await outcomesOf(calls)) expect(outcome).toMatch(/^(promise of )?(object )?[0-9a-f,]+$/);
    expect(await outcomesOf([() => ours('sha2').sha512_224(message)])).toEqual(['Error: the original']);
  });

  test('progress of Argon2 is reported as far as the end, and its errors come out', async () => {
    const { argon2idAsync } = ours('argon2');
    const seen: number[] = [];
    await argon2idAsync('password', bytes(16), { ...cost, m: 64, onProgress: (part: number) => void seen.push(part) });
    expect(seen.at(-1)).toBe(1);
    const onProgress = (): void => {
      throw new Error('enough');
    };
    await expect(argon2idAsync('password', bytes(16), { ...cost, onProgress })).rejects.toThrow('enough');
  });
});
