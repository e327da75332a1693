/** Encrypted files over ZenFS and Node: their calls, what the store holds, and every change of it. */
import { configureSingle, fs as zen, InMemory } from '@zenfs/core';
import * as node from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createBox, createKeyring } from 'lanewise/box.js';
import { encryptedFileSystem, type EncryptedFileSystem, type FileCalls, type FileSystemOptions } from '../src/files.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 5 * i + 3);
const root = mkdtempSync(join(tmpdir(), 'lanewise-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

beforeEach(() => configureSingle({ backend: InMemory }));

/** Stores by their names: each a module of files, and a new folder in it. */
const STORES: readonly (readonly [string, () => { fs: FileCalls; folder: string }])[] = [
  ['ZenFS', () => ({ fs: zen, folder: `/vault${++count}` })],
  ['Node', () => ({ fs: node, folder: join(root, String(++count)) })],
];
const open = (base: { fs: FileCalls; folder: string }, options: Partial<FileSystemOptions> = {}) =>
  encryptedFileSystem(base, { key: KEY, pageSize: 1024, ...options });

const bytes = (length: number, first = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (first + i * 7 + (i >> 8)) % 251);

test.each(STORES)(
  '%s: random writes, cuts and reads are those of plain bytes, also after files are opened again',
  async (_, make) => {
    const base = make();
    let files = await open(base);
    let model = new Uint8Array(0);
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    files.writeFile('/a', '');
    for (let turn = 0; turn < 250; turn++) {
      const at = random(9000);
      if (turn % 9 === 8) {
        files.truncate('/a', at);
        const next = new Uint8Array(at);
        next.set(model.subarray(0, at));
        model = next;
      } else {
        const written = bytes(1 + random(turn % 5 ? 900 : 3000), turn);
        const fd = files.open('/a', 'r+');
        expect(files.write(fd, written, 0, written.length, at)).toBe(written.length);
        files.close(fd);
        const next = new Uint8Array(Math.max(model.length, at + written.length));
        next.set(model);
        next.set(written, at);
        model = next;
      }
      if (turn % 50 === 49) {
        files.unmount();
        files = await open(base);
      }
      expect(files.lstat('/a').size).toBe(model.length);
      const [from, length] = [random(model.length + 1), random(4000)];
      const got = new Uint8Array(length);
      const fd = files.open('/a');
      const read = files.read(fd, got, 0, length, from);
      files.close(fd);
      expect(Buffer.compare(got.subarray(0, read), model.subarray(from, from + length))).toBe(0);
    }
    expect(Buffer.compare(files.readFile('/a'), model)).toBe(0);
    expect(files.check()).toEqual([]);
    files.unmount();
  },
);

test.each(STORES)('%s: folders, names and errors as in Node', async (_, make) => {
  const base = make();
  let files = await open(base);
  const code = (work: () => unknown): string => {
    try {
      work();
      return 'nothing';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  files.mkdir('/a/b', { recursive: true });
  files.writeFile('/a/b/one', 'one');
  files.writeFile('/a/two', bytes(5000));
  expect(code(() => files.readFile('/a/none'))).toBe('ENOENT');
  expect(code(() => files.readFile('/a/b'))).toBe('EISDIR');
  expect(code(() => files.readFile('/a/two/x'))).toBe('ENOTDIR');
  expect(code(() => files.mkdir('/a'))).toBe('EEXIST');
  expect(code(() => files.mkdir('/x/y'))).toBe('ENOENT');
  expect(code(() => files.rmdir('/a/b'))).toBe('ENOTEMPTY');
  expect(code(() => files.unlink('/a/b'))).toBe('EISDIR');
  expect(code(() => files.open('/a/two', 'wx'))).toBe('EEXIST');
  expect(code(() => files.rename('/a', '/a/b/c'))).toBe('EINVAL');
  expect(code(() => files.rename('/a/two', '/a/b'))).toBe('EISDIR');
  expect(code(() => files.close(77))).toBe('EBADF');
  expect(code(() => files.readFile('/../a'))).toBe('EINVAL');
  files.rename('/a/b/one', '/a/two');
  expect(new TextDecoder().decode(files.readFile('/a/two'))).toBe('one');
  expect(files.readdir('/a')).toEqual(['b', 'two']);
  files.rmdir('/a/b');
  files.chmod('/a/two', 0o600);
  files.utimes('/a/two', 0, 12_345);
  const fd = files.open('/a/two', 'a+');
  files.write(fd, bytes(2), 0, 2, 0);
  expect(files.fstat(fd).size).toBe(5);
  files.unlink('/a/two');
  const left = new Uint8Array(5);
  // A file without a name lives until it is closed.
  expect(files.read(fd, left, 0, 5, 0)).toBe(5);
  files.close(fd);
  files.writeFile('/__proto__', 'x', { mode: 0o600 });
  files.unmount();
  files = await open(base);
  expect(files.readdir('/')).toEqual(['a', '__proto__']);
  expect(files.lstat('/__proto__')).toMatchObject({ mode: 0o100600, size: 1 });
  expect(code(() => files.rename('/a', '/__proto__'))).toBe('ENOTDIR');
  files.unmount();
  expect(() => files.readdir('/')).toThrow('cannot use an encrypted file system after unmount()');
});

/** The bytes of every stored file. */
function stored({ fs, folder }: { fs: FileCalls; folder: string }): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const name of fs.readdirSync(folder).map(String)) {
    const fd = fs.openSync(`${folder}/${name}`, 'r');
    const its = new Uint8Array(Number(fs.fstatSync(fd).size));
    fs.readSync(fd, its, 0, its.length, 0);
    fs.closeSync(fd);
    files.set(name, its);
  }
  return files;
}
function restore({ fs, folder }: { fs: FileCalls; folder: string }, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [name, its] of files) {
    const fd = fs.openSync(`${folder}/${name}`, 'w');
    if (its.length > 0) fs.writeSync(fd, its, 0, its.length, 0);
    fs.closeSync(fd);
  }
}

async function made() {
  const base = STORES[0][1]();
  const files = await open(base);
  files.mkdir('/marmalade');
  for (let i = 0; i < 3; i++) files.writeFile(`/marmalade/file${i}`, `marzipan ${i} `.repeat(300));
  files.unmount();
  return { base, whole: stored(base) };
}

/** What a reader of everything gets. */
async function reading(base: { fs: FileCalls; folder: string }): Promise<string> {
  let files: EncryptedFileSystem | undefined;
  try {
    files = await open(base);
    const problems = files.check();
    return problems.length > 0 ? problems.join('\n') : `fine: ${files.readdir('/marmalade').join()}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    try {
      files?.unmount();
    } catch {
      // The store was changed.
    }
  }
}

test('no stored file has a piece of plaintext or a name', async () => {
  const { whole } = await made();
  expect([...whole.keys()].sort()).toEqual(['0', '1', '2', 'names-0', 'names-1', 'volume']);
  const all = Buffer.concat([...whole.values()]).toString('latin1');
  expect(all.length).toBeGreaterThan(15_000);
  for (const piece of ['marzipan', 'marmalade', 'file1']) expect(all).not.toContain(piece);
});

test('every change of a stored file is an error that names the file', async () => {
  const { base, whole } = await made();
  expect(await reading(base)).toBe('fine: file0,file1,file2');
  const changed = async (name: string, change: (its: Uint8Array) => Uint8Array): Promise<string> => {
    restore(base, new Map(whole).set(name, change(whole.get(name)!.slice())));
    return reading(base);
  };
  const [PAGE, HEAD] = [1024 + 40, 512];
  for (const slot of ['0', '1', '2']) {
    const name = `/marmalade/file${slot}`;
    for (const at of [0, 15, 16, 55])
      expect(await changed(slot, (its) => ((its[at] ^= 1), its))).toBe(
        `EIO: ${name} isn't authentic: its size isn't authentic: it was changed, or is of another file`,
      );
    const pages = (whole.get(slot)!.length - HEAD) / PAGE;
    expect(pages).toBe(4);
    for (let page = 0; page < pages; page++) {
      for (const at of [0, 700, 1024, 1048, PAGE - 1])
        expect(await changed(slot, (its) => ((its[HEAD + page * PAGE + at] ^= 0x20), its))).toBe(
          `EIO: ${name} isn't authentic: page ${page + 1} was changed, moved, or is of another file`,
        );
      const moved = await changed(slot, (its) =>
        its.copyWithin(
          HEAD + page * PAGE,
          HEAD + ((page + 1) % pages) * PAGE,
          HEAD + (((page + 1) % pages) + 1) * PAGE,
        ),
      );
      expect(moved).toContain(`page ${page + 1} was changed, moved`);
      const foreign = await changed(slot, (its) => {
        const from = HEAD + page * PAGE;
        its.set(whole.get(slot === '0' ? '1' : '0')!.subarray(from, from + PAGE), from);
        return its;
      });
      expect(foreign).toContain(`page ${page + 1} was changed, moved`);
    }
    for (let size = 0; size < whole.get(slot)!.length; size += 256)
      expect(await changed(slot, (its) => its.subarray(0, size))).toBe(`EIO: ${name} isn't authentic: it was cut off`);
  }
  // Two whole files that are exchanged.
  restore(base, new Map(whole).set('0', whole.get('1')!).set('1', whole.get('0')!));
  expect(await reading(base)).toMatch(/file0 isn't authentic.+\n.+file1 isn't authentic/);
  restore(base, whole);
  expect(await reading(base)).toBe('fine: file0,file1,file2');
});

test('every change of the names and the header is one error, or mended by a copy', async () => {
  const { base, whole } = await made();
  const changed = async (name: string, at: number): Promise<string> => {
    const its = whole.get(name)!.slice();
    its[at] ^= 1;
    restore(base, new Map(whole).set(name, its));
    return reading(base);
  };
  const NAMES = "EIO: this encrypted file system isn't authentic: its names were changed, or are older ones";
  // Two commits: one that made it, and one of unmount().
  for (let at = 0; at < whole.get('names-0')!.length; at += 3)
    expect(await changed('names-0', at), String(at)).toBe(NAMES);
  for (let at = 4096; at < 4152; at++)
    expect(await changed('volume', at)).toBe(
      "EIO: this encrypted file system isn't authentic: the number of its names was changed",
    );
  // One copy of the header is enough.
  for (const at of [0, 20, 100, 147]) {
    expect(await changed('volume', at)).toMatch(/^fine/);
    const its = whole.get('volume')!.slice();
    its[at] ^= 1;
    its[2048 + at] ^= 1;
    restore(base, new Map(whole).set('volume', its));
    expect(await reading(base)).toMatch(/wrong key|is no file system|its header is damaged/);
  }
  restore(base, new Map(whole).set('volume', new Uint8Array(0)));
  expect(await reading(base)).toMatch(/has no header/);
  // Names as they were before, with files that were made since.
  restore(base, new Map(whole).set('names-0', whole.get('names-1')!));
  expect(await reading(base)).toBe(NAMES);
});

test('a wrong key is one error, and nothing is written; another key after rekey()', async () => {
  const { base, whole } = await made();
  const other = new Uint8Array(32).fill(9);
  for (const key of [other, 'words'])
    await expect(open(base, { key })).rejects.toThrow(
      /^(wrong key, or the header of the file system|this file system has)/,
    );
  expect(stored(base)).toEqual(whole);
  const files = await open(base);
  await files.rekey(other);
  files.unmount();
  await expect(open(base)).rejects.toThrow('wrong key, or the header of the file system was changed');
  const box = createBox(createKeyring());
  const again = await open(base, { key: other });
  await again.rekey(box);
  again.unmount();
  const third = await open(base, { key: box });
  await third.rekey('words');
  expect(third.check()).toEqual([]);
  third.unmount();
  const fourth = await open(base, { key: 'words' });
  expect(fourth.readdir('/marmalade').length).toBe(3);
  fourth.unmount();
});

test('a cut of the power at any write leaves the files of the last sync(), and whole ones', async () => {
  const base = STORES[0][1]();
  const calls = zen as unknown as FileCalls;
  let writes = 0;
  let most = Infinity;
  const cut: FileCalls = {
    ...Object.fromEntries(Object.entries(calls).filter(([, its]) => typeof its === 'function')),
    writeSync(...of: Parameters<FileCalls['writeSync']>) {
      if (++writes > most) throw new Error('the power is cut');
      return calls.writeSync(...of);
    },
    ftruncateSync(...of: Parameters<FileCalls['ftruncateSync']>) {
      if (++writes > most) throw new Error('the power is cut');
      calls.ftruncateSync(...of);
    },
  } as FileCalls;
  const work = (files: EncryptedFileSystem): void => {
    files.writeFile('/new', bytes(3000));
    files.rename('/a', '/b');
    files.unlink('/c');
    files.sync();
    files.writeFile('/d', bytes(2000));
    files.sync();
  };
  const first = await open(base);
  for (const name of ['/a', '/c', '/kept']) first.writeFile(name, bytes(2500));
  first.unmount();
  const whole = stored(base);
  const found = new Set<string>();
  for (most = 0; ; most++) {
    for (const name of calls.readdirSync(base.folder).map(String))
      if (!whole.has(name)) zen.unlinkSync(`${base.folder}/${name}`);
    restore(base, whole);
    const files = await open({ ...base, fs: cut });
    writes = 0;
    let isCut = false;
    try {
      work(files);
    } catch {
      isCut = true;
    }
    const after = await open(base);
    expect(after.check()).toEqual([]);
    expect(Buffer.compare(after.readFile('/kept'), bytes(2500))).toBe(0);
    found.add(after.readdir('/').join());
    // It goes on.
    after.writeFile('/more', 'more');
    after.unmount();
    if (!isCut) break;
  }
  expect(most).toBeGreaterThan(15);
  expect([...found]).toEqual(['a,c,kept', 'kept,new,b', 'kept,new,b,d']);
});

test('calls from plain JavaScript', async () => {
  const call = (...args: unknown[]) =>
    (encryptedFileSystem as unknown as (...args: unknown[]) => Promise<unknown>)(...args);
  const base = STORES[0][1]();
  await expect(call()).rejects.toThrow('"base" expected plain object { fs, folder }, got type=undefined');
  await expect(call({ ...base, fs: {} }, { key: KEY })).rejects.toThrow(
    '"fs" expected a module with the calls of node:fs',
  );
  await expect(call({ ...base, folder: 5 }, { key: KEY })).rejects.toThrow('"folder" expected string, got type=number');
  await expect(call(base, { key: KEY, mode: 'adiantum' })).rejects.toThrow('got { mode }');
  await expect(call(base, { key: KEY.subarray(1) })).rejects.toThrow('"key" expected Uint8Array of length 32');
  await expect(call(base, { key: KEY }, 5)).rejects.toThrow('"arguments" expected at most 2');
  const files = await open(base);
  const fd = files.open('/a', 'w+');
  expect(() => files.open('/a', 'rw')).toThrow('"flags" expected r, r+');
  expect(() => files.open('/a\0b')).toThrow('"path" expected a text without NUL');
  expect(() => files.write(fd, bytes(3), 1, 3, 0)).toThrow('"length" expected at most 2, got 3');
  expect(() => files.read(fd, bytes(3), 0, 3, -1)).toThrow('"position" expected an integer from 0 on, got -1');
  expect(() => files.writeFile('/a', 5 as never)).toThrow('"data" expected Uint8Array or string, got type=number');
  files.unmount();
});
