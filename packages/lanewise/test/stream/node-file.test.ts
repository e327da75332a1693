/** `decryptWhole` to files of Node: the new file when all is authentic, and else the old one, with nothing beside it. */
// Runs in Node only: about files of Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newFile } from '../../src/stream-node.ts';
import { chunked } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { through } from '../support/stream.ts';
import { rejection } from '../support/stream-reader.ts';

const key = sample(32, 51);
const plaintext = sample(1_500_000, 52);
const seal = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const sealer = await chunked(key).sealer();
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
  expect(await chunked(key).decryptWhole(sealed, { to: newFile(path) })).toBe(plaintext.length);
  expectBytes(readFileSync(path), plaintext, 'made');
  const source = join(folder, 'sealed');
  writeFileSync(source, await seal(plaintext.subarray(0, 70_000)));
  expect(await chunked(key).decryptWhole(createReadStream(source), { to: newFile(pathToFileURL(path)) })).toBe(70_000);
  expectBytes(readFileSync(path), plaintext.subarray(0, 70_000), 'replaced');
  expect(await chunked(key).decryptWhole(await seal(new Uint8Array(0)), { to: newFile(path) })).toBe(0);
  expect(readFileSync(path)).toHaveLength(0);
  expect(readdirSync(folder).sort()).toEqual(['plain', 'sealed']);
});

it('leaves the old file, and nothing beside it, on failure', async () => {
  writeFileSync(path, 'old');
  const controller = new AbortController();
  const mine = new Error('mine');
  const failures: readonly (() => Promise<unknown>)[] = [
    () => chunked(key).decryptWhole(sealed.subarray(0, -1), { to: newFile(path) }),
    () => chunked(sample(32, 1)).decryptWhole(sealed, { to: newFile(path) }),
    () => chunked(key).decryptWhole(sealed, { to: newFile(path), maxLength: 1_000_000 }),
    () => chunked(key).decryptWhole([sealed], { to: newFile(path), maxLength: 1_000_000 }),
    () =>
      chunked(key).decryptWhole([sealed], {
        to: newFile(path),
        signal: controller.signal,
        onProgress(done) {
          expect(readdirSync(folder)).toHaveLength(2);
          if (done > 500_000) controller.abort(mine);
        },
      }),
    () =>
      chunked(key).decryptWhole(
        (function* () {
          yield sealed.subarray(0, 400_000);
          throw mine;
        })(),
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
  await rejection(chunked(sample(32, 1)).decryptWhole(sealed, { to: newFile(path) }));
  expect(readdirSync(folder)).toEqual([]);
  await chunked(key).decryptWhole([sealed], {
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
  await chunked(key).decryptWhole(sealed, { to: newFile(path) });
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expectBytes(readFileSync(real), plaintext, 'behind the link');
  if (process.platform !== 'win32') expect(statSync(real).mode & 0o777).toBe(0o640);
  const other = join(folder, 'other');
  await chunked(key).decryptWhole(sealed, { to: newFile(other, { mode: 0o600 }) });
  if (process.platform !== 'win32') expect(statSync(other).mode & 0o777).toBe(0o600);
});

it('refuses what is no file, before anything is written', async () => {
  mkdirSync(path);
  expect(await rejection(chunked(key).decryptWhole(sealed, { to: newFile(path) }))).toEqual(
    new Error(`cannot replace ${path}: it is no regular file`),
  );
  expect(readdirSync(folder)).toEqual(['plain']);
  const absent = join(folder, 'absent', 'plain');
  expect(await rejection(chunked(key).decryptWhole(sealed, { to: newFile(absent) }))).toMatchObject({ code: 'ENOENT' });
});

it('a FileHandle that was closed', async () => {
  const handle = await openFile(import.meta.filename);
  await handle.close();
  expect(() => chunked(key).encrypt(handle)).toThrow(
    '"source" expected FileHandle that is open, got one that was closed',
  );
});

it('several at a time', async () => {
  const sizes = [100_000, 200_000, 300_000];
  await Promise.all(
    sizes.map(async (size) =>
      chunked(key).decryptWhole(await seal(plaintext.subarray(0, size)), { to: newFile(path) }),
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
  expect(await rejection(chunked(key).decryptWhole(source, { to: broken }))).toBeInstanceOf(Error);
  expect(readdirSync(folder)).toEqual(['plain']);
});

it('refuses wrong arguments at once', () => {
  const call = newFile as (...values: unknown[]) => unknown;
  for (const [values, error] of [
    [[], new TypeError('"path" expected string or URL, got type=undefined')],
    [[5], new TypeError('"path" expected string or URL, got type=number')],
    [[path, { mod: 1 }], new TypeError('"options" expected plain object { mode }, got { mod }')],
    [[path, { mode: '600' }], new TypeError('"mode" expected integer, got type=string')],
    [[path, { mode: -1 }], new RangeError('"mode" expected integer from 0 up, got -1')],
    [[path, { mode: 0.5 }], new RangeError('"mode" expected integer from 0 up, got 0.5')],
    [[path, { mode: 2 ** 32 }], new RangeError('"mode" expected integer below 2^32, got 4294967296')],
    [[path, {}, 1], new TypeError('"arguments" expected at most 2, got another of type=number')],
    [[new URL('https://example.org/')], TypeError],
    [[{}], TypeError],
  ] as const)
    expect(() => call(...values)).toThrow(error);
});

/** Runs a process that decrypts to `path`, until it has written some of it; then ends it as it is told. */
async function killedWhileWriting(end: 'SIGKILL' | 'SIGINT' | 'exit'): Promise<string> {
  const program = `
    import { chunked } from 'lanewise/stream.js';
    import { newFile } from 'lanewise/stream-node.js';
    import { readFileSync } from 'node:fs';
    const sealed = readFileSync(${JSON.stringify(join(folder, 'sealed'))});
    const source = async function* () {
      yield sealed.subarray(0, 900_000);
      await new Promise((resolve) => setTimeout(resolve, 200));
      console.log('written');
      ${end === 'exit' ? 'process.exit(1);' : 'await new Promise((resolve) => setTimeout(resolve, 60_000));'}
    };
    await chunked(new Uint8Array(${JSON.stringify([...key])})).decryptWhole(source(), { to: newFile(${JSON.stringify(path)}) });`;
  writeFileSync(join(folder, 'sealed'), sealed);
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdout.once('data', () => end !== 'exit' && child.kill(end));
  await ended;
  rmSync(join(folder, 'sealed'));
  const left = readdirSync(folder).filter((name) => name !== 'plain');
  expect(left).toHaveLength(1);
  return left[0];
}

it('what a killed process has left is readable by the owner only, and removed by the next', async () => {
  for (const end of ['SIGKILL', 'SIGINT', 'exit'] as const) {
    const draft = await killedWhileWriting(end);
    expect(draft).toMatch(/^plain\.lanewise-draft\.[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-\d+-\d+-[0-9a-f]{12}$/);
    expect(statSync(join(folder, draft)).size).toBeGreaterThan(100_000);
    if (process.platform !== 'win32') expect(statSync(join(folder, draft)).mode & 0o777).toBe(0o600);
    // For a file of another name, too.
    await chunked(key).decryptWhole(sealed, { to: newFile(join(folder, 'other')) });
    expect(readdirSync(folder)).toEqual(['other']);
    rmSync(join(folder, 'other'));
  }
});

it('leaves the drafts of processes that live, or may', async () => {
  const own = await newFile(path).createWritable();
  const [name] = readdirSync(folder);
  const [, boot, namespace, pid, start] = name.slice(name.lastIndexOf('draft.') + 6).split('-');
  const other = (from: string, to: string): string => name.replace(`-${from}-`, `-${to}-`);
  const drafts = {
    'another host': name.replace(/draft\.[0-9a-f]{8}/, 'draft.12345678'),
    'another namespace': other(namespace, '12345678'),
    'this process in another thread': name.replace(/[0-9a-f]{12}$/, '012345678901'),
  };
  for (const each of Object.values(drafts)) writeFileSync(join(folder, each), '');
  const dead = { 'an earlier boot': other(boot, '12345678'), 'a number used again': other(start, '1') };
  for (const each of Object.values(dead)) writeFileSync(join(folder, each), '');
  writeFileSync(join(folder, other(pid, '4194305')), '');
  await chunked(key).decryptWhole(sealed, { to: newFile(join(folder, 'other')) });
  const kept = process.platform === 'linux' ? [] : Object.values(dead);
  expect(readdirSync(folder).sort()).toEqual([name, ...Object.values(drafts), ...kept, 'other'].sort());
  await own.abort();
});

it('a new file has the permissions that the umask leaves, and the draft none for others', async () => {
  for (const [umask, mode] of [
    [0o027, 0o640],
    [0o022, 0o644],
    [0o077, 0o600],
  ]) {
    const before = process.umask(umask);
    try {
      const file = await newFile(path).createWritable();
      if (process.platform !== 'win32') expect(statSync(join(folder, readdirSync(folder)[0])).mode & 0o777).toBe(0o600);
      await file.close();
      if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(mode);
    } finally {
      process.umask(before);
    }
    rmSync(path);
  }
});

it.each([
  ['of ASCII', 'a'.repeat(255)],
  ['of two bytes a character', `${'é'.repeat(127)}a`],
  ['of four bytes a character', '𝄞'.repeat(63)],
])('writes a file whose name is as long as can be: %s', async (_, name) => {
  const to = newFile(join(folder, name));
  const file = await to.createWritable();
  expect(readdirSync(folder)[0]).toMatch(/^.+\.lanewise-draft\.[0-9a-f-]+$/);
  await file.abort();
  expect(readdirSync(folder)).toEqual([]);
  await chunked(key).decryptWhole(sealed, { to });
  expect(readdirSync(folder)).toEqual([name]);
  // It replaces itself, too.
  await chunked(key).decryptWhole(sealed, { to });
  expect(readdirSync(folder)).toEqual([name]);
});

it.runIf(process.platform === 'linux')(
  'removes a draft whose number is that of a process of another user now',
  async () => {
    const own = await newFile(path).createWritable();
    const [name] = readdirSync(folder);
    await own.abort();
    // Process 1, which began with the system.
    const dead = name.replace(/-\d+-\d+-([0-9a-f]{12})$/, '-1-987654321987-$1');
    writeFileSync(join(folder, dead), '');
    const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    try {
      await chunked(key).decryptWhole(sealed, { to: newFile(join(folder, 'other')) });
      expect(kill).toHaveBeenCalledWith(1, 0);
    } finally {
      kill.mockRestore();
    }
    expect(readdirSync(folder)).toEqual(['other']);
  },
);

it('lists a folder of many files for one of the next that are written, not for each', async () => {
  const own = await newFile(path).createWritable();
  const [name] = readdirSync(folder);
  await own.abort();
  for (let i = 0; i < 1100; i++) writeFileSync(join(folder, `file ${i}`), '');
  // The names are those of process 4194305, which Linux never has.
  const dead = name.replace(/-\d+-(\d+-[0-9a-f]{12})$/, '-4194305-$1');
  const swept: boolean[] = [];
  for (let i = 0; i < 5; i++) {
    writeFileSync(join(folder, dead), '');
    await (await newFile(path).createWritable()).abort();
    swept.push(!existsSync(join(folder, dead)));
  }
  expect(swept).toEqual([true, false, true, false, true]);
});
