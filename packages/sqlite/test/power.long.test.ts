/**
 * Power cuts: of the writes that weren't flushed, any may be lost, torn or done before others. Kills: all that the VFS was given stays, though
 * nothing was flushed. Committed transactions are there.
 */
import { MemoryVFS as Memory } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { Connection, KEY, register, type Registered } from './support.ts';

type Change = { readonly at: number; readonly bytes: Uint8Array } | { readonly size: number };
interface Medium {
  durable: Uint8Array<ArrayBuffer>;
  waiting: Change[];
}

/** Random numbers of a seed (mulberry32, public domain). */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

function apply(bytes: Uint8Array<ArrayBuffer>, change: Change): Uint8Array<ArrayBuffer> {
  if ('size' in change) {
    const result = new Uint8Array(change.size);
    result.set(bytes.subarray(0, change.size));
    return result;
  }
  const result = new Uint8Array(Math.max(bytes.length, change.at + change.bytes.length));
  result.set(bytes);
  result.set(change.bytes, change.at);
  return result;
}

// The types of wa-sqlite lack these calls.
const MemoryVFS = Memory as unknown as new (...args: unknown[]) => BaseVFS & {
  readonly mapIdToFile: Map<number, { readonly pathname: string }>;
  jDelete(name: string, sync: number): number;
};

/** A medium that loses power after so many calls. */
class PowerVFS extends MemoryVFS {
  readonly media = new Map<string, Medium>();
  calls = Infinity;

  #step(): boolean {
    return --this.calls <= 0;
  }

  #medium(file: number): Medium {
    const { pathname } = this.mapIdToFile.get(file)!;
    let found = this.media.get(pathname);
    if (!found) this.media.set(pathname, (found = { durable: new Uint8Array(0), waiting: [] }));
    return found;
  }

  override jWrite(file: number, bytes: Uint8Array, at: number): number {
    if (this.#step()) return 778;
    this.#medium(file).waiting.push({ at, bytes: Uint8Array.from(bytes.subarray()) });
    return super.jWrite(file, bytes, at) as number;
  }

  override jTruncate(file: number, size: number): number {
    if (this.#step()) return 1546;
    this.#medium(file).waiting.push({ size });
    return super.jTruncate(file, size) as number;
  }

  override jSync(file: number): number {
    if (this.#step()) return 1034;
    const medium = this.#medium(file);
    for (const change of medium.waiting.splice(0)) medium.durable = apply(medium.durable, change);
    return 0;
  }

  override jDelete(name: string, sync: number): number {
    if (this.#step()) return 2570;
    this.media.delete(name);
    return super.jDelete(name, sync);
  }

  /** The files after the process was killed. */
  kill(): Registered['mapNameToFile'] {
    return new Map(
      [...this.media].map(([pathname, { durable, waiting }]) => {
        const bytes = waiting.reduce(apply, durable);
        return [pathname, { pathname, flags: 0, size: bytes.length, data: bytes.slice().buffer }];
      }),
    );
  }

  /** The files after the cut. */
  cut(random: (below: number) => number): Registered['mapNameToFile'] {
    return new Map(
      [...this.media].map(([pathname, { durable, waiting }]) => {
        let bytes = durable;
        const order = waiting.map((change) => ({ change, key: random(1000) })).filter(() => random(2) === 1);
        if (random(2) === 1) order.sort((a, b) => a.key - b.key);
        for (const { change } of order) {
          const isTorn = 'bytes' in change && random(3) === 0;
          bytes = apply(
            bytes,
            isTorn ? { at: change.at, bytes: change.bytes.subarray(0, random(change.bytes.length)) } : change,
          );
        }
        return [pathname, { pathname, flags: 0, size: bytes.length, data: bytes.slice().buffer }];
      }),
    );
  }
}

/** How a process comes to its end, and which of its commits are there afterwards. */
const ends = {
  'power cuts': { synchronous: 'full', files: (vfs: PowerVFS, random: (below: number) => number) => vfs.cut(random) },
  kills: { synchronous: 'off', files: (vfs: PowerVFS) => vfs.kill() },
} as const;

test.each([
  ['authenticated', 'delete', 60, 'power cuts'],
  ['authenticated', 'truncate', 60, 'power cuts'],
  ['authenticated', 'persist', 60, 'power cuts'],
  ['authenticated', 'wal', 60, 'power cuts'],
  ['adiantum', 'delete', 60, 'power cuts'],
  ['adiantum', 'wal', 60, 'power cuts'],
  ['sqlite3mc', 'delete', 40, 'power cuts'],
  ['sqlite3mc', 'wal', 10, 'power cuts'],
  ['authenticated', 'delete', 40, 'kills'],
  ['authenticated', 'persist', 40, 'kills'],
  ['authenticated', 'wal', 8, 'kills'],
  ['adiantum', 'delete', 40, 'kills'],
  ['adiantum', 'persist', 40, 'kills'],
  ['adiantum', 'wal', 8, 'kills'],
  ['sqlite3mc', 'delete', 20, 'kills'],
  ['sqlite3mc', 'persist', 20, 'kills'],
  ['sqlite3mc', 'wal', 8, 'kills'],
] as const)('%s, journal_mode = %s: %i %s', async (mode, journal, times, end) => {
  let cuts = 0;
  for (let seed = 1; seed <= times; seed++) {
    const random = numbers(seed * 7919 + mode.length);
    const vfs = register(encryptVFS(PowerVFS, { key: KEY, mode })) as unknown as PowerVFS & Registered;
    let committed = 0;
    const begin = (db: Connection) =>
      db.run(
        `pragma locking_mode = ${journal === 'wal' ? 'exclusive' : 'normal'}; pragma journal_mode = ${journal}; pragma cache_size = 3; pragma synchronous = ${ends[end].synchronous}`,
      );
    let db: Connection | undefined;
    try {
      db = await Connection.open(vfs);
      await begin(db);
      await db.run(
        'create table if not exists t(a integer primary key, b blob); create table n(a integer primary key)',
      );
      vfs.calls = 1 + random(700);
      for (;;) {
        await db.run(`begin; insert into t values (null, randomblob(${random(9000)})); update t set b = randomblob(400) where a % 5 = ${random(5)};
          delete from t where a < (select max(a) from t) - 12; insert into n values (${committed + 1}); commit`);
        committed++;
      }
    } catch {
      cuts++;
    }
    const files = ends[end].files(vfs, random);
    await db?.close().catch(() => undefined);

    const next = register(encryptVFS(MemoryVFS, { key: KEY, mode }));
    for (const [name, file] of files) next.mapNameToFile.set(name, file);
    const label = `seed ${seed}, after ${committed}`;
    try {
      const after = await Connection.open(next);
      await begin(after);
      expect(await after.run('pragma integrity_check'), label).toEqual([['ok']]);
      const [[most]] = await after.run('select ifnull(max(a), 0) from n');
      // The last commit may have reached the medium, though its caller did not hear of it.
      expect([committed, committed + 1], label).toContain(Number(most));
      await after.run('insert into t values (null, 1)');
      await after.close();
    } catch (error) {
      throw new Error(`${label}: ${(error as Error).message}; ${next.failure ?? ''}`, { cause: error });
    }
  }
  expect(cuts).toBe(times);
});

const NEXT = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
test.each([
  ['delete', 'power cuts'],
  ['wal', 'power cuts'],
  ['delete', 'kills'],
  ['wal', 'kills'],
] as const)('rekey, journal_mode = %s: %s after each of its calls', async (journal, end) => {
  const begin = `pragma locking_mode = exclusive; pragma journal_mode = ${journal}; pragma synchronous = full; pragma wal_autocheckpoint = 0`;
  let isDone = false;
  for (let calls = 1; !isDone; calls++) {
    const vfs = register(encryptVFS(PowerVFS, { key: KEY })) as unknown as PowerVFS & Registered;
    const db = await Connection.open(vfs);
    await db.run(`${begin}; create table t(a); insert into t values ('first'); insert into t values ('second')`);
    vfs.calls = calls;
    try {
      await vfs.rekey('/db', NEXT);
      isDone = true;
      // A later commit is there, too.
      vfs.calls = Infinity;
      await db.run("insert into t values ('third')");
    } catch (error) {
      expect((error as Error).message).toMatch(/^cannot (write|flush)/);
    }
    const rows = [['first'], ['second'], ...(isDone ? [['third']] : []), ['ok']];
    for (let seed = 1; seed <= (end === 'kills' ? 1 : 30); seed++) {
      const files = ends[end].files(vfs, numbers(seed * 7919 + calls));
      const opened = async (key: Uint8Array): Promise<unknown> => {
        const next = register(encryptVFS(MemoryVFS, { key }));
        for (const [name, file] of files) next.mapNameToFile.set(name, { ...file, data: file.data.slice(0) });
        let after: Connection | undefined;
        try {
          after = await Connection.open(next);
          await after.run(begin);
          return await after.run('select a from t; pragma integrity_check');
        } catch {
          return next.failure;
        } finally {
          await after?.close();
        }
      };
      const label = `${calls} calls, seed ${seed}`;
      const [withOld, withNew] = [await opened(KEY), await opened(NEXT)];
      if (isDone) expect(withOld, label).toMatch(/^wrong key/);
      expect([withOld, withNew], label).toContainEqual(rows);
    }
    await db.close().catch(() => undefined);
    if (calls === 1) expect(isDone).toBe(false);
  }
});
