/** Wrong calls are errors at once, before a queue is asked; nothing is ignored, and no message has a password. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateIdentity, identityToRecipient } from '@lanewise/age';
import { afterAll, expect, test } from 'vitest';
import { cluster, createWorker } from '../src/index.ts';
import { temporaryFolder } from './servers/process.ts';

/** No server listens there. */
const QUEUE = 'redis://127.0.0.1:1';
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** As plain JavaScript may call them. */
type Loose = (...values: unknown[]) => Promise<unknown>;
const looseCluster = cluster as unknown as (...values: unknown[]) => Record<string, Loose>;
const looseWorker = createWorker as unknown as Loose;

test.each(['blake3', 'encrypt', 'decrypt'])(
  '%s without an object of options is a TypeError that says so',
  async (name) => {
    const queue = looseCluster(QUEUE);
    const objects = name === 'blake3' ? ['file:///a'] : ['file:///a', 'file:///b'];
    await expect(queue[name](...objects, null)).rejects.toThrow(/^"options" expected object, got type=null$/);
    if (name !== 'blake3')
      await expect(queue[name](...objects)).rejects.toThrow(/^"options" expected object, got type=undefined$/);
  },
);

test('a hash has no target', async () => {
  const work = { kind: 'blake3', source: 'file:///a', target: 'file:///b' };
  await expect(looseCluster(QUEUE).submit(work)).rejects.toThrow(
    /^"work" expected no field target, because a hash has none$/,
  );
});

test('options of objects are checked when a queue is named, and when a worker starts', async () => {
  const objects = { endpiont: 'https://store.example' };
  expect(() => looseCluster(QUEUE, { objects })).toThrow(/^"objects" expected plain object { endpoint, /);
  expect(() => looseCluster(QUEUE, { objects: null })).toThrow(/^"objects" expected object, got type=null$/);
  await expect(looseWorker(QUEUE, { allow: ['file:///'], objects })).rejects.toThrow(
    /^"objects" expected plain object { endpoint, /,
  );
});

test('a worker writes nothing to a server of HTTP', async () => {
  const options = { allow: ['s3://bucket/'], allowWrite: ['https://store.example/'] };
  await expect(looseWorker(QUEUE, options)).rejects.toThrow(
    /^"allowWrite" expected s3:\/\/ or file:\/\/ to write to, got https:\/\/$/,
  );
});

test.each([
  ['file:///data/in', 'file:///data/%69n'],
  ['file:///data/in', 'file://localhost/data/./in'],
  ['file:///data/in', 'FILE:///data/x/../in'],
  ['s3://bucket/in', 'S3://bucket/in'],
  [pathToFileURL(join(folder.path, 'in')).href, pathToFileURL(join(folder.path, 'link')).href],
])('no object is encrypted into itself: %s into %s', async (source, target) => {
  writeFileSync(join(folder.path, 'in'), '');
  if (source.includes('lanewise-')) symlinkSync('in', join(folder.path, 'link'));
  const recipients = [await identityToRecipient(await generateIdentity())];
  const queue = cluster(QUEUE);
  await expect(queue.encrypt(source, target, { recipients, workers: recipients })).rejects.toThrow(
    /^"target" expected another object than the source, got the same$/,
  );
  await queue.close();
});

test('a worker takes two arguments, key files by their ids, and a file that has identities', async () => {
  const allow = ['s3://bucket/'];
  await expect(looseWorker(QUEUE, { allow }, 1)).rejects.toThrow(
    /^"arguments" expected at most 2, got another of type=number$/,
  );
  await expect(looseWorker(QUEUE, { allow, keyFiles: ['key'] })).rejects.toThrow(
    /^"keyFiles" expected object, got type=Array$/,
  );
  const keyFiles = { good: import.meta.filename, none: join(folder.path, 'none') };
  await expect(looseWorker(QUEUE, { allow, keyFiles })).rejects.toThrow(
    /^"keyFiles.good" expected a file that can be used, got .*calls\.test\.ts: key file expected length 32, got length=\d+$/,
  );
  await expect(looseWorker(QUEUE, { allow, keyFiles: { none: keyFiles.none } })).rejects.toThrow(
    /^"keyFiles.none" expected a file that can be used, got ENOENT of .*none$/,
  );
  await expect(looseWorker(QUEUE, { allow, identityFile: '' })).rejects.toThrow(/^"identityFile" expected length/);
  const identityFile = join(folder.path, 'identity.txt');
  writeFileSync(identityFile, 'age1 is no identity\n');
  await expect(looseWorker(QUEUE, { allow, identityFile })).rejects.toThrow(
    /^"identityFile" expected a file that can be used, got .*identity\.txt: the identity file expected lines/,
  );
  writeFileSync(identityFile, 'AGE-SECRET-KEY-1NONE\n');
  await expect(looseWorker(QUEUE, { allow, identityFile })).rejects.toThrow(/^(?!.*1NONE)/s);
});

test.each([
  [
    'a slash in the password',
    'redis://user:12/hunter2@127.0.0.1',
    /^"queue" expected a URL whose password is percent-/,
  ],
  ['a name for a database', 'redis://127.0.0.1/jobs', /^"queue" expected the number of a database as its path/],
])('%s is refused, and not shown', (_name, url, message) => {
  let error: unknown;
  try {
    cluster(url);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(RangeError);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).not.toContain('hunter2');
});
