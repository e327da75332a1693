/** One program at a time has the encrypted files of a folder of Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as node from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { LOCK_RESERVED } from '../src/codes.ts';
import { encryptedFileSystem } from '../src/files.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, i) => 5 * i + 3);
const root = mkdtempSync(join(tmpdir(), 'lanewise-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('in Node one program has the files, and one that was killed leaves no lock', async () => {
  const base = { fs: node, folder: join(root, 'vault') };
  const program = `
    import * as fs from 'node:fs';
    import { encryptedFileSystem } from ${JSON.stringify(join(import.meta.dirname, '../src/files.ts'))};
    const files = await encryptedFileSystem({ fs, folder: process.argv[1] }, { key: new Uint8Array(${JSON.stringify([...KEY])}) });
    files.writeFile('/letter', 'marzipan');
    files.sync();
    console.log('here');
    setInterval(() => {}, 1e6);
  `;
  const other = spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', program, base.folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(other.stdout, 'data');
  const refused = `cannot open the files in ${base.folder}: this or another program has them open`;
  await expect(encryptedFileSystem(base, { key: KEY })).rejects.toThrow(refused);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const files = await encryptedFileSystem(base, { key: KEY });
  expect(new TextDecoder().decode(files.readFile('/letter'))).toBe('marzipan');
  await expect(encryptedFileSystem(base, { key: KEY })).rejects.toThrow(refused);
  files.unmount();
  files.unmount();
  await expect(encryptedFileSystem(base, { key: new Uint8Array(32) })).rejects.toThrow('wrong key');
  // A program that is killed between making its file and writing to it.
  node.mkdirSync(join(base.folder, 'volume-locks'));
  for (const name of ['reserved', 'pending', 'shared-'])
    node.writeFileSync(join(base.folder, 'volume-locks', name), '');
  const again = await encryptedFileSystem(base, { key: KEY });
  expect(again.readdir('/')).toEqual(['letter']);
  again.unmount();
  expect(node.readdirSync(base.folder).sort()).toEqual(['0', 'names-0', 'names-1', 'volume']);
});

test('a folder that cannot be read has no lock left', async () => {
  const folder = join(root, 'unread');
  const fails = (): never => {
    throw new Error('unread');
  };
  const fs = { ...node, readdirSync: fails } as typeof node;
  await expect(encryptedFileSystem({ fs, folder }, { key: KEY })).rejects.toThrow('unread');
  expect(node.readdirSync(folder)).toEqual([]);
  (await encryptedFileSystem({ fs: node, folder }, { key: KEY })).unmount();
});

test('threads, which have modules of their own, are two owners of a lock', async () => {
  const path = join(root, 'threads');
  const locks = [];
  for (let thread = 0; thread < 2; thread++) {
    vi.resetModules();
    const { FileLock } = await import('../src/node/locks.ts');
    locks.push(new FileLock(path, node));
  }
  const [one, two] = locks;
  expect(one.lock(LOCK_RESERVED)).toBe(true);
  expect(two.lock(LOCK_RESERVED)).toBe(false);
  one.close();
  expect(two.lock(LOCK_RESERVED)).toBe(true);
  two.close();
  expect(node.existsSync(`${path}-locks`)).toBe(false);
});
