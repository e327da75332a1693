/** Mistakes, cancelling, and use without a network. */
import { AppPage, ask, fileFrom, until } from './app-page.ts';
import { expect, expectText, sample, type Test } from './expect.ts';
import { answerPickers, makeKey, namesIn } from './trips.ts';

/** Tries to decrypt with a passphrase, and looks at the error. */
async function refused(app: AppPage, file: File, passphrase: string, expected: RegExp): Promise<void> {
  app.task('decrypt');
  app.choose([file]);
  await until('the header is read', () => app.get('detected').textContent !== '');
  app.method('decrypt', 'passphrase');
  app.fill('passphrase', passphrase);
  app.start();
  expectText(file.name, await app.ended(), expected);
}

/** Asks the browser to look for a new version of the app, and waits until it has tried. */
async function lookForNewVersion(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  let isFound = false;
  registration!.addEventListener('updatefound', () => (isFound = true), { once: true });
  await registration!.update().catch(() => undefined);
  await until('the new version is found', () => isFound);
  await until('the new version is installed or refused', () => registration!.installing === null);
}

export const mistakes: readonly Test[] = [
  {
    name: 'mistakes are explained, and nothing is saved',
    async test() {
      const app = await AppPage.open(['pickers']);
      app.start();
      expectText('no file', await app.ended(), /Choose at least one file/);
      const passphrase = 'a passphrase';
      await ask('ageLocks', { name: 'locked.bin', passphrase });
      const locked = await fileFrom('locked.bin.age');
      await refused(app, sample('plain.txt', 100), passphrase, /wasn't encrypted with age/);
      await refused(app, locked, 'wrong', /passphrase does not open/);
      await refused(app, new File([locked.slice(0, 70_000)], 'cut.age'), passphrase, /end of the file is missing/);
      const bytes = new Uint8Array(await locked.arrayBuffer());
      bytes[bytes.length - 100_000] ^= 1;
      await refused(app, new File([bytes], 'changed.age'), passphrase, /was changed after it was encrypted/);
      await refused(app, new File([locked, 'x'], 'longer.age'), passphrase, /was changed|added to it|is missing/);

      app.task('encrypt');
      app.choose([sample('plain.txt', 100)]);
      app.method('encrypt', 'passphrase');
      app.get('make-passphrase').click();
      const made = app.get('new-passphrase').value;
      expectText('a made passphrase', made, /^(?:[a-z]+-){4,}[a-z]+$/);
      expect('it is shown once', app.get('made-passphrase').textContent, made);
      expect('the field hides it', app.get('new-passphrase').type, 'password');
      expect('it can be copied', app.get('made-row').hidden, false);
      app.fill('new-passphrase', 'a');
      expectText('a weak passphrase', app.get('new-passphrase-hint').textContent, /is short: programs guess such ones/);
      expect('the made one is gone', app.get('made-row').hidden, true);
      const isWarned = (passphrase: string): boolean => {
        app.fill('new-passphrase', passphrase);
        return app.get('new-passphrase-hint').classList.contains('bad');
      };
      for (const weak of [
        'abc',
        'aaaaaaaaaaaaaaaa',
        'passwordpassword',
        'abcabcabcabcabcabc',
        'abcdefghijklmnop',
        '1234567890123456',
      ])
        expect(`${weak} is weak`, isWarned(weak), true);
      for (const strong of [
        'wolf harbor tennis grid moon',
        'correcthorsebatterystaple',
        'kJ7#qfW9!xmR2v',
        '90417253860917254836',
      ])
        expect(`${strong} is not`, isWarned(strong), false);
      app.fill('repeat-passphrase', 'b');
      app.start();
      expectText('two passphrases', await app.ended(), /differ/);
      app.method('encrypt', 'keys');
      app.fill('recipients', 'age1nonsense');
      app.start();
      expectText('a wrong key', await app.ended(), /typing mistake/);
      expect('the field is marked', app.get('recipients').getAttribute('aria-invalid'), 'true');
      expect('the field has the focus', app.document.activeElement?.id, 'recipients');
      expect('downloads', await ask('strays', ['plain', 'cut', 'changed', 'longer', 'locked']), []);
    },
  },
  {
    name: 'a damaged file: a picked new file is removed, an older one stays',
    in: ['chromium'],
    async test() {
      const app = await AppPage.open();
      const folder = await answerPickers(app);
      await ask('ageLocks', { name: 'locked.bin', passphrase: 'a passphrase' });
      const bytes = new Uint8Array(await (await fileFrom('locked.bin.age')).arrayBuffer());
      bytes[bytes.length - 1] ^= 1;
      const older = await (await folder.getFileHandle('older', { create: true })).createWritable();
      await older.write('older');
      await older.close();
      const damaged = /was changed after it was encrypted|is missing/;
      await refused(app, new File([bytes], 'fresh.age'), 'a passphrase', damaged);
      await refused(app, new File([bytes], 'older.age'), 'a passphrase', damaged);
      await refused(app, await fileFrom('locked.bin.age'), 'wrong', /passphrase does not open/);
      expect('files', await namesIn(folder), ['older']);
      expect('the older file', await (await (await folder.getFileHandle('older')).getFile()).text(), 'older');
    },
  },
  {
    name: 'progress and cancelling, which leaves nothing',
    async test() {
      const app = await AppPage.open(['pickers']);
      await makeKey(app);
      const part = sample('part', 64_000_000);
      app.choose([new File(Array<File>(64).fill(part), 'cancelled.bin')]);
      app.get('start').focus();
      app.start();
      const shown = (): string => app.get('progress-text').textContent;
      await until('there is progress', () =>
        /^Encrypting: [1-9][\d.]* [kMG]B of 4\.1 GB · .*B\/s · .* left/.test(shown()),
      );
      expect('focus', app.document.activeElement?.id, 'cancel');
      app.get('cancel').click();
      expectText('result', await app.ended(), /^0 files encrypted.*You cancelled/);
      expect('focus', app.document.activeElement?.id, 'start');
      if (app.get('result').textContent.includes('Some browsers keep'))
        return 'the browser may keep a part, as the page says';
      const storage = navigator.storage as Partial<StorageManager> | undefined;
      if (storage?.getDirectory) {
        const root = await storage.getDirectory();
        for (const name of (await namesIn(root)).filter((one) => one.startsWith('results-')))
          expect('files left', await namesIn(await root.getDirectoryHandle(name)), []);
      }
      expect('downloads', await ask('strays', ['cancelled']), []);
      return undefined;
    },
  },
  {
    name: 'without a network: starts and hashes; requests nothing',
    async test() {
      const app = await AppPage.open();
      await ask('network', false);
      try {
        await app.reload();
        app.task('hash');
        app.choose([sample('offline.bin', 40_000_000)]);
        app.start();
        expectText('result', await app.ended(), /^1 file hashed/);
        expectText(
          'workers',
          app.get('engine').textContent,
          /^This browser works on [2-9]\d* threads, at full speed\.$/,
        );
        const origin = `${location.origin}/`;
        const asked = app.window.performance.getEntriesByType('resource').map((entry) => entry.name);
        expect('some requests', asked.length > 0, true);
        const elsewhere = asked.filter((url) => !url.startsWith(origin));
        expect('requests elsewhere', elsewhere, []);
        expect('violations', app.violations, []);
        const request = app.window.fetch('./icon.svg').then(
          () => 'allowed',
          () => 'forbidden',
        );
        expect('requests', await request, 'forbidden');
      } finally {
        await ask('network', true);
      }
    },
  },
  {
    name: 'a new version waits until it is accepted; a mixed one is refused',
    async test() {
      const app = await AppPage.open();
      const versions = async (): Promise<number> =>
        (await caches.keys()).filter((name) => name.startsWith('lanewise-files-')).length;
      try {
        await ask('version', 'mixed');
        await lookForNewVersion();
        expect('a mixed version is offered', !app.get('update').hidden, false);
        await ask('version', 'new');
        await lookForNewVersion();
        await until('the new version is offered', () => !app.get('update').hidden);
        expect('versions while one waits', (await versions()) >= 2, true);
        app.get('reload').click();
        await app.started();
        await until('the old version is removed', async () => (await versions()) === 1);
      } finally {
        await ask('version', 'built');
      }
    },
  },
  {
    name: 'workers of another version are refused, and a page of an old one starts nothing',
    async test() {
      const app = await AppPage.open(['pickers']);
      const statusOf = async (path: string): Promise<number> => (await fetch(path)).status;
      expect('the worker of this version', await statusOf('/worker.js'), 200);
      expect('a worker of another version', await statusOf('/worker.js?sha256-other'), 503);
      await makeKey(app);
      app.choose([sample('a', 10), sample('b', 10)]);
      app.start();
      const result = await app.ended();
      expectText('result', result, /^2 files encrypted/);
      const { serviceWorker } = app.window.navigator;
      serviceWorker.dispatchEvent(new Event('controllerchange'));
      if (!result.includes('encrypted for this page')) {
        // No result waits to be saved, so the page is loaded again at once.
        await app.started();
        return;
      }
      expectText('the note', app.get('offline').textContent, /A new version runs\. Save your results/);
      expect('start', app.get<HTMLButtonElement>('start').disabled, true);
    },
  },
];
