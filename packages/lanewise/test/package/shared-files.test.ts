/** The files of the built package: without a bundler, a public module loads its code in a few files. */
// Runs in Node only: about the built package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../../dist');
const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
const textOf = (file: string): string => readFileSync(join(dist, file), 'utf8');

/** The files that an import of one loads with it. */
const loadedBy = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/from ?["']\.\/([\w-]+)\.js["']/g)].map(([, name]) => name).sort();

test.each([
  ['chacha.js', ['shared']],
  ['blake3.js', ['blake3-shared', 'shared']],
  ['disk.js', ['more-shared', 'shared']],
  ['scrypt.js', ['hash-shared', 'more-shared', 'shared']],
  ['stream.js', ['more-shared', 'shared', 'stream-shared']],
  ['stream-node.js', ['more-shared', 'shared', 'stream-shared']],
  ['pool.js', ['blake3-shared', 'hash-shared', 'more-shared', 'shared', 'stream-shared']],
])('%s loads %j', (file, loaded) => expect(loadedBy(file)).toEqual(loaded));

test.each([
  ['sources of streams', 'expected ReadableStream, Blob, Response', 'stream-shared.js'],
  ['sources of random access', 'FileSystemSyncAccessHandle, Uint8Array or object', 'stream-shared.js'],
  ['ranges of a server', 'the server ignores ranges', 'stream.js'],
  ['files of pages on all threads', 'expected another file than', 'pool.js'],
])('no other door loads %s', (_, mark, file) => {
  const others = files.filter((name) => name !== 'worker.js' && textOf(name).includes(mark));
  expect(others).toEqual([file]);
});
