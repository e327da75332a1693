/** Every change of an authenticated database is an error, or it is the database as it was at an earlier commit. */
import { MemoryAsyncVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryAsyncVFS.js';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { encryptVFS } from '../src/index.ts';
import { bytesOf, Connection, copyOf, KEY, memory, module, type Registered } from './support.ts';

const PAGE = 4096;
const HEADER = 4096;

async function database(key = KEY): Promise<Registered> {
  const vfs = memory({ key });
  const db = await Connection.open(vfs);
  await db.run('create table t(a integer primary key, b blob)');
  await db.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 60)
    insert into t select i, randomblob(900) from n`);
  await db.close();
  return vfs;
}
const original = await database();
const pages = (bytesOf(original, '/db').length - HEADER) / PAGE;

/** The result of reading everything after a change to the files. */
async function reading(change: (vfs: Registered) => void): Promise<string> {
  const vfs = memory({}, copyOf(original));
  change(vfs);
  let db: Connection | undefined;
  try {
    db = await Connection.open(vfs);
    const [[check]] = await db.run('pragma integrity_check');
    const [[count]] = await db.run('select count(*) || sum(length(b)) from t');
    return `${String(check)} ${String(count)}`;
  } catch (error) {
    return `${(error as Error).message}: ${vfs.failure ?? ''}`;
  } finally {
    await db?.close();
  }
}

test('nothing changed', async () => {
  expect(pages).toBeGreaterThan(15);
  expect(await reading(() => undefined)).toBe('ok 6054000');
});

test('a changed byte of any page', async () => {
  for (let page = 0; page < pages; page++)
    for (const at of [0, 2000, PAGE - 40, PAGE - 17, PAGE - 1]) {
      const got = await reading((vfs) => (bytesOf(vfs, '/db')[HEADER + page * PAGE + at] ^= 0x10));
      expect(got).toMatch(new RegExp(`page ${page + 1} isn't authentic`));
    }
});

test('two pages exchanged, and a page of zeros', async () => {
  for (let page = 1; page < pages; page++) {
    const exchanged = await reading((vfs) => {
      const bytes = bytesOf(vfs, '/db').subarray(HEADER);
      const first = bytes.slice(0, PAGE);
      bytes.copyWithin(0, page * PAGE, (page + 1) * PAGE);
      bytes.set(first, page * PAGE);
    });
    expect(exchanged).toContain("page 1 isn't authentic");
    const zeros = await reading((vfs) => bytesOf(vfs, '/db').fill(0, HEADER + page * PAGE, HEADER + (page + 1) * PAGE));
    expect(zeros).toContain(`page ${page + 1} isn't authentic`);
  }
});

test('a page of another database under the same key', async () => {
  const other = await database();
  for (let page = 0; page < pages; page++) {
    const got = await reading((vfs) => {
      const from = HEADER + page * PAGE;
      bytesOf(vfs, '/db').set(bytesOf(other, '/db').subarray(from, from + PAGE), from);
    });
    expect(got).toContain(`page ${page + 1} isn't authentic`);
  }
});

test('an end that was cut off, at any page and within', async () => {
  for (let size = 0; size < HEADER + pages * PAGE; size += PAGE / 2) {
    const got = await reading((vfs) => (vfs.mapNameToFile.get('/db')!.size = size));
    // An empty file is a new database: it holds nothing to be told from one.
    if (size === 0) expect(got).toContain('no such table');
    else expect(got).toMatch(/cut off|malformed|isn't authentic|not a database|disk image/);
  }
});

test('a changed byte of both copies of the header', async () => {
  for (let at = 0; at < 148; at++) {
    // The number of the record is authenticated, too.
    const got = await reading((vfs) => {
      bytesOf(vfs, '/db')[at] ^= 1;
      bytesOf(vfs, '/db')[2048 + at] ^= 1;
    });
    expect(got, `byte ${at}`).toMatch(/header|wrong key|passphrase|no database/);
  }
  // One copy is enough.
  expect(await reading((vfs) => bytesOf(vfs, '/db').fill(0, 0, 2048))).toBe('ok 6054000');
  expect(await reading((vfs) => bytesOf(vfs, '/db').fill(0, 2048, 4096))).toBe('ok 6054000');
});

/** The files at the moment when the first page of a transaction is written: all records of its journal are flushed and counted. */
async function cutOff(): Promise<{ readonly files: Registered['mapNameToFile']; readonly blocks: number }> {
  const vfs = memory({}, copyOf(original));
  const db = await Connection.open(vfs);
  await db.run('pragma cache_spill = off; begin; update t set b = zeroblob(900)');
  let files: Registered['mapNameToFile'] | undefined;
  const write = vfs.jWrite.bind(vfs);
  vfs.jWrite = (file, bytes, at) => {
    if (vfs.mapIdToFile.get(file)?.pathname === '/db') files ??= copyOf(vfs);
    return write(file, bytes, at);
  };
  await db.run('commit');
  await db.close();
  const journal = files!.get('/db-journal')!;
  return { files: files!, blocks: Math.ceil((journal.size - 64) / 4144) };
}

test('a journal that was cut off is played back; one with a changed, moved or zeroed record is an error', async () => {
  const { files, blocks } = await cutOff();
  const outcome = async (change: (journal: Uint8Array) => void): Promise<string> => {
    const vfs = memory({}, new Map([...files].map(([name, file]) => [name, { ...file, data: file.data.slice(0) }])));
    change(bytesOf(vfs, '/db-journal'));
    let db: Connection | undefined;
    try {
      db = await Connection.open(vfs);
      const [[row]] = await db.run('select count(*) || sum(length(b)) || max(b = zeroblob(900)) from t');
      const [[check]] = await db.run('pragma integrity_check');
      return `${String(check)} ${String(row)}`;
    } catch (error) {
      return `${(error as Error).message}: ${vfs.failure ?? ''}`;
    } finally {
      await db?.close();
    }
  };
  expect(await outcome(() => undefined)).toBe('ok 60540000');
  expect(blocks).toBeGreaterThan(10);
  expect(await outcome(() => undefined)).toBe('ok 60540000');
  for (let block = 1; block < blocks; block++) {
    expect(await outcome((journal) => (journal[64 + block * 4144 + 50] ^= 1))).toContain(
      `block ${block} of the journal isn't authentic`,
    );
    expect(await outcome((journal) => journal.fill(0, 64 + block * 4144, 64 + (block + 1) * 4144))).toContain(
      "isn't authentic",
    );
  }
});

test('a journal of several segments, whose headers are among its blocks: only the first and the last may be missing', async () => {
  const vfs = memory({}, copyOf(original));
  const db = await Connection.open(vfs);
  await db.run('pragma cache_size = 2; begin; update t set b = zeroblob(899); update t set b = zeroblob(900)');
  const files = copyOf(vfs);
  await db.close();
  const { size } = files.get('/db-journal')!;
  const blocks = Math.ceil((size - 64) / 4144);
  const outcome = async (change: (journal: Uint8Array) => void): Promise<string> => {
    const next = memory({}, copyOf({ mapNameToFile: files }));
    change(bytesOf(next, '/db-journal'));
    try {
      const again = await Connection.open(next);
      const [[sum]] = await again.run('select sum(b <> zeroblob(900)) from t');
      await again.close();
      return `played back: ${String(sum)}`;
    } catch {
      return next.failure ?? 'no reason';
    }
  };
  expect(await outcome(() => undefined)).toBe('played back: 60');
  const unnoticed: number[] = [];
  for (let block = 0; block < blocks; block++)
    for (const [from, to] of [
      [0, 4144],
      [40, 48],
    ]) {
      const got = await outcome((journal) => journal.fill(0x55, 64 + block * 4144 + from, 64 + block * 4144 + to));
      if (got !== `block ${block} of the journal isn't authentic: it was changed, moved, or is of another database`)
        unnoticed.push(block);
    }
  expect(blocks).toBeGreaterThan(15);
  // Without the first it is a journal that came to its end; the segment of the last was begun after the last flush.
  expect(new Set(unnoticed)).toEqual(new Set([0, blocks - 1]));
});

test('calls from plain JavaScript', () => {
  const call =
    (...args: unknown[]) =>
    () =>
      (encryptVFS as (...args: unknown[]) => unknown)(...args);
  expect(call(MemoryVFS, { key: KEY.subarray(1) })).toThrow('"key" expected Uint8Array of length 32, got length=31');
  expect(call(MemoryVFS, { key: '' })).toThrow('"key" expected a passphrase of length >= 1, got length=0');
  expect(call(MemoryVFS, { key: 5 })).toThrow('"key" expected Uint8Array, string or box, got type=number');
  expect(call(MemoryVFS, { key: KEY, pagesize: 5 })).toThrow(
    '"options" expected plain object { key, mode, pageSize, costs }, got { pagesize }',
  );
  expect(call(MemoryVFS, { key: KEY, pageSize: 1000 })).toThrow(
    '"pageSize" expected power of two from 512 to 65536, got 1000',
  );
  expect(call(MemoryVFS, { key: KEY, pageSize: 512 })).toThrow(
    '"pageSize" expected 1024 or more in the mode authenticated, got 512',
  );
  expect(call(MemoryVFS, { key: KEY, mode: 'xts' })).toThrow(
    '"mode" expected authenticated, adiantum or sqlite3mc, got xts',
  );
  expect(call(MemoryVFS, { key: 'x', mode: 'adiantum' })).toThrow('got a passphrase');
  expect(call(MemoryVFS, { key: 'x', costs: { logN: 30, r: 8, p: 1 } })).toThrow(
    '"costs.logN" expected an integer from 1 to 20, got 30',
  );
  expect(call(MemoryVFS)).toThrow('"options" expected plain object { key, mode, pageSize, costs }, got type=undefined');
  expect(call({}, { key: KEY })).toThrow('"Base" expected subclass of FacadeVFS');
  expect(call(MemoryVFS, { key: KEY }, 1)).toThrow('"arguments" expected at most 2, got another of type=number');
});

test('a base with calls that go around encryption', async () => {
  const around = (name: string): TypeError => new TypeError(`"Base" expected no own ${name}: it avoids encryption`);
  class Around extends MemoryVFS {
    override xWrite(): number {
      return 0;
    }
    override hasAsyncMethod(): boolean {
      return false;
    }
  }
  for (const [Base, name] of [
    [MemoryAsyncVFS, 'xTruncate'],
    [Around, 'xWrite'],
    [class extends Around {}, 'xWrite'],
  ] as const)
    expect(() => encryptVFS(Base, { key: KEY })).toThrow(around(name));
  expect(() =>
    encryptVFS(
      class {
        readonly name = '';
        jOpen() {}
      },
      { key: KEY },
    ),
  ).toThrow('subclass of FacadeVFS');
  for (const name of ['jWrite', 'xRead', 'destroy']) {
    class Field extends MemoryVFS {
      constructor(...args: [string, object]) {
        super(...args);
        Object.assign(this, { [name]: () => 0 });
      }
    }
    const Encrypted = encryptVFS(Field, { key: KEY });
    await expect(Encrypted.create('fields', module)).rejects.toThrow(around(name));
    expect(() => new Encrypted('fields', module), name).toThrow(around(name));
  }
});
