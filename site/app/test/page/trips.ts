/** Files that are encrypted, decrypted and hashed, with age and b3sum as judges. */
import { AppPage, ask, fileFrom, until, type Lack } from './app-page.ts';
import { expect, expectText, sample, sha256, type Test } from './expect.ts';

const PASSPHRASE = 'correct horse battery staple';

/** The file that the browser has saved, which the server then has under the same name. */
async function downloaded(name: string): Promise<File> {
  await ask('downloaded', name);
  return fileFrom(name);
}

async function encryptWithPassphrase(app: AppPage, file: File): Promise<void> {
  app.task('encrypt');
  app.method('encrypt', 'passphrase');
  app.choose([file]);
  app.fill('new-passphrase', PASSPHRASE);
  app.fill('repeat-passphrase', PASSPHRASE);
  app.start();
  expectText('result', await app.ended(), /^1 file encrypted/);
}

/** Makes a key in the page, and gives the secret one. */
export async function makeKey(app: AppPage): Promise<string> {
  app.task('encrypt');
  app.method('encrypt', 'keys');
  app.get('make-key').click();
  return until('there is a key', () => app.get('new-secret-key').value);
}

/** Encrypts and decrypts a file that the browser saves, in a way that the lacks decide. */
const roundTrip = (name: string, size: number, lacks: readonly Lack[]) => async (): Promise<void> => {
  const app = await AppPage.open(lacks);
  const file = sample(name, size);
  const digest = await sha256(file);
  await encryptWithPassphrase(app, file);
  const encrypted = await downloaded(`${name}.age`);
  expect('what age decrypts', await ask('ageOpens', { name: `${name}.age`, passphrase: PASSPHRASE }), digest);
  app.task('decrypt');
  app.choose([encrypted]);
  await until('the header is read', () => app.get('detected').textContent.includes('with a passphrase'));
  app.fill('passphrase', PASSPHRASE);
  app.start();
  expectText('result', await app.ended(), /^1 file decrypted/);
  expect('the decrypted file', await sha256(await downloaded(name)), digest);
  expect('violations', app.violations, []);
};

/** Pickers that give places of the private file system, because nobody can pick in a test. */
export async function answerPickers(app: AppPage): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  await root.removeEntry('picked', { recursive: true }).catch(() => undefined);
  const folder = await root.getDirectoryHandle('picked', { create: true });
  Object.assign(app.window, {
    showSaveFilePicker: ({ suggestedName }: { suggestedName: string }) =>
      folder.getFileHandle(suggestedName, { create: true }),
    showDirectoryPicker: () => Promise.resolve(folder),
  });
  return folder;
}

export async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const name of folder.keys()) names.push(name);
  return names.sort();
}

/** A file as the input for folders gives it. */
function inFolder(path: string, size: number): File {
  const file = sample(path.slice(path.lastIndexOf('/') + 1), size);
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

export const trips: readonly Test[] = [
  {
    name: 'passphrase, saved by the private file system',
    in: ['chromium', 'firefox'],
    test: roundTrip('private.bin', 5_000_000, ['pickers']),
  },
  {
    name: 'passphrase, saved by the service worker',
    test: roundTrip('streamed.bin', 5_000_001, ['pickers', 'private files']),
  },
  {
    name: 'a picked file; a picked folder, whose files are kept',
    in: ['chromium'],
    async test() {
      const app = await AppPage.open();
      const folder = await answerPickers(app);
      const file = sample('picked.bin', 3_000_000);
      await encryptWithPassphrase(app, file);
      const encrypted = await (await folder.getFileHandle('picked.bin.age')).getFile();
      await fetch('/files/picked.bin.age', { method: 'PUT', body: encrypted });
      const opened = await ask('ageOpens', { name: 'picked.bin.age', passphrase: PASSPHRASE });
      expect('what age decrypts', opened, await sha256(file));
      await makeKey(app);
      const files = [inFolder('set/a.txt', 10), inFolder('set/inner/a.txt', 100_000), sample('picked.bin', 5)];
      app.get('clear').click();
      // Paths do not survive a change of the input's files, so the files are put in its place.
      Object.defineProperty(app.get('folder-input'), 'files', { value: files });
      app.get('folder-input').dispatchEvent(new Event('change'));
      app.start();
      expectText('result', await app.ended(), /^3 files encrypted/);
      expect('names', await namesIn(folder), ['picked (2).bin.age', 'picked.bin.age', 'set']);
      const set = await folder.getDirectoryHandle('set');
      expect('names in set', await namesIn(set), ['a.txt.age', 'inner']);
      expect('names in inner', await namesIn(await set.getDirectoryHandle('inner')), ['a.txt.age']);
    },
  },
  {
    name: 'a new key: age opens the file; stored only when asked',
    async test() {
      const app = await AppPage.open(['pickers']);
      const identity = await makeKey(app);
      const stored = (): string => JSON.stringify(app.window.localStorage);
      expect('stored', stored(), '{}');
      const file = sample('keys.bin', 100_000);
      app.drop([file]);
      await until('the file is there', () => app.document.querySelector('#list li'));
      app.get('armor').click();
      app.start();
      expectText('result', await app.ended(), /^1 file encrypted/);
      const encrypted = await downloaded('keys.bin.age');
      expectText('armor', await encrypted.text(), /^-----BEGIN AGE ENCRYPTED FILE-----\n/);
      expect('what age decrypts', await ask('ageOpens', { name: 'keys.bin.age', identity }), await sha256(file));

      app.get('remember-key').click();
      expectText('stored', stored(), new RegExp(identity));
      await app.reload(['pickers']);
      app.choose([encrypted]);
      await until('the header is read', () => app.get('detected').textContent.includes('for age keys'));
      app.start();
      expectText('result', await app.ended(), /^1 file decrypted/);
      expect('the decrypted file', await sha256(await downloaded('keys.bin')), await sha256(file));
      app.window.localStorage.clear();
    },
  },
  {
    name: 'a file that age made',
    async test() {
      const app = await AppPage.open(['pickers']);
      const { identity, digest } = await ask<{ identity: string; digest: string }>('ageMakes', 'from-age.txt');
      app.choose([await fileFrom('from-age.txt.age')]);
      await until('the header is read', () => app.get('detected').textContent.includes('for age keys'));
      expect('task', app.get('start').textContent, 'Decrypt');
      app.fill('identities', identity);
      app.start();
      expectText('result', await app.ended(), /^1 file decrypted/);
      expect('the decrypted file', await sha256(await downloaded('from-age.txt')), digest);
    },
  },
  {
    name: 'hashes are those of b3sum; comparison',
    async test() {
      const app = await AppPage.open();
      const files = [sample('empty', 0), sample('hash-1.bin', 1), sample('hash-2.bin', 40_000_000)];
      const expected: string[] = [];
      for (const file of files) {
        await fetch(`/files/${file.name}`, { method: 'PUT', body: file });
        expected.push(await ask('b3sum', file.name));
      }
      app.task('hash');
      app.choose(files);
      app.fill('expected', `${expected[1]}  hash-1.bin\n${expected[1]}  hash-2.bin\n`);
      app.start();
      expectText('result', await app.ended(), /^3 files hashed/);
      expect('hashes', app.hashes(), expected);
      const [first, second, third] = app.outcomes();
      expectText('no verdict', first, /Copy$/);
      expectText('a match', second, /is the expected hash/);
      expectText('no match', third, /not the expected hash/);
      app.get('save-hashes').click();
      await ask('downloaded', 'checksums.b3');
      expect(
        'what b3sum finds',
        await ask('b3sumChecks', 'checksums.b3'),
        files.map(({ name }) => `${name}: OK`),
      );
    },
  },
];
