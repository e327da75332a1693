/** Keys of databases: passphrases by Argon2id or scrypt, boxes over key rings. node:crypto and @noble/ciphers open the headers, too. */
import { argon2Sync, scryptSync } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { createBox, createKeyring } from 'lanewise/box.js';
import { expect, test } from 'vitest';
import type { DatabaseKey, EncryptOptions } from '../src/index.ts';
import { bytesOf, Connection, copyOf, KEY, memory, type Registered } from './support.ts';

const PASSPHRASE = 'five random words are enough';
const FAST = { m: 64, t: 2, p: 3 };

async function made(options: Partial<EncryptOptions>): Promise<Registered['mapNameToFile']> {
  const vfs = memory(options);
  const db = await Connection.open(vfs);
  await db.run("create table t(a); insert into t values ('here')");
  await db.close();
  return copyOf(vfs);
}

/** What a key gets of files: the rows, or the reason. */
async function tried(files: Registered['mapNameToFile'], key: DatabaseKey): Promise<unknown> {
  const vfs = memory({ key }, files);
  try {
    const db = await Connection.open(vfs);
    const rows = await db.run('select a from t');
    await db.close();
    return rows;
  } catch {
    return vfs.failure;
  }
}
const ROWS = [['here']];
const headerOf = (files: Registered['mapNameToFile']): Buffer => Buffer.from(files.get('/db')!.data, 0, 4096);

/** The key of a file, which the wrapping key unwraps. */
const unwrapped = (header: Buffer, wrapping: Uint8Array): Uint8Array =>
  xchacha20poly1305(wrapping, header.subarray(76, 100), header.subarray(0, 76)).decrypt(header.subarray(100, 148));

test('Argon2id, with its salt and costs in the file, as node:crypto computes it', async () => {
  const files = await made({ key: PASSPHRASE, costs: FAST });
  const header = headerOf(files);
  const packed = header.readUInt32LE(72);
  expect([header[17], packed % 2 ** 22, (packed >>> 22) % 32, packed >>> 27]).toEqual([2, 64, 2, 3]);
  const wrapping = argon2Sync('argon2id', {
    message: PASSPHRASE,
    nonce: header.subarray(40, 72),
    memory: 64,
    passes: 2,
    parallelism: 3,
    tagLength: 32,
  });
  expect(unwrapped(header, wrapping)).toHaveLength(32);
  expect(await tried(files, PASSPHRASE)).toEqual(ROWS);
  expect(await tried(files, `${PASSPHRASE} `)).toBe('wrong key, or the header of the database was changed');
  expect(await tried(files, KEY)).toBe('this database has a passphrase; "key" is a key of 32 bytes');
});

test('scrypt, as node:crypto computes it', async () => {
  const files = await made({ key: PASSPHRASE, costs: { logN: 5, r: 3, p: 2 } });
  const header = headerOf(files);
  expect([...header.subarray(72, 76), header[17]]).toEqual([5, 2, 3, 0, 1]);
  expect(unwrapped(header, scryptSync(PASSPHRASE, header.subarray(40, 72), 32, { N: 32, r: 3, p: 2 }))).toHaveLength(
    32,
  );
  expect(await tried(files, PASSPHRASE)).toEqual(ROWS);
});

test('Argon2id with 64 MiB and three passes unless costs are given', async () => {
  const header = headerOf(await made({ key: PASSPHRASE }));
  expect([header[17], header.readUInt32LE(72)]).toEqual([2, 65_536 + 3 * 2 ** 22 + 4 * 2 ** 27]);
});

test('a box over a key ring: another ring, a key that was rotated, one that was removed', async () => {
  const ring = createKeyring();
  const first = ring.primary;
  const box = createBox(ring);
  const files = await made({ key: box });
  expect(await tried(files, box)).toEqual(ROWS);
  expect(await tried(files, createBox(createKeyring()))).toBe(
    `wrong key, or the header of the database was changed: the keyring has no key with the id ${first}`,
  );
  expect(await tried(files, KEY)).toBe('this database has a box; "key" is a key of 32 bytes');
  expect(await tried(await made({ key: KEY }), box)).toBe('this database has a key of 32 bytes; "key" is a box');
  ring.rotate();
  expect(await tried(files, box)).toEqual(ROWS);
  const vfs = memory({ key: box }, copyOf({ mapNameToFile: files }));
  const db = await Connection.open(vfs);
  await vfs.rekey('/db', box as never);
  await db.close();
  const next = copyOf(vfs);
  ring.remove(first);
  expect(await tried(next, box)).toEqual(ROWS);
  expect(await tried(files, box)).toContain(`no key with the id ${first}`);
  // A key of 32 bytes in the box, without a ring.
  const single = createBox(KEY);
  expect(await tried(await made({ key: single }), single)).toEqual(ROWS);
});

test('from each kind of key to each other', async () => {
  const keys: readonly DatabaseKey[] = [KEY, PASSPHRASE, createBox(createKeyring())];
  for (const from of keys)
    for (const to of keys) {
      const vfs = memory({ key: from, ...(typeof from === 'string' ? { costs: FAST } : {}) });
      const db = await Connection.open(vfs);
      await db.run(
        "pragma locking_mode = exclusive; pragma journal_mode = wal; create table t(a); insert into t values ('here')",
      );
      // Its journal was begun under the old key, and goes on.
      await vfs.rekey('/db', to as never);
      await db.run('insert into t values (2)');
      const crashed = memory({ key: to }, copyOf(vfs));
      const again = await Connection.open(crashed);
      expect(await again.run('pragma locking_mode = exclusive; select a from t; pragma integrity_check')).toEqual([
        ['exclusive'],
        ['here'],
        [2],
        ['ok'],
      ]);
      await again.close();
      await db.close();
      if (from !== to) expect(await tried(copyOf(vfs), from)).toMatch(/^this database has a/);
    }
});

test("a header that was changed in any byte doesn't open", async () => {
  for (const key of [KEY, createBox(createKeyring())]) {
    const files = await made({ key });
    const vfs = memory({ key }, files);
    const whole = Uint8Array.from(bytesOf(vfs, '/db'));
    const used = typeof key === 'object' && 'seal' in key ? 78 + 32 + 72 + 5 : 148;
    for (let at = 0; at < used; at++) {
      const changed = Uint8Array.from(whole);
      // Both copies, in the same way.
      for (const copy of [0, 2048]) changed[copy + at] ^= 1;
      const found = await tried(new Map([['/db', { ...files.get('/db')!, data: changed.buffer }]]), key);
      expect(found).toMatch(/wrong key|header is damaged|a passphrase|a key of 32 bytes|a box|more work/);
    }
  }
});

test.each([
  [2, 2 ** 21 + 2 ** 22 + 2 ** 27, 'costs.m'],
  [2, 7 + 2 ** 22 + 2 ** 27, 'costs.m'],
  [2, 64 + 2 ** 27, 'costs.t'],
  [2, 64 + 17 * 2 ** 22 + 2 ** 27, 'costs.t'],
  [2, 2 ** 20 + 5 * 2 ** 22 + 2 ** 27, 'costs.t'],
  [2, 64 + 2 ** 22, 'costs.p'],
  [2, 64 + 2 ** 22 + 9 * 2 ** 27, 'costs.p'],
  [2, 32 + 2 ** 22 + 8 * 2 ** 27, 'costs.m'],
  [1, 21 + 2 ** 8 + 2 ** 16, 'costs.logN'],
  [1, 2 ** 8 + 2 ** 16, 'costs.logN'],
  [1, 5 + 5 * 2 ** 8 + 2 ** 16, 'costs.p'],
  [1, 5 + 2 ** 8 + 9 * 2 ** 16, 'costs.r'],
  [1, 5 + 2 ** 8, 'costs.r'],
])('a header that asks for too much work: derivation %i, %i', async (number, packed, name) => {
  const files = await made({ key: PASSPHRASE, costs: FAST });
  const data = files.get('/db')!.data.slice(0);
  for (const copy of [0, 2048]) {
    new Uint8Array(data)[copy + 17] = number;
    new DataView(data).setUint32(copy + 72, packed, true);
  }
  expect(await tried(new Map([['/db', { ...files.get('/db')!, data }]]), PASSPHRASE)).toMatch(
    new RegExp(`^the header asks for more work than is allowed: "${name}" expected`),
  );
});

test.each([
  [{ key: null }, '"key" expected Uint8Array, string or box, got type=null'],
  [{ key: {} }, '"key" expected Uint8Array, string or box, got type=Object'],
  [{ key: createKeyring() }, 'got a key ring: give createBox(ring)'],
  [{ key: createBox(KEY), mode: 'adiantum' }, 'in the mode adiantum, got a box'],
  [{ key: createBox(KEY), mode: 'sqlite3mc' }, 'in the mode sqlite3mc, got a box'],
  [{ key: createBox(KEY), costs: FAST }, '"costs" expected with a passphrase, got a box'],
  [{ key: KEY, costs: FAST }, '"costs" expected with a passphrase, got a key of 32 bytes'],
  [{ key: 'x', costs: { m: '8', t: 1, p: 1 } }, '"costs.m" expected number, got type=string'],
  [{ key: 'x', costs: { m: 7, t: 1, p: 1 } }, '"costs.m" expected an integer from 8 to 1048576, got 7'],
  [{ key: 'x', costs: { m: 8, t: 1, p: 2 } }, '"costs.m" expected 8·p or more, got 8 with p=2'],
  [{ key: 'x', costs: { m: 2 ** 20, t: 5, p: 1 } }, '"costs.t" expected at most 4 with m=1048576, got 5'],
  [{ key: 'x', costs: { t: 1, p: 1 } }, '"costs.m" expected number, got type=undefined'],
  [{ key: 'x', costs: { logN: 5, r: 8, p: 1, m: 8 } }, '"costs" expected plain object { logN, r, p }, got { m }'],
  [{ key: 'x', costs: null }, '"costs" expected plain object { m, t, p }, got type=null'],
])('options that are wrong: %#', (options, message) => {
  expect(() => memory(options as never)).toThrow(message);
});
