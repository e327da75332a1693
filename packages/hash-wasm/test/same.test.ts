/** The package beside its original: names, results and errors, in both formats. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { distOf, folderOf } from '../../drop-ins/src/folders.ts';
import { lineOf } from '../../drop-ins/src/shell.ts';

type Call = (options?: unknown) => Promise<unknown>;
type Library = Readonly<Record<string, Call>>;

const line = lineOf('hash-wasm', 4);
const require = createRequire(import.meta.url);
const load = async (folder: string): Promise<readonly [format: string, library: Library][]> => [
  ['import', (await import(pathToFileURL(join(folder, 'dist/index.esm.js')).href)) as Library],
  ['require', require(folder) as Library],
];
const [ours, theirs] = await Promise.all([load(distOf(line)), load(folderOf(line.alias))]);
const pairs = ours.map(([format, library], i) => ({ format, ours: library, theirs: theirs[i][1] }));

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (7 * i + 1) % 256);

/** The result, with its kind, or the error. */
async function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  try {
    const value = await call();
    return value instanceof Uint8Array
      ? `${value.constructor.name} ${value.byteLength === value.buffer.byteLength} ${Buffer.from(value).toString('hex')}`
      : `${typeof value} ${String(value)}`;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const usual = {
  password: 'Grüße, 🦜 \ud800',
  salt: bytes(16),
  iterations: 2,
  parallelism: 2,
  memorySize: 64,
  hashLength: 32,
};
const NUMBERS = [undefined, null, 0, -1, 1, 3, 1.5, NaN, Infinity, '2', 2n, {}];
const DATA = [undefined, null, '', 'é', 'a text', 7, {}, [1], bytes(1), bytes(8), Buffer.from(bytes(9)), bytes(300)];
const ARRAYS = [bytes(20).subarray(3), new Uint16Array(9).fill(700), new Uint32Array(9), new ArrayBuffer(16)];
/** All that a call may differ in from the usual one, one at a time. */
const variants: readonly Readonly<Record<string, unknown>>[] = [
  {},
  ...[...DATA, ...ARRAYS].flatMap((value) => [{ password: value }, { salt: value }, { secret: value }]),
  ...NUMBERS.flatMap((value) => [{ iterations: value }, { parallelism: value }, { memorySize: value }]),
  ...[...NUMBERS, 4, 63, 64, 65, 96, 97, 300].map((hashLength) => ({ hashLength })),
  ...['hex', 'binary', 'encoded', 'Hex', '', null, 7].map((outputType) => ({ outputType })),
  ...[8, 15, 16, 17, 31, 33, 70, 1000].map((memorySize) => ({ memorySize, outputType: 'encoded' })),
  ...[3, 4, 8, 9].map((parallelism) => ({ parallelism, outputType: 'encoded' })),
  { another: 1 },
];
const printed = (value: unknown): string => inspect(value, { breakLength: Infinity });
const OPTIONS = [undefined, null, 7, 'text', [], () => 1];

describe.each(pairs)('$format', ({ ours, theirs }) => {
  test('names', () => {
    const kinds = (library: Library): unknown[] =>
      Object.keys(library)
        .filter((name) => name !== 'default')
        .sort()
        .map((name) => [name, typeof library[name], library[name].length]);
    expect(kinds(ours)).toEqual(kinds(theirs));
    expect('__esModule' in ours).toBe('__esModule' in theirs);
    const changed = Object.keys(ours).filter((name) => String(ours[name]) !== String(theirs[name]));
    expect(changed.filter((name) => name !== 'default').sort()).toEqual([
      'argon2Verify',
      'argon2d',
      'argon2i',
      'argon2id',
    ]);
  });

  test.each(['argon2id', 'argon2i', 'argon2d'])('%s', async (name) => {
    for (const each of [...variants.map((variant) => ({ ...usual, ...variant })), ...OPTIONS]) {
      // The original changes the options.
      const [own, other] = [each, each].map((its) =>
        Object(its) === its && !Array.isArray(its) ? { ...(its as object) } : its,
      );
      const expected = await outcomeOf(() => theirs[name](other));
      expect(await outcomeOf(() => ours[name](own)), printed(each)).toBe(expected);
    }
    const options = Object.freeze({ ...usual });
    expect(await ours[name](options)).toBe(await theirs[name]({ ...usual }));
  });

  test('argon2Verify', async () => {
    const { password } = usual;
    const textOf = (name: string, more: object): Promise<unknown> =>
      theirs[name]({ ...usual, outputType: 'encoded', ...more });
    const texts = await Promise.all([
      ...['argon2id', 'argon2i', 'argon2d'].map((name) => textOf(name, {})),
      ...[4, 11, 12, 64, 65].map((hashLength) => textOf('argon2id', { hashLength })),
      textOf('argon2id', { salt: bytes(70) }),
    ]);
    const [text] = texts as string[];
    const [secret] = (await Promise.all([textOf('argon2id', { secret: 'pepper' })])) as string[];
    const calls: unknown[] = [
      ...texts.map((hash) => ({ password, hash })),
      ...[...DATA, ...ARRAYS, password].flatMap((value) => [
        { password: value, hash: text },
        { password, hash: value },
        { password, hash: text, secret: value },
      ]),
      { password, hash: secret },
      { password, hash: secret, secret: 'pepper' },
      { password, hash: secret, secret: Buffer.from('pepper') },
      ...[
        text.replace('v=19', 'v=16'),
        text.replace('$v=19', ''),
        text.replace('m=64,t=2,p=2', 't=2,p=2,m=64'),
        text.replace('m=64', 'm=064'),
        text.replace('m=64', 'm=15'),
        text.replace('t=2', 't=0'),
        text.replace('t=2', 't=3'),
        text.replace('argon2id', 'argon2x'),
        `${text}=`,
        `${text}\n`,
        text.slice(0, -1),
        text.slice(0, -1) + (text.endsWith('A') ? 'E' : 'A'),
      ].map((hash) => ({ password, hash })),
      ...OPTIONS,
    ];
    const found = new Set<string>();
    for (const each of calls) {
      const expected = await outcomeOf(() => theirs.argon2Verify(each));
      expect(await outcomeOf(() => ours.argon2Verify(each)), printed(each)).toBe(expected);
      found.add(expected);
    }
    expect(found).toContain('boolean true');
    expect(found).toContain('boolean false');
  });
});

test('the bytes of the caller are not wiped', async () => {
  const [{ ours: library }] = pairs;
  const [password, salt, secret] = [bytes(9), bytes(16), bytes(5)];
  await library.argon2id({ ...usual, password, salt, secret });
  expect([password, salt, secret]).toEqual([bytes(9), bytes(16), bytes(5)]);
});

test('what the caller writes after the call does not matter', async () => {
  for (const { ours: library } of pairs) {
    const [password, salt] = [bytes(9), bytes(16)];
    const options = { ...usual, password, salt, outputType: 'encoded' };
    const expected = await library.argon2id(options);
    const promise = library.argon2id(options);
    password.fill(0);
    salt.fill(0);
    expect(await promise).toBe(expected);
  }
});

test('Node imports the CommonJS module by its names', async () => {
  const names = Object.keys((await import(pathToFileURL(join(distOf(line), 'dist/index.umd.js')).href)) as object);
  expect(names).toEqual(expect.arrayContaining(['argon2id', 'argon2Verify', 'md5', 'xxhash128']));
});
