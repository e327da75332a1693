/**
 * `@lanewise/sqlite`, which is installed where it is used. Its calls are made in a thread of their own: SQLite doesn't wait, and signals come
 * while it works.
 */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type * as library from '@lanewise/sqlite/node.js';
import { Failure } from '../command.ts';
import { printable } from '../terminal.ts';

const DOOR = '@lanewise/sqlite/node.js';

/** The text of the thread. */
const THREAD = `
const { parentPort, workerData: { door, name, options } } = require('node:worker_threads');
import(door)
  .then((library) => name === 'rekey' ? rekey(library) : library[name](options))
  .then((result) => parentPort.postMessage({ result }), ({ message }) => parentPort.postMessage({ message }));
async function rekey({ openDatabase }) {
  const db = await openDatabase({ file: options.file, key: options.key });
  try {
    await db.rekey(options.next);
  } finally {
    await db.close();
  }
}`;

interface Calls {
  copyDatabase: { readonly options: library.CopyOptions; readonly result: undefined };
  checkDatabase: { readonly options: library.CheckOptions; readonly result: library.CheckResult };
  rekey: {
    readonly options: library.DatabaseOptions & { readonly next: library.DatabaseOptions['key'] };
    readonly result: undefined;
  };
}

type Answer<Result> = { readonly result: Result } | { readonly message: string };

function doorOf(): string {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(DOOR)).href;
  } catch (error) {
    throw new Failure('databases need a package that is not installed: npm install @lanewise/sqlite', { cause: error });
  }
}

/**
 * @param file - The database, for messages.
 * @throws Failure with the reason of the library.
 */
export async function call<Name extends keyof Calls>(
  file: string,
  name: Name,
  options: Calls[Name]['options'],
): Promise<Calls[Name]['result']> {
  const worker = new Worker(THREAD, { eval: true, workerData: { door: doorOf(), name, options } });
  try {
    const answer = await new Promise<Answer<Calls[Name]['result']>>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Failure('the thread of SQLite ended early')));
    });
    if ('message' in answer) throw new Failure(`${printable(file)}: ${printable(inWordsOfCommand(answer.message))}`);
    return answer.result;
  } finally {
    await worker.terminate();
  }
}

/** Messages name the options of calls; these are those of the command. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/; "key" is a key of 32 bytes$/, ': leave --key-file out'],
  [/; "key" is a passphrase$/, ': --key-file names it'],
  [/(the mode authenticated), or/, '$1 (--mode names others), or'],
];

const inWordsOfCommand = (message: string): string =>
  WORDS.reduce((text, [found, instead]) => text.replace(found, instead), message);
