/** `openDatabase` of browsers, called wrongly, and where there is no OPFS: in Node. Its use is tested in browsers, by opfs.long.test.ts. */
import { expect, test } from 'vitest';
import { openDatabase } from '../src/browser.ts';

const open = openDatabase as (...args: unknown[]) => Promise<unknown>;
const key = new Uint8Array(32);

test('no OPFS', async () => {
  await expect(open({ file: 'notes.db', key })).rejects.toThrow(
    'openDatabase() needs OPFS: navigator.storage.getDirectory is missing',
  );
});

test.each([
  [{ file: 5, key }, TypeError, '"file" expected a path in OPFS, such as notes.db or folder/notes.db, got type=number'],
  [{ file: '', key }, TypeError, 'got length=0'],
  [{ file: 'a/../notes.db', key }, TypeError, 'got a/../notes.db'],
  [{ file: 'a//notes.db', key }, TypeError, 'got a//notes.db'],
  [{ file: 'a/', key }, TypeError, 'got a/'],
  [
    { file: 'notes.db', key, wasm: 5 },
    TypeError,
    '"wasm" expected an address, Uint8Array or ArrayBuffer, got type=number',
  ],
  [{ file: 'notes.db', key, wasm: null }, TypeError, 'got type=null'],
  [{ file: 'notes.db', key: key.subarray(1) }, RangeError, '"key" expected Uint8Array of length 32, got length=31'],
  [{ file: 'notes.db' }, TypeError, '"key" expected Uint8Array, string or box, got type=undefined'],
  [
    { file: 'notes.db', key, pagesize: 1 },
    TypeError,
    '"options" expected plain object { file, key, wasm, mode, pageSize, costs }, got { pagesize }',
  ],
  [
    undefined,
    TypeError,
    '"options" expected plain object { file, key, wasm, mode, pageSize, costs }, got type=undefined',
  ],
])('options %o', async (options, Class, message) => {
  const error: unknown = await open(options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Class);
  expect((error as Error).message).toContain(message);
});

test('an argument too many', async () => {
  await expect(open({ file: 'notes.db', key }, 1)).rejects.toThrow(
    '"arguments" expected at most 1, got another of type=number',
  );
});
