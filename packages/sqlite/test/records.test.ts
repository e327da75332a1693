/** A VFS that keeps each write as a record, as those over IndexedDB do: no record grows, and SQLite's journal waits in memory until it is too large. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import {
  FCNTL_ROLLBACK_ATOMIC_WRITE,
  IOCAP_BATCH_ATOMIC,
  IOERR_WRITE,
  OK,
  OPEN_CREATE,
  OPEN_MAIN_DB,
  OPEN_READWRITE,
} from '../src/codes.ts';
import { emptyDatabase } from '../src/files/database-header.ts';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { Connection, KEY, register } from './support.ts';

/** Of SQLite's file controls: the begin and the end of an atomic write, and its rollback (sqlite.org/c3ref/c_fcntl_begin_atomic_write.html). */
const ATOMIC = [31, 32, 33];
const Base = MemoryVFS as unknown as new (
  name: string,
  module: object,
) => BaseVFS & {
  readonly mapIdToFile: Map<number, { readonly pathname: string }>;
  jDelete(name: string, sync: number): number;
};
let journals = 0;
let readable = 0;

class Records extends Base {
  readonly #records = new Map<string, Map<number, number>>();

  override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
    const { pathname } = this.mapIdToFile.get(file)!;
    if (Buffer.from(bytes.subarray()).includes('secret row')) readable++;
    if (pathname.endsWith('-journal')) {
      journals++;
      const records = this.#records.get(pathname) ?? new Map<number, number>();
      this.#records.set(pathname, records);
      const before = records.get(at) ?? bytes.length;
      records.set(at, before);
      if (before < bytes.length) return IOERR_WRITE;
    }
    return super.jWrite(file, bytes, at);
  }

  override jDelete(name: string, sync: number): number {
    this.#records.delete(name);
    return super.jDelete(name, sync);
  }

  override jFileControl(file: number, operation: number, argument: DataView): number | Promise<number> {
    return ATOMIC.includes(operation) ? OK : super.jFileControl(file, operation, argument);
  }

  override jDeviceCharacteristics(): number {
    return IOCAP_BATCH_ATOMIC;
  }
}

test.each(['authenticated', 'adiantum', 'sqlite3mc'] as const)('%s', async (mode) => {
  journals = readable = 0;
  const db = await Connection.open(register(encryptVFS(Records, { key: KEY, mode })));
  await db.run(`create table t(a, b); with recursive n(i) as (select 1 union all select i + 1 from n where i < 900)
    insert into t select i, 'a secret row ' || i from n; pragma cache_size = 2; update t set a = a + 1;
    begin; update t set b = hex(zeroblob(300)); rollback; vacuum`);
  expect(await db.run('select count(*), sum(a) from t; pragma integrity_check')).toEqual([[900, 406_350], ['ok']]);
  await db.close();
  expect(journals).toBeGreaterThan(0);
  expect(readable).toBe(0);
});

const BEGIN_ATOMIC_WRITE = 31;
interface Stored {
  size: number;
  data: ArrayBuffer;
}
const Batches = MemoryVFS as unknown as new (
  name: string,
  module: object,
) => BaseVFS & { readonly mapIdToFile: Map<number, Stored> };
/** After so many writes of a batch comes one that fails. */
let left = Infinity;
let rollbacks = 0;

/** A VFS with transactions: what a batch wrote is taken back. */
class Atomic extends Batches {
  #before: Stored | undefined;

  override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
    if (this.#before && left-- <= 0) return IOERR_WRITE;
    return super.jWrite(file, bytes, at);
  }

  override jFileControl(file: number, operation: number, argument: DataView): number | Promise<number> {
    if (!ATOMIC.includes(operation)) return super.jFileControl(file, operation, argument);
    const stored = this.mapIdToFile.get(file)!;
    if (operation === FCNTL_ROLLBACK_ATOMIC_WRITE) {
      rollbacks++;
      Object.assign(stored, this.#before);
    }
    this.#before = operation === BEGIN_ATOMIC_WRITE ? { size: stored.size, data: stored.data.slice() } : undefined;
    return OK;
  }

  override jDeviceCharacteristics(): number {
    return IOCAP_BATCH_ATOMIC;
  }
}

test.each(['authenticated', 'adiantum', 'sqlite3mc'] as const)(
  '%s: a batch that fails is written again',
  async (mode) => {
    rollbacks = 0;
    for (const writes of [0, 1, 3, 7]) {
      left = Infinity;
      const db = await Connection.open(register(encryptVFS(Atomic, { key: KEY, mode })));
      await db.run('create table t(a, b); insert into t values (0, 0)');
      left = writes;
      await db.run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 900)
      insert into t select i, 'a secret row ' || i from n`);
      left = Infinity;
      expect(await db.run('select count(*), sum(a) from t; pragma integrity_check')).toEqual([[901, 405_450], ['ok']]);
      await db.close();
    }
    // In sqlite3mc SQLite has no batches.
    expect(rollbacks).toBe(mode === 'sqlite3mc' ? 0 : 4);
  },
);

const PAGE = 4096;

test('pages that a batch took back are left out by the next one: they are authentic all the same', () => {
  left = Infinity;
  const vfs = register(encryptVFS(Atomic, { key: KEY })) as unknown as BaseVFS & { readonly failure?: string };
  const none = new DataView(new ArrayBuffer(8));
  expect(vfs.jOpen('/batch.db', 1, OPEN_CREATE | OPEN_READWRITE | OPEN_MAIN_DB, none)).toBe(OK);
  const first = new Uint8Array(PAGE);
  first.set(emptyDatabase(PAGE, 40));
  const write = (page: number) => vfs.jWrite(1, page === 0 ? first : new Uint8Array(PAGE).fill(page), page * PAGE);
  expect([write(0), write(1)]).toEqual([OK, OK]);
  expect(vfs.jFileControl(1, BEGIN_ATOMIC_WRITE, none)).toBe(OK);
  expect([2, 3, 4, 5, 6].map(write)).toEqual([OK, OK, OK, OK, OK]);
  expect(vfs.jFileControl(1, FCNTL_ROLLBACK_ATOMIC_WRITE, none)).toBe(OK);
  expect(write(5)).toBe(OK);
  const read = new Uint8Array(PAGE);
  for (let page = 1; page <= 5; page++)
    expect([page, vfs.jRead(1, read, page * PAGE), vfs.failure, read[0]]).toEqual([
      page,
      OK,
      undefined,
      [1, 5].includes(page) ? page : 0,
    ]);
  expect(vfs.jClose(1)).toBe(OK);
});
