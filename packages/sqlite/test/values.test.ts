/** Parameters and values: nothing that SQLite's build would turn into NULL, cut off or leave out without a word. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkDatabase, copyDatabase, openDatabase, type Database, type Parameter, type Value } from '../src/node.ts';
import { KEY } from './support.ts';

/** Copies that the package has made of the caller's bytes. */
const copied = vi.hoisted(() => [] as Uint8Array[]);
vi.mock('../src/bytes.ts', async (original) => {
  const { keepingCopies } = await import('./copies.ts');
  return keepingCopies(await original(), copied);
});

const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-values-'));
let db: Database;
beforeAll(async () => {
  db = await openDatabase({ file: join(folder, 'values.db'), key: KEY });
  await db.all('create table t(any, words text)');
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** The value as SQLite has it, and as a column of texts has it. */
async function stored(value: unknown): Promise<Value[]> {
  await db.all('delete from t');
  await db.all('insert into t values (?1, ?1)', [value as Parameter]);
  return (await db.values('select any, typeof(any), words from t'))[0];
}

test.each([
  [null, null, 'null', null],
  [5, 5, 'integer', '5'],
  [-0, 0, 'integer', '0'],
  [1.5, 1.5, 'real', '1.5'],
  [2 ** 40, 2 ** 40, 'integer', '1099511627776'],
  [-(2 ** 53) + 1, -(2 ** 53) + 1, 'integer', '-9007199254740991'],
  [2n ** 63n - 1n, 2n ** 63n - 1n, 'integer', '9223372036854775807'],
  [-(2n ** 63n), -(2n ** 63n), 'integer', '-9223372036854775808'],
  [Infinity, Infinity, 'real', 'Inf'],
  [true, 1, 'integer', '1'],
  [false, 0, 'integer', '0'],
  ['', '', 'text', ''],
  ['ä€😀\ufeff', 'ä€😀\ufeff', 'text', 'ä€😀\ufeff'],
  [Uint8Array.of(1, 0, 255), Uint8Array.of(1, 0, 255), 'blob', Uint8Array.of(1, 0, 255)],
  [Buffer.from('ab'), Uint8Array.of(97, 98), 'blob', Uint8Array.of(97, 98)],
  [new Uint8Array(0), new Uint8Array(0), 'blob', new Uint8Array(0)],
])('%s is stored', async (value, ...expected) => expect(await stored(value)).toEqual(expected));

const NOT_STORED = 'expected number, bigint, string, boolean, Uint8Array or null, got type=';
test.each([
  [undefined, `"parameters[0]" ${NOT_STORED}undefined`],
  [{}, `${NOT_STORED}Object`],
  [Object.create(null), `${NOT_STORED}object`],
  [new Date(0), `${NOT_STORED}Date`],
  [[1], `${NOT_STORED}Array`],
  [new ArrayBuffer(2), `${NOT_STORED}ArrayBuffer`],
  [new Uint16Array(2), `${NOT_STORED}Uint16Array`],
  [Symbol('secret'), `${NOT_STORED}symbol`],
  [() => 1, `${NOT_STORED}function`],
  [NaN, 'expected a number that SQLite has, got NaN'],
  [2n ** 63n, 'expected an integer of 64 bits with a sign, got a greater one'],
  [-(2n ** 63n) - 1n, 'expected an integer of 64 bits with a sign, got a greater one'],
  ['secret\0part', 'expected a text without NUL, got one at 6'],
])('%s is refused before anything is written', async (value, message) => {
  const warned = vi.spyOn(console, 'warn');
  await db.all('delete from t');
  const error = await db.all('insert into t values (?1, ?1)', [value as Parameter]).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(
    typeof value === 'number' || /bigint|string/.test(typeof value) ? RangeError : TypeError,
  );
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).not.toContain('secret');
  expect(await db.all('select * from t')).toEqual([]);
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

describe('statements', () => {
  test.each([
    ['select ?, ?', [1], 2],
    ['select ?', [1, 2], 1],
    ['select ?', [], 1],
    ['select 1', [1], 0],
    ['select ?2', [1], 2],
    ['select :name', [], 1],
    ['insert into t(any) values (?); insert into t values (?, ?)', [1, 2], 1],
  ])('%s takes all of %j, or says how many', async (sql, parameters, wanted) => {
    await db.all('delete from t');
    await expect(db.all(sql, parameters)).rejects.toThrow(
      new RangeError(`"parameters" expected ${wanted} values, as the statement takes, got ${parameters.length}`),
    );
    expect(await db.all('select * from t')).toEqual([]);
  });

  test('holes are refused', () =>
    // eslint-disable-next-line no-sparse-arrays -- a hole
    expect(db.all('select ?, ?', [1, ,] as Parameter[])).rejects.toThrow('"parameters[1]" expected'));

  test('each takes all parameters', async () => {
    expect(await db.values('select ? + 1; select ?, :a; select ?1', [5, 6].slice(0, 1)).catch(String)).toContain(
      'expected 2 values',
    );
    expect(await db.values('select ? + 1; select ?1, ?1', [5])).toEqual([[6], [5, 5]]);
  });

  test('NUL in a statement is refused, which would end it', () =>
    expect(db.all('select 1\0; delete from t')).rejects.toThrow(
      new RangeError('"sql" expected a text without NUL, got one at 8'),
    ));

  test('a text with NUL that others wrote is read whole, in both encodings', async () => {
    expect(await db.values("select 'a' || char(0) || 'ä', 'ö', cast(x'ff' as text)")).toEqual([
      ['a\0ä', 'ö', '\ufffd'],
    ]);
    const wide = await openDatabase({ file: join(folder, 'wide.db'), key: KEY });
    await wide.all(
      "pragma encoding = 'UTF-16le'; create table t(a); insert into t values ('a' || char(0) || 'ä€'), ('😀')",
    );
    expect(await wide.values('select a from t')).toEqual([['a\0ä€'], ['😀']]);
    await wide.close();
  });

  test('parameters are copied when the call is made', async () => {
    const bytes = Uint8Array.of(1, 2);
    const parameters: Parameter[] = [bytes];
    const first = db.all('select 1');
    const reading = db.values('select ?', parameters);
    bytes.fill(9);
    parameters[0] = 'other';
    await first;
    expect(await reading).toEqual([[Uint8Array.of(1, 2)]]);
  });

  test.each(['all', 'values'] as const)('%s refuses more arguments', (name) =>
    expect((db[name] as (...values: unknown[]) => Promise<unknown>)('select 1', [], 5)).rejects.toThrow(
      new TypeError('"arguments" expected at most 2, got another of type=number'),
    ),
  );
  test.each(['rekey', 'close'] as const)('%s refuses more arguments', (name) =>
    expect((db[name] as (...values: unknown[]) => Promise<unknown>)(KEY, 5)).rejects.toThrow(
      '"arguments" expected at most',
    ),
  );
});

test('names of files are taken as they are: no other file is opened', async () => {
  const other = await openDatabase({ file: join(folder, 'a'), key: KEY });
  await other.all('create table t(a); insert into t values (1)');
  await other.close();
  for (const name of ['a?b.db', 'a?c.db', 'b-journal', 'file:z', '%41', '#']) {
    const its = await openDatabase({ file: join(folder, name), key: KEY });
    await its.all('create table u(a); insert into u values (2)');
    // A journal that is there.
    await its.all(
      'pragma cache_size = 1; begin; insert into u select randomblob(5000) from u; insert into u select a from u',
    );
    await its.all('rollback');
    expect(await its.all('select a from u; pragma integrity_check')).toEqual([{ a: 2 }, { integrity_check: 'ok' }]);
    await its.rekey('another');
    await its.close();
    expect(readdirSync(folder)).toContain(name);
  }
  const same = await openDatabase({ file: join(folder, 'a'), key: KEY });
  expect(await same.all('select a from t; pragma integrity_check')).toEqual([{ a: 1 }, { integrity_check: 'ok' }]);
  await same.close();
  await expect(openDatabase({ file: join(folder, 'x\0y'), key: KEY })).rejects.toThrow(
    '"file" expected a text without NUL',
  );
});

test('databases that are opened at the same time are each its own', async () => {
  const names = ['one', 'two', 'three', 'four'];
  const open = await Promise.all(names.map((name) => openDatabase({ file: join(folder, `${name}.db`), key: KEY })));
  await Promise.all(open.map((each, i) => each.all(`create table ${names[i]}(a)`)));
  const tables = await Promise.all(open.map((each) => each.values('select name from sqlite_schema')));
  expect(tables).toEqual(names.map((name) => [[name]]));
  await Promise.all(open.map((each) => each.close()));
  // One that can't be opened keeps no other waiting.
  const [wrong, right] = await Promise.allSettled([
    openDatabase({ file: join(folder, 'one.db'), key: 'another' }),
    openDatabase({ file: join(folder, 'one.db'), key: KEY }),
  ]);
  expect([wrong.status, right.status]).toEqual(['rejected', 'fulfilled']);
  if (right.status === 'fulfilled') await right.value.close();
});

test.each([KEY, 'five random words'])(
  'a database that is closed, checked or copied leaves no copy of its key',
  async (key) => {
    const secret = typeof key === 'string' ? new TextEncoder().encode(key) : key;
    const made: Uint8Array[] = [];
    copied.length = 0;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its object
    const { encode } = TextEncoder.prototype;
    const spies = [
      vi.spyOn(TextEncoder.prototype, 'encode').mockImplementation(function (this: TextEncoder, text?: string) {
        const bytes = encode.call(this, text);
        if (Buffer.compare(bytes, secret) === 0) made.push(bytes);
        return bytes;
      }),
    ];
    try {
      const costs = typeof key === 'string' ? { costs: { logN: 1, r: 8, p: 1 } } : {};
      const its = await openDatabase({ file: join(folder, `key-${typeof key}.db`), key, ...costs });
      await its.all('create table t(a)');
      await its.rekey(key);
      await its.close();
      const from = { file: join(folder, `key-${typeof key}.db`), key };
      await checkDatabase(from);
      await copyDatabase({ from, to: { file: join(folder, `copy-${typeof key}.db`), key, ...costs } });
      await expect(copyDatabase({ from, to: { file: '' } })).rejects.toThrow('"to.file" expected a path');
      await expect(checkDatabase({ file: join(folder, 'none.db'), key })).rejects.toThrow('there is no file');
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    made.push(...copied);
    expect(made.length).toBeGreaterThan(10);
    for (const bytes of made) expect(bytes).toEqual(new Uint8Array(secret.length));
  },
);
