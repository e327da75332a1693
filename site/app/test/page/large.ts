/** A file of 2 GiB, in every browser. */
import { AppPage, ask, until } from './app-page.ts';
import { expect, expectText, sample, type Test } from './expect.ts';
import { makeKey } from './trips.ts';

const SIZE = 2 ** 31;
const LIMIT_MILLISECONDS = 1_200_000;
/** WebKitGTK gives memory of files that were read back late: how much, the report says. */
const MOST_MEGABYTES: Readonly<Record<string, number>> = { chromium: 1000, firefox: 1000, webkit: Infinity };

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });

/** A Blob that is on disk, as a file is that a person chooses: databases of all browsers give such. */
async function onDisk(blob: Blob): Promise<Blob> {
  const opening = indexedDB.open('large');
  opening.onupgradeneeded = () => opening.result.createObjectStore('files');
  const database = await settled(opening);
  const name = String(performance.now());
  await settled(database.transaction('files', 'readwrite').objectStore('files').put(blob, name));
  const stored = await settled(database.transaction('files').objectStore('files').get(name) as IDBRequest<Blob>);
  database.close();
  return stored;
}

/** 2 GiB of the same 64 MiB over and over. */
async function largeFile(): Promise<File> {
  const part = sample('part', 2 ** 26);
  return new File([await onDisk(new Blob(Array<File>(SIZE / part.size).fill(part)))], 'large.bin');
}

/** A file of the server's on disk. It comes in parts, because WebKit has no answers of 2 GiB. */
async function fetchedToDisk(name: string): Promise<File> {
  const length = 2 ** 26;
  const parts: Blob[] = [];
  for (let from = 0; from === 0 || parts.at(-1)!.size === length; from += length)
    parts.push(await onDisk(await (await fetch(`/files/${name}?from=${from}&length=${length}`)).blob()));
  return new File(parts, name);
}

/** Starts the prepared run, and returns a line about its speed and the growth of the browser's memory. */
async function measured(name: string, app: AppPage): Promise<string> {
  await ask('memory', 'begin');
  const started = performance.now();
  app.start();
  const text = await app.ended(LIMIT_MILLISECONDS);
  const seconds = (performance.now() - started) / 1000;
  const grown = await ask<number>('memory', 'end');
  expectText(name, text, /^1 file (hashed|encrypted|decrypted)/);
  const line = `${name} ${(SIZE / 1e6 / seconds).toFixed(0)} MB/s, +${grown} MB`;
  const { browser } = await ask<{ browser: string }>('begin');
  const most = MOST_MEGABYTES[browser];
  if (grown > most) throw new Error(`expected less than ${most} MB of memory more, got ${line}`);
  return line;
}

export const large: readonly Test[] = [
  {
    name: '2 GiB',
    async test() {
      const app = await AppPage.open(['pickers']);
      const file = await largeFile();
      app.task('hash');
      app.choose([file]);
      const notes = [await measured('hash', app)];
      const [hash] = app.hashes();

      const identity = await makeKey(app);
      notes.push(await measured('encrypt', app));
      await ask('downloaded', 'large.bin.age');
      expect('the hash of what age decrypts', await ask('ageOpensLarge', { name: 'large.bin.age', identity }), hash);

      const encrypted = await fetchedToDisk('large.bin.age');
      app.task('decrypt');
      app.choose([encrypted]);
      await until('the header is read', () => app.get('detected').textContent.includes('for age keys'));
      app.fill('identities', identity);
      notes.push(await measured('decrypt', app));
      await ask('downloaded', 'large.bin');
      expect('the decrypted file', await ask('b3sum', 'large.bin'), hash);
      return notes.join('; ');
    },
  },
];
