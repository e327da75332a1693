/** Wrong calls are errors at once, before a queue is asked; nothing is ignored, and no message has a password. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cluster, createWorker } from '../src/index.ts';
import { temporaryFolder } from './servers/process.ts';

/** Nobody listens there. */
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
    await expect(queue[name](...objects, null)).rejects.toThrow(/^"options" expected object, got null$/);
    if (name !== 'blake3')
      await expect(queue[name](...objects)).rejects.toThrow(/^"options" expected object, got undefined$/);
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
  expect(() => looseCluster(QUEUE, { objects })).toThrow(/^"endpiont" is no option of objects/);
  expect(() => looseCluster(QUEUE, { objects: null })).toThrow(/^"objects" expected an object, got null$/);
  await expect(looseWorker(QUEUE, { allow: ['file:///'], objects })).rejects.toThrow(
    /^"endpiont" is no option of objects/,
  );
});

test('a worker takes two arguments, key files by their ids, and a file that has identities', async () => {
  const allow = ['s3://bucket/'];
  await expect(looseWorker(QUEUE, { allow }, 1)).rejects.toThrow(/^expected at most 2 arguments, got 3$/);
  await expect(looseWorker(QUEUE, { allow, keyFiles: ['key'] })).rejects.toThrow(
    /^"keyFiles" expected object, got array$/,
  );
  const identityFile = join(folder.path, 'identity.txt');
  writeFileSync(identityFile, 'age1 is no identity\n');
  await expect(looseWorker(QUEUE, { allow, identityFile })).rejects.toThrow(/^the identity file expected lines/);
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
