/** `decryptWhole` to files of Node: the new file when all is authentic, and else the old one, with nothing beside it. */
// Runs in Node only: about files of Node.
import {
  chmodSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newFile } from '../src/stream-node.ts';
import { chunked } from '../src/stream.ts';
import { concat, expectBytes, sample } from './support/bytes.ts';
import { through } from './support/stream.ts';
import { rejection } from './support/stream-reader.ts';

const key = sample(32, 51);
const plaintext = sample(1_500_000, 52);
const seal = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const sealer = await chunked.sealer(key);
  return concat(sealer.header, through(sealer, [bytes]));
};
const sealed = await seal(plaintext);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanewise-whole-'));
  path = join(folder, 'plain');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('makes a file, and replaces one', async () => {
  expect(await chunked.decryptWhole(sealed, key, { to: newFile(path) })).toBe(plaintext.length);
  expectBytes(readFileSync(path), plaintext, 'made');
  const source = join(folder, 'sealed');
  writeFileSync(source, await seal(plaintext.subarray(0, 70_000)));
  expect(await chunked.decryptWhole(createReadStream(source), key, { to: newFile(pathToFileURL(path)) })).toBe(70_000);
  expectBytes(readFileSync(path), plaintext.subarray(0, 70_000), 'replaced');
  expect(await chunked.decryptWhole(await seal(new Uint8Array(0)), key, { to: newFile(path) })).toBe(0);
  expect(readFileSync(path)).toHaveLength(0);
  expect(readdirSync(folder).sort()).toEqual(['plain', 'sealed']);
});

it('leaves the old file, and nothing beside it, on failure', async () => {
  writeFileSync(path, 'old');
  const controller = new AbortController();
  const mine = new Error('mine');
  const failures: readonly (() => Promise<unknown>)[] = [
    () => chunked.decryptWhole(sealed.subarray(0, -1), key, { to: newFile(path) }),
    () => chunked.decryptWhole(sealed, sample(32, 1), { to: newFile(path) }),
    () => chunked.decryptWhole(sealed, key, { to: newFile(path), maxLength: 1_000_000 }),
    () => chunked.decryptWhole([sealed], key, { to: newFile(path), maxLength: 1_000_000 }),
    () =>
      chunked.decryptWhole([sealed], key, {
        to: newFile(path),
        signal: controller.signal,
        onProgress(done) {
          expect(readdirSync(folder)).toHaveLength(2);
          if (done > 500_000) controller.abort(mine);
        },
      }),
    () =>
      chunked.decryptWhole(
        (function* () {
          yield sealed.subarray(0, 400_000);
          throw mine;
        })(),
        key,
        { to: newFile(path) },
      ),
  ];
  for (const failure of failures) {
    expect(await rejection(failure())).toBeInstanceOf(Error);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['plain']);
  }
});

it('makes nothing for a wrong key, and nobody sees the file before its end', async () => {
  await rejection(chunked.decryptWhole(sealed, sample(32, 1), { to: newFile(path) }));
  expect(readdirSync(folder)).toEqual([]);
  await chunked.decryptWhole([sealed], key, {
    to: newFile(path),
    onProgress: () => expect(existsSync(path)).toBe(false),
  });
  expect(existsSync(path)).toBe(true);
});

it('keeps symbolic links and permissions', async () => {
  const real = join(folder, 'real');
  writeFileSync(real, 'old');
  chmodSync(real, 0o640);
  symlinkSync(real, path);
  await chunked.decryptWhole(sealed, key, { to: newFile(path) });
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expectBytes(readFileSync(real), plaintext, 'behind the link');
  if (process.platform !== 'win32') expect(statSync(real).mode & 0o777).toBe(0o640);
  const other = join(folder, 'other');
  await chunked.decryptWhole(sealed, key, { to: newFile(other, { mode: 0o600 }) });
  if (process.platform !== 'win32') expect(statSync(other).mode & 0o777).toBe(0o600);
});

it('refuses what is no file, before anything is written', async () => {
  mkdirSync(path);
  expect(await rejection(chunked.decryptWhole(sealed, key, { to: newFile(path) }))).toEqual(
    new Error(`cannot replace ${path}: it is no regular file`),
  );
  expect(readdirSync(folder)).toEqual(['plain']);
  const absent = join(folder, 'absent', 'plain');
  expect(await rejection(chunked.decryptWhole(sealed, key, { to: newFile(absent) }))).toMatchObject({ code: 'ENOENT' });
});

it('several at a time', async () => {
  const sizes = [100_000, 200_000, 300_000];
  await Promise.all(
    sizes.map(async (size) =>
      chunked.decryptWhole(await seal(plaintext.subarray(0, size)), key, { to: newFile(path) }),
    ),
  );
  const found = readFileSync(path);
  expect(sizes).toContain(found.length);
  expectBytes(found, plaintext.subarray(0, found.length), 'one of them');
  expect(readdirSync(folder)).toEqual(['plain']);
});

it('an error of the file at its end', async () => {
  const source = [sealed];
  const to = newFile(path);
  const broken = {
    async createWritable() {
      const file = await to.createWritable();
      // The place becomes a folder in the meantime.
      mkdirSync(path);
      return file;
    },
  };
  expect(await rejection(chunked.decryptWhole(source, key, { to: broken }))).toBeInstanceOf(Error);
  expect(readdirSync(folder)).toEqual(['plain']);
});

it('refuses wrong arguments at once', () => {
  const call = newFile as (...values: unknown[]) => unknown;
  for (const [values, error] of [
    [[], new TypeError('"path" expected string or URL, got type=undefined')],
    [[5], new TypeError('"path" expected string or URL, got type=number')],
    [[path, { mod: 1 }], new TypeError('"options" expected plain object { mode }, got { mod }')],
    [[path, { mode: '600' }], new TypeError('"mode" expected integer, got type=string')],
    [[path, {}, 1], new TypeError('"arguments" expected at most 2, got another of type=number')],
    [[new URL('https://example.org/')], TypeError],
    [[{}], TypeError],
  ] as const)
    expect(() => call(...values)).toThrow(error);
});
