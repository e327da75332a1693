/** A VFS that keeps each write as a record, as those over IndexedDB do: no record grows, and SQLite's journal waits in memory until it is too large. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { IOCAP_BATCH_ATOMIC, IOERR_WRITE, OK } from '../src/codes.ts';
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
