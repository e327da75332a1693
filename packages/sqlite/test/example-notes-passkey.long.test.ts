/** The app of examples/notes under a passkey: Chromium's virtual authenticator stands for the person and the device. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { AUTHENTICATOR, withDevTools, type DevTools } from '../../runtimes/src/devtools.ts';
import { serveLocally } from '../../runtimes/src/loopback.ts';

interface Example {
  readonly POLICY: string;
  readonly bundle: () => Promise<Map<string, Uint8Array>>;
}
const { bundle, POLICY } = (await import(join(import.meta.dirname, '../../../examples/notes/build.js'))) as Example;

const shows = (part: string): string => `document.body.dataset.shows === '${part}'`;
const says = (id: string, text: string): string =>
  `document.getElementById('${id}').textContent.includes(${JSON.stringify(text)})`;
const click = (id: string): string => `document.getElementById('${id}').click()`;
const fill = (id: string, text: string): string => `{
  const field = document.getElementById('${id}');
  field.value = ${JSON.stringify(text)};
  field.dispatchEvent(new Event('input'));
}`;

async function addAuthenticator(page: DevTools, options = {}): Promise<string> {
  const added = await page.send('WebAuthn.addVirtualAuthenticator', { options: { ...AUTHENTICATOR, ...options } });
  return (added as { authenticatorId: string }).authenticatorId;
}

async function unlock(page: DevTools, passphrase: string): Promise<void> {
  await page.evaluate(fill('passphrase', passphrase));
  await page.evaluate(click('open'));
}

test('notes change to a passkey, which alone opens them', async (context) => {
  const found = await findBrowser(chromium);
  if (found.missing !== undefined) return context.skip(`${found.missing} is missing: ${found.howToGet}`);
  const files = await bundle();
  const server = await serveLocally({
    headers: { 'content-security-policy': POLICY },
    get: (path) => Promise.resolve(files.get(path.split('?', 1)[0].slice(1) || 'index.html')),
    post: () => undefined,
  });
  const seen: unknown[] = [];
  try {
    // Passkeys need a name, and not a number.
    await withDevTools(chromium, found.path, server.url.replace('127.0.0.1', 'localhost'), async (page) => {
      const isHidden = (id: string): Promise<unknown> => page.evaluate(`document.getElementById('${id}').hidden`);
      await page.send('WebAuthn.enable');
      await page.until(says('open', 'Begin'));
      seen.push(await isHidden('passkey'));
      await page.evaluate(fill('again', 'first words'));
      await unlock(page, 'first words');
      await page.until(shows('list'));
      await page.evaluate(click('new'));
      await page.evaluate(fill('text', 'A note'));
      await page.until(says('status', 'Saved'));

      // Without the extension PRF nothing changes.
      const poor = await addAuthenticator(page, { hasPrf: false });
      await page.evaluate(click('change'));
      await page.evaluate(click('change-passkey'));
      await page.until(says('change-status', "can't encrypt"));
      await page.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: poor });

      const good = await addAuthenticator(page);
      await page.evaluate(click('change-passkey'));
      await page.until(`!document.getElementById('changing').open`);
      await page.evaluate(click('lock'));
      await page.until(shows('door'));
      await unlock(page, 'first words');
      await page.until(says('door-status', 'under a passkey'));
      seen.push(await isHidden('passkey'));
      await page.evaluate(click('passkey'));
      await page.until(shows('list'));
      await page.until(says('list', 'A note'));
      // An export closes the database and opens it again, with the key that the worker keeps.
      await page.evaluate(click('export'));
      await page.evaluate(click('new'));
      await page.evaluate(fill('text', 'Another'));
      await page.until(says('status', 'Saved'));

      // Another passkey of the same site doesn't open them.
      const { credentials } = (await page.send('WebAuthn.getCredentials', { authenticatorId: good })) as {
        credentials: readonly { readonly credentialId: string }[];
      };
      seen.push(credentials.length);
      await page.evaluate(click('change'));
      await page.evaluate(click('change-passkey'));
      await page.until(`!document.getElementById('changing').open`);
      await page.evaluate(click('lock'));
      await page.until(shows('door'));
      const after = (await page.send('WebAuthn.getCredentials', { authenticatorId: good })) as {
        credentials: typeof credentials;
      };
      const [{ credentialId }] = credentials;
      for (const other of after.credentials)
        if (other.credentialId !== credentialId)
          await page.send('WebAuthn.removeCredential', { authenticatorId: good, credentialId: other.credentialId });
      await page.evaluate(click('passkey'));
      await page.until(says('door-status', 'under another passkey'));
    });
  } finally {
    await server.close();
  }
  expect(seen).toEqual([true, false, 1]);
  return undefined;
}, 120_000);
