/** The panels for keys: new passphrases, new keys, remembered keys, passkeys. */
import { generateHybridIdentity, generateIdentity, identityToRecipient } from '@lanewise/age';
import { button, input, make, part, say, textArea } from './elements.ts';
import { explain } from './explain.ts';
import { forgetKey, rememberKey, storedKeys, type StoredKey } from './key-store.ts';
import { shown } from './names.ts';
import { saveFile } from './outputs/save-file.ts';
import { identitiesIn, keyFileText, randomPassphrase, weaknessOf } from './keys.ts';
import { makePasskey, whyNoPasskeys } from './passkeys.ts';
import { useKeyFile } from './tasks.ts';

/** The key that was made last. */
let made: StoredKey | undefined;

/** A button that shows and hides the text of some fields. */
function makeRevealing(control: HTMLButtonElement): void {
  const fields = control.dataset['reveal']!.split(' ').map(input);
  control.addEventListener('click', () => setRevealed(control, fields, fields[0].type === 'password'));
}

function setRevealed(control: HTMLButtonElement, fields: readonly HTMLInputElement[], revealed: boolean): void {
  for (const field of fields) field.type = revealed ? 'text' : 'password';
  control.textContent = revealed ? 'Hide' : 'Show';
  control.setAttribute('aria-pressed', String(revealed));
}

/** The passphrase that was made, if it is still the one in the fields: shown whole, where a field shows a part. */
function showMade(passphrase: string): void {
  say('made-passphrase', passphrase);
  part('made-row').hidden = passphrase === '';
}

const HINT = 'Anyone with the passphrase can open the files; without it, no one can. Five random words are enough.';
const WEAK = {
  short: 'This passphrase is short: programs guess such ones. Use five random words or more; Make one finds them.',
  regular:
    'This passphrase repeats itself or counts up: programs guess such ones. Use five random words or more; Make one finds them.',
};

/** Advice about a passphrase while it is typed. */
function advise(passphrase: string): void {
  const weakness = passphrase === '' ? undefined : weaknessOf(passphrase);
  say('new-passphrase-hint', weakness ? WEAK[weakness] : HINT);
  part('new-passphrase-hint').classList.toggle('bad', weakness !== undefined);
}

function addRecipient(recipient: string): void {
  const area = textArea('recipients');
  const lines = area.value.split('\n').filter((line) => line.trim() !== '');
  if (!lines.includes(recipient)) area.value = [...lines, recipient, ''].join('\n');
}

function showStored(): void {
  const keys = storedKeys();
  part('stored').dataset['count'] = String(keys.length);
  part('stored-list').replaceChildren(
    ...keys.map((key) => {
      const use = make('button', { type: 'button', className: 'use' }, 'Encrypt for it');
      const forget = make('button', { type: 'button' }, 'Forget');
      const short = `${key.recipient.slice(0, 14)}…${key.recipient.slice(-6)}`;
      use.setAttribute('aria-label', `Encrypt for ${short}`);
      forget.setAttribute('aria-label', `Forget ${short}`);
      use.addEventListener('click', () => addRecipient(key.recipient));
      forget.addEventListener('click', () => {
        if (!confirm('Forget this key? Files that were encrypted for it cannot be opened without its secret key.'))
          return;
        forgetKey(key);
        showStored();
        showFor(currentTask, currentMethod);
      });
      const date = new Date(key.made).toLocaleDateString();
      return make(
        'li',
        {},
        make('code', { title: key.recipient }, short),
        make('span', { className: 'hint' }, `made ${date}`),
        use,
        forget,
      );
    }),
  );
}

let currentTask = '';
let currentMethod = '';

/** Shows the panel of a method, and all that belongs to it. */
export function showFor(task: string, method: string): void {
  currentTask = task;
  currentMethod = method;
  for (const panel of document.querySelectorAll<HTMLElement>('[data-method]'))
    panel.hidden = panel.dataset['method'] !== `${task} ${method}`;
  part('passkey-identity-section').hidden = task === 'hash' || method !== 'passkey' || whyNoPasskeys() !== undefined;
  part('stored').hidden = task === 'hash' || method !== 'keys' || storedKeys().length === 0;
  part('stored').dataset['task'] = task;
}

async function makeKey(): Promise<void> {
  const identity = await (input('post-quantum').checked ? generateHybridIdentity() : generateIdentity());
  const recipient = await identityToRecipient(identity);
  made = { identity, recipient, made: new Date().toISOString() };
  input('new-public-key').value = recipient;
  input('new-secret-key').value = identity;
  part('new-key').hidden = false;
  say(
    'new-key-note',
    'The files will be encrypted for this key. It is not stored anywhere until you save it or let it be remembered.',
  );
  addRecipient(recipient);
  part('new-key-title').focus();
}

async function makeOnePasskey(): Promise<void> {
  say('passkey-status', 'The browser asks you to make a passkey.');
  try {
    const isSecurityKey = input('security-key').checked;
    const identity = await makePasskey(input('passkey-name').value.trim() || 'Lanewise Files', isSecurityKey);
    if (isSecurityKey) input('passkey-identity').value = identity;
    say(
      'passkey-status',
      isSecurityKey
        ? 'The security key is ready. Keep its identity, which is in the field below: without it the files cannot be opened.'
        : 'The passkey is ready. Encrypt the files now, and choose it when the browser asks.',
    );
  } catch (error) {
    say('passkey-status', explain(error, 'passkey'));
  }
}

async function readKeyFile(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    if (file.size > 1_000_000) throw new Error('too long');
    const text = await file.text();
    if (/^(age-encryption\.org|-----BEGIN AGE)/.test(text)) {
      say('key-file-note', 'This key file is encrypted itself. Decrypt it here first, then choose the result.');
      return;
    }
    const { length } = identitiesIn(text);
    if (length === 0) throw new Error('no keys');
    useKeyFile(text);
    say('key-file-note', `${length === 1 ? 'The key' : `${length} keys`} of ${shown(file.name)} will be tried.`);
  } catch {
    useKeyFile('');
    say(
      'key-file-note',
      `${shown(file.name)} isn't a key file: a key file has lines that start with AGE-SECRET-KEY-1.`,
    );
  }
}

/** Makes the panels work. */
export function startPanels(): void {
  for (const control of document.querySelectorAll<HTMLButtonElement>('[data-reveal]')) makeRevealing(control);
  for (const control of document.querySelectorAll<HTMLButtonElement>('[data-copy]'))
    control.addEventListener('click', () => {
      void navigator.clipboard.writeText(input(control.dataset['copy']!).value).then(() => {
        control.textContent = 'Copied';
        setTimeout(() => (control.textContent = 'Copy'), 2000);
      });
    });
  button('make-passphrase').addEventListener('click', () => {
    const passphrase = randomPassphrase();
    const fields = [input('new-passphrase'), input('repeat-passphrase')];
    for (const field of fields) field.value = passphrase;
    setRevealed(document.querySelector('[data-reveal~="new-passphrase"]')!, fields, false);
    advise('');
    say(
      'new-passphrase-hint',
      'Write this passphrase down, or keep it in a password manager: without it, no one can open the files.',
    );
    showMade(passphrase);
    fields[0].focus();
  });
  input('new-passphrase').addEventListener('input', () => {
    showMade('');
    advise(input('new-passphrase').value);
  });
  button('make-key').addEventListener('click', () => void makeKey());
  button('save-key').addEventListener('click', () => {
    if (!made) return;
    saveFile(
      new File([keyFileText(made.identity, made.recipient, new Date(made.made))], 'age-key.txt', {
        type: 'text/plain',
      }),
    );
    say('new-key-note', 'Saved as age-key.txt. Anyone with this file can open your files.');
  });
  button('remember-key').addEventListener('click', () => {
    if (!made) return;
    try {
      rememberKey(made);
      say(
        'new-key-note',
        'This browser remembers the key, unencrypted. Save a key file, too: browsers can lose what they store.',
      );
    } catch {
      say('new-key-note', 'This browser stores nothing here. Save a key file instead.');
    }
    showStored();
    showFor(currentTask, currentMethod);
  });
  button('make-passkey').addEventListener('click', () => void makeOnePasskey());
  button('choose-key-file').addEventListener('click', () => input('key-file-input').click());
  input('key-file-input').addEventListener('change', ({ target }) => {
    void readKeyFile((target as HTMLInputElement).files?.[0]);
  });
  const reason = whyNoPasskeys();
  if (reason !== undefined) {
    for (const note of document.querySelectorAll('.passkey-note')) note.textContent = reason;
    button('make-passkey').disabled = true;
  }
  showStored();
}
