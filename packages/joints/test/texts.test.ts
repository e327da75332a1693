/**
 * Half of a surrogate pair that stands alone has no UTF-8. TextEncoder writes U+FFFD for each, so that a text is changed without a word,
 * and two passwords, places or contexts are one. So each public call that encodes a text refuses such a one, before any work.
 */
import * as node from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { Decrypter, Encrypter } from '@lanewise/age';
import { cluster } from '@lanewise/cluster';
import { encryptVFS } from '@lanewise/sqlite';
import { encryptedFileSystem } from '@lanewise/sqlite/files.js';
import { openDatabase } from '@lanewise/sqlite/node.js';
import { hashPassword, verifyPassword } from 'lanewise/argon2.js';
import { blake3 } from 'lanewise/blake3.js';
import { createBox, createKeyring, openKeyring, sealKeyring } from 'lanewise/box.js';
import { chunked } from 'lanewise/stream.js';
import { afterAll, expect, test } from 'vitest';
import { calls } from '../../lanewise/test/support/calls.ts';
import { giving } from '../../lanewise/test/support/call.ts';
import { isPlain } from './row.ts';

const LONE = ['\ud800', 'a\udc00b', 'at the end \ud83d', '\udd11\ud83d', '\ud83d\udd11\ud83d'];
const WHOLE = '\u{1f511} \ufffd \ud83d\udd11';

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const box = createBox(key, { chunked });
const sealed = box.seal('x');
const blob = new Blob([]);
/** Nothing listens there: calls with right arguments are refused after their checks. */
const jobs = cluster('redis://127.0.0.1:1');
afterAll(() => jobs.close());
const COSTS = { t: 1, m: 64, p: 1 };
const HASH = await hashPassword('password', COSTS);
const SEALED_RING = await sealKeyring(createKeyring(), 'passphrase', COSTS);
const using = async <T extends { close(): unknown }, R>(made: Promise<T>, use: (made: T) => R): Promise<R> => {
  const opened = await made;
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
};
const inMemory = openDatabase({ file: join(folder, 'texts.db'), key });
afterAll(async () => (await inMemory).close());
const files = await encryptedFileSystem({ fs: node, folder: join(folder, 'files') }, { key });
afterAll(() => files.unmount());
const passphrased = (passphrase: string, name: string): Promise<unknown> =>
  using(openDatabase({ file: join(folder, name), key: passphrase, costs: COSTS }), () => undefined);
let count = 0;

/** The calls, with the name of the argument that is a text. */
const TEXTS: readonly (readonly [title: string, name: string, call: (text: string) => unknown])[] = [
  ['blake3, a context', 'context', (context) => blake3(key, { context })],
  ['blake3.create, a context', 'context', (context) => blake3.create({ context })],
  ['hashPassword', 'password', (password) => hashPassword(password, COSTS)],
  ['verifyPassword', 'password', (password) => verifyPassword(password, HASH)],
  ['Box.seal, a message', 'message', (text) => box.seal(text)],
  ['Box.seal, a place', 'for', (text) => box.seal('x', { for: text })],
  ['Box.open', 'for', (text) => box.open(sealed, { for: text })],
  ['Box.sealText, a value', 'value', (text) => box.sealText(text)],
  ['Box.sealText, a place', 'for', (text) => box.sealText('x', { for: text })],
  ['Box.openText', 'for', (text) => box.openText('A'.repeat(100), { for: text })],
  ['Box.reseal', 'for', (text) => box.reseal(sealed, { for: text })],
  ['Box.stream', 'for', (text) => box.stream({ for: text })],
  ['Box.reader', 'for', (text) => box.reader(blob, { for: text })],
  ['sealKeyring', 'passphrase', (text) => sealKeyring(createKeyring(), text, COSTS)],
  ['openKeyring', 'passphrase', (text) => openKeyring(SEALED_RING, text)],
  ['age Encrypter.setPassphrase', 'passphrase', (text) => new Encrypter().setPassphrase(text)],
  ['age Decrypter.addPassphrase', 'passphrase', (text) => new Decrypter().addPassphrase(text)],
  [
    'age Encrypter.encrypt',
    'file',
    (text) => {
      const encrypter = new Encrypter();
      encrypter.setPassphrase('passphrase');
      encrypter.setScryptWorkFactor(1);
      return encrypter.encrypt(text);
    },
  ],
  ['cluster blake3, a context', 'context', (context) => jobs.blake3('file:///none', { context })],
  ['sqlite openDatabase, a passphrase', 'key', (text) => passphrased(text, `${count++}.db`)],
  ['sqlite encryptVFS, a passphrase', 'key', (text) => encryptVFS(MemoryVFS, { key: text })],
  ['sqlite Database.all, a statement', 'sql', async (text) => (await inMemory).all(`select '${text}'`)],
  ['sqlite Database.all, a value', 'parameters[0]', async (text) => (await inMemory).all('select ?', [text])],
  ['sqlite EncryptedFileSystem.writeFile', 'data', (text) => files.writeFile('/text', text)],
  ['sqlite EncryptedFileSystem.writeFile, its name', 'path', (text) => files.writeFile(`/${text}`, key)],
];

async function said(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'accepted';
  } catch (error) {
    return String(error);
  }
}

test.each(TEXTS)('%s', async (_, name, call) => {
  for (const text of LONE)
    expect(await said(() => call(text))).toBe(`RangeError: "${name}" expected text, got a lone surrogate`);
  expect(await said(() => call(WHOLE))).not.toContain('lone surrogate');
});

/** Whether an argument of a call was a text, and the same arguments with another text in place of each. */
const replaced = (text: string) => {
  const found = { texts: 0 };
  const of = (value: unknown): unknown => {
    if (typeof value === 'string') found.texts++;
    return typeof value === 'string' ? text : value;
  };
  const given = (value: unknown): unknown =>
    isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, of(each)])) : of(value);
  return { found, given };
};

/** Those that encode no text, by the reason. */
const NO_UTF8: Readonly<Record<string, string>> = {
  'engine.offerNative': 'the reason is shown, and no more',
  'stream.fetchRange': 'the host encodes addresses, by the URL Standard',
  'stream-node.newFile': 'Node encodes paths, as for every file of `node:fs`',
};

test('no other public call of the library takes such a text', async () => {
  const taken: string[] = [];
  let texts = 0;
  for (const [name, row] of Object.entries(calls)) {
    const { found, given } = replaced('\ud800');
    const answer = await said(() => giving(given, () => row.call()));
    texts += found.texts;
    if (found.texts > 0 && answer === 'accepted' && !(name in NO_UTF8)) taken.push(name);
  }
  expect(taken).toEqual([]);
  expect(texts).toBeGreaterThan(20);
});
