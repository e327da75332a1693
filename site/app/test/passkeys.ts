/** Passkeys, with the virtual authenticator of Chromium. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUTHENTICATOR } from '../../../packages/runtimes/src/devtools.ts';
import { choose, click, inChromium } from './devtools.ts';
import type { Report } from './app.ts';
import { serveTest } from './server.ts';

/** Pickers that give a place of the private file system, and the file there. */
const PICKERS = `window.showSaveFilePicker = async () =>
  (await navigator.storage.getDirectory()).getFileHandle('picked', { create: true }); 0`;
const RESULT = `navigator.storage.getDirectory().then((root) => root.getFileHandle('picked')).then((handle) => handle.getFile())`;

/** Makes a passkey, encrypts with it, and decrypts; another passkey is refused. */
export async function passkeys(path: string, app: string, report: (one: Report) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-app-'));
  await mkdir(join(folder, 'downloads'));
  const server = await serveTest(app, '', folder, {});
  const started = performance.now();
  let failure: string | undefined;
  try {
    // Passkeys need a name, and not a number.
    const url = server.url.replace('127.0.0.1', 'localhost');
    await inChromium(path, url, join(folder, 'downloads'), async (page) => {
      await page.send('WebAuthn.enable');
      await page.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
      await page.until(`document.getElementById('offline')?.textContent.startsWith('Ready')`);
      await page.evaluate(PICKERS);
      await page.evaluate(choose(`new File(['a secret'], 'a.txt')`));
      await page.evaluate(click('[name=encrypt-method][value=passkey]'));
      await page.evaluate(click('#make-passkey'));
      await page.until(`document.getElementById('passkey-status').textContent.includes('is ready')`);
      await page.evaluate(click('#start'));
      await page.until(`document.getElementById('result').textContent.startsWith('1 file encrypted')`);
      await page.evaluate(
        `${RESULT}.then(async (file) => (window.encrypted = new File([await file.bytes()], 'a.txt.age')).size)`,
      );
      await page.evaluate(click('#clear'));
      await page.evaluate(choose('window.encrypted'));
      await page.until(`document.getElementById('detected').textContent.includes('with a passkey')`);
      await page.evaluate(click('#start'));
      await page.until(`document.getElementById('result').textContent.startsWith('1 file decrypted')`);
      const text = await page.evaluate(`${RESULT}.then((file) => file.text())`);
      if (text !== 'a secret') throw new Error(`expected the plaintext, got ${String(text)}`);
    });
  } catch (error) {
    failure = (error as Error).message;
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  const seconds = (performance.now() - started) / 1000;
  report({ name: 'a passkey: make, encrypt, decrypt', seconds, ...(failure !== undefined && { failure }) });
}
