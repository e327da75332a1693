/** A file of 2 GiB, in every browser. */
import { AppPage, ask, fileFrom, until } from './app-page.ts';
import { expect, expectText, sample, type Test } from './expect.ts';
import { makeKey } from './trips.ts';

const SIZE = 2 ** 31;
const LIMIT_MILLISECONDS = 1_200_000;
const MOST_MEGABYTES = 600;

/** 2 GiB that take 64 MiB: the same part over and over. */
function largeFile(): File {
  const part = sample('part', 2 ** 26);
  return new File(Array<File>(SIZE / part.size).fill(part), 'large.bin');
}

/** Runs what is set up, and gives a line about its speed and the growth of the browser's memory. */
async function measured(name: string, app: AppPage): Promise<string> {
  await ask('memory', 'begin');
  const started = performance.now();
  app.start();
  const text = await app.ended(LIMIT_MILLISECONDS);
  const seconds = (performance.now() - started) / 1000;
  const grown = await ask<number>('memory', 'end');
  expectText(name, text, /^1 file (hashed|encrypted|decrypted)/);
  const line = `${name} ${(SIZE / 1e6 / seconds).toFixed(0)} MB/s, +${grown} MB`;
  if (grown > MOST_MEGABYTES) throw new Error(`expected less than ${MOST_MEGABYTES} MB of memory more, got ${line}`);
  return line;
}

export const large: readonly Test[] = [
  {
    name: '2 GiB',
    async test() {
      const app = await AppPage.open(['pickers']);
      const file = largeFile();
      app.task('hash');
      app.choose([file]);
      const notes = [await measured('hash', app)];
      const [hash] = app.hashes();

      const identity = await makeKey(app);
      notes.push(await measured('encrypt', app));
      await ask('downloaded', 'large.bin.age');
      expect('the hash of what age decrypts', await ask('ageOpensLarge', { name: 'large.bin.age', identity }), hash);

      const encrypted = await fileFrom('large.bin.age');
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
