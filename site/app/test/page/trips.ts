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

/** Pickers that return files of the private file system, because a test can't use the browser's dialog. */
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

/** The files that results leave in the private file system of this origin. Others may be removed meanwhile. */
async function stored(): Promise<File[]> {
  const root = await navigator.storage.getDirectory();
  const files: File[] = [];
  try {
    for (const name of (await namesIn(root)).filter((one) => one.startsWith('results-'))) {
      const folder = await root.getDirectoryHandle(name);
      for (const file of await namesIn(folder)) files.push(await (await folder.getFileHandle(file)).getFile());
    }
  } catch (error) {
    if ((error as Error).name !== 'NotFoundError') throw error;
    return stored();
  }
  return files;
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
      const said =
        /^3 files hashed in .* 1 file does not have the expected hash: see the list\. 1 file was not compared: see the list\.$/;
      expectText('result', await app.ended(), said);
      expectText('what screen readers hear', app.get('live').textContent, said);
      expect('an error', app.get('error').hidden, false);
      expect('hashes', app.hashes(), expected);
      const [first, second, third] = app.outcomes();
      expectText('no comparison', first, /It was not compared: no expected hash has this name/);
      expect('signs', app.signs(), ['?', '✓', '✗']);
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
  {
    name: 'a hash of one line is compared with one file, whatever its name',
    async test() {
      const app = await AppPage.open();
      const file = sample('setup (1).exe', 1000);
      await fetch('/files/setup.exe', { method: 'PUT', body: file });
      const hash = await ask<string>('b3sum', 'setup.exe');
      app.task('hash');
      app.choose([file]);
      app.fill('expected', `${hash}  setup.exe\n`);
      app.start();
      expectText('a match', await app.ended(), /^1 file hashed in [^.]*\.?\d* ?\S*\.$/);
      expectText('the verdict', app.outcomes()[0], /It is the expected hash/);
      app.fill('expected', `${'0'.repeat(64)}  setup.exe\n`);
      app.start();
      expectText('a difference', await app.ended(), /1 file does not have the expected hash/);
      expect('sign', app.signs(), ['✗']);
      app.fill('expected', `${hash}  setup.exe\n${hash}  other.exe\n`);
      app.start();
      expectText('no comparison', await app.ended(), /1 file was not compared.*2 expected files were not there/);
      expect('sign', app.signs(), ['?']);
    },
  },
  {
    name: 'of 501 files the last one differs: it has a row, and the summary says so',
    async test() {
      const app = await AppPage.open();
      const files = Array.from({ length: 501 }, (_, i) => sample(`f${i}`, 1));
      await fetch('/files/f', { method: 'PUT', body: files[0] });
      const hash = await ask<string>('b3sum', 'f');
      app.task('hash');
      app.choose(files);
      app.fill('expected', files.map(({ name }, i) => `${i === 500 ? '0'.repeat(64) : hash}  ${name}`).join('\n'));
      app.start();
      const said = /^501 files hashed in .* 1 file does not have the expected hash: see the list\.$/;
      expectText('result', await app.ended(), said);
      expectText('heard', app.get('live').textContent, said);
      expect('the last row', app.signs().at(-1), '✗');
      expectText('its name', app.document.querySelector('#list li:last-child')!.textContent, /f500/);
    },
  },
  {
    name: 'names cannot turn the direction of a line, nor look like others',
    async test() {
      const app = await AppPage.open(['pickers']);
      const file = new File(['x'], 'invoice\u202efdp.exe\u0007');
      await makeKey(app);
      app.choose([file]);
      app.start();
      expectText('result', await app.ended(), /^1 file encrypted/);
      const name = app.document.querySelector('#list .name bdi')!.textContent;
      expect('in the list', name, 'invoice\ufffdfdp.exe\ufffd');
      const text = app.document.body.textContent + app.document.querySelector('.remove')!.getAttribute('aria-label')!;
      expect('characters that nobody sees', /\u202e|(?!\n)\p{Cc}/u.test(text), false);
      await ask('downloaded', 'invoice_fdp.exe_.age');
    },
  },
  {
    name: 'results wait encrypted, and are removed; all that is to be saved is saved',
    in: ['chromium', 'firefox'],
    async test() {
      const app = await AppPage.open(['pickers']);
      const secret = 'a text that must not be found on the disk ';
      const digests: string[] = [];
      const files = await Promise.all(
        ['one', 'two', 'three'].map(async (name) => {
          const file = new File([secret.repeat(20_000)], `${name}.kept`);
          await fetch(`/files/${file.name}`, { method: 'PUT', body: file });
          digests.push(await sha256(file));
          return file;
        }),
      );
      const identity = await makeKey(app);
      app.choose(files);
      app.start();
      expectText('result', await app.ended(), /^3 files encrypted.*encrypted for this page/);
      const isAsked = (): boolean => {
        const event = new Event('beforeunload', { cancelable: true });
        app.window.dispatchEvent(event);
        return event.defaultPrevented;
      };
      expect('the browser asks before the page is closed', isAsked(), true);
      app.start();
      expectText('a new run', await app.ended(), /Save the results of the last run first/);
      app.get('save-all').click();
      expect('the browser asks while results are saved', isAsked(), true);
      // A result that is being saved isn't lost by it.
      app.get('clear').click();
      const encrypted: File[] = [];
      for (const { name } of files) encrypted.push(await downloaded(`${name}.age`));
      await until('all is saved', () => !isAsked());
      await until('results are removed', async () => (await stored()).length === 0);

      app.task('decrypt');
      app.choose(encrypted);
      await until('the header is read', () => app.get('detected').textContent !== '');
      app.method('decrypt', 'keys');
      app.fill('identities', identity);
      app.start();
      expectText('result', await app.ended(), /^3 files decrypted/);
      const kept = await stored();
      expect('results in the storage', kept.length, 3);
      for (const file of kept) {
        const text = await file.text();
        expect('its size', text.length > 100_000, true);
        expect('plaintext in the storage', text.includes('must not be found'), false);
      }
      app.document.querySelector<HTMLButtonElement>('#list .outcome button')!.click();
      expect('what is saved', await sha256(await downloaded(files[0].name)), digests[0]);
      app.frame.remove();
      await AppPage.open(['pickers']);
      await until('a page that is gone leaves nothing', async () => (await stored()).length === 0);
    },
  },
  {
    name: 'in a folder of its host: no keys are remembered, and nothing is stored',
    in: ['chromium', 'firefox'],
    async test() {
      localStorage.setItem(
        'lanewise-files-keys',
        JSON.stringify([{ identity: 'AGE-SECRET-KEY-1X', recipient: 'age1x', made: '2026-01-01T00:00:00Z' }]),
      );
      try {
        // The first time, the service worker of the root gives the page to that of the folder, and the page is loaded again.
        await navigator.serviceWorker.register('/folder/service-worker.js');
        await until(
          'the service worker of the folder runs',
          async () => (await navigator.serviceWorker.getRegistration('/folder/'))?.active?.state === 'activated',
        );
        const app = await AppPage.open(['pickers'], '/folder/');
        expect('the note', app.get('shared').hidden, false);
        await makeKey(app);
        expect('remember', app.get('remember-key').hidden, true);
        app.task('decrypt');
        app.method('decrypt', 'keys');
        expect('keys of others', app.get('stored').hidden, true);
        app.task('encrypt');
        app.choose([sample('folder.bin', 100_000)]);
        app.start();
        expectText('result', await app.ended(), /^1 file encrypted/);
        expect('results in the storage', (await stored()).length, 0);
        await ask('downloaded', 'folder.bin.age');
      } finally {
        localStorage.clear();
        await (await navigator.serviceWorker.getRegistration('/folder/'))?.unregister();
        for (const name of await caches.keys()) if (name.includes('/folder/')) await caches.delete(name);
      }
    },
  },
];
