/** The page: a door with the passphrase or a passkey, the list of notes with a search, and an editor that saves by itself. */
const element = (id) => document.getElementById(id);
const worker = new Worker('worker.js', { type: 'module' });
const waiting = new Map();
let count = 0;

worker.onmessage = ({ data: { number, result, message } }) => {
  const { resolve, reject } = waiting.get(number);
  waiting.delete(number);
  if (message === undefined) resolve(result);
  else reject(new Error(message));
};
worker.onerror = ({ message }) => say('door-status', `The database can't be started: ${message}`);

/** A call of the worker. */
const call = (name, ...values) =>
  new Promise((resolve, reject) => {
    waiting.set(++count, { resolve, reject });
    worker.postMessage({ number: count, name, values });
  });

const say = (id, text) => (element(id).textContent = text);
const show = (part) => (document.body.dataset.shows = part);

/** Messages of SQLite and of browsers in the words of this page: the first whose sign they have. */
const WORDS = [
  ['NotAllowedError', "The passkey wasn't used: the request was dismissed, or took too long."],
  ['"key" is a passphrase', 'These notes are under a passkey.'],
  ['"key" is a key', 'These notes are under a passphrase.'],
  ['wrong key', 'That is not the passphrase.'],
  ['not a database', "This file isn't one of this app's notes, or it is damaged."],
  ['another tab', 'The notes are open in another tab: close it there.'],
];
const inWords = ({ name, message }) => WORDS.find(([sign]) => name === sign || message.includes(sign))?.[1] ?? message;

/** What a passkey makes its secret from (WebAuthn, extension PRF): with other bytes it is another secret. */
const PRF = { prf: { eval: { first: new TextEncoder().encode('encrypted notes') } } };
const hasPasskeys = typeof PublicKeyCredential === 'function';
const random = (length) => crypto.getRandomValues(new Uint8Array(length));

/** The 32 bytes that a passkey gives to this site only, of these passkeys or of any that the person chooses. */
async function secretOf(allowCredentials = []) {
  const publicKey = { challenge: random(32), allowCredentials, userVerification: 'required', extensions: PRF };
  const secret = (await navigator.credentials.get({ publicKey })).getClientExtensionResults().prf?.results?.first;
  if (!secret) throw new Error("This passkey can't encrypt: choose another, or the passphrase.");
  return new Uint8Array(secret);
}

async function makePasskey() {
  const name = `Notes, ${new Date().toLocaleDateString()}`;
  const publicKey = {
    challenge: random(32),
    rp: { name: 'Encrypted notes' },
    user: { id: random(16), name, displayName: name },
    pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    extensions: PRF,
  };
  const made = await navigator.credentials.create({ publicKey });
  const { prf } = made.getClientExtensionResults();
  if (!prf?.enabled) throw new Error("Passkeys of this browser or device can't encrypt: take a passphrase.");
  return prf.results?.first ? new Uint8Array(prf.results.first) : secretOf([{ type: 'public-key', id: made.rawId }]);
}

/** The page doesn't keep the secret of a passkey, of which the worker has a copy. */
const wipe = (key) => key instanceof Uint8Array && key.fill(0);

let isNew = false;
/** A file that is to be imported when the form is sent. */
let imported;
/** The number of the note in the editor; undefined for a new one. */
let current;
let isChanged = false;
let timer;

async function greet() {
  isNew = imported === undefined && !(await call('exists'));
  element('again-label').hidden = !isNew;
  element('again').required = isNew;
  element('passkey').hidden = isNew || !hasPasskeys;
  say('import', imported ? 'Keep the notes that are here' : 'Import a file of notes…');
  say('open', imported ? 'Import' : isNew ? 'Begin' : 'Open');
  say(
    'explanation',
    imported
      ? `${imported.name} replaces the notes in this browser, if this is its key.`
      : isNew
        ? 'Choose a passphrase. It encrypts the notes, which stay in this browser; without it they stay closed, to you as well.'
        : 'Notes in this browser, encrypted.',
  );
  show('door');
  element('passphrase').focus();
}

/** Opens the notes, or the file that is to be imported. `keyOf` gives a passphrase, or the secret of a passkey. */
async function unlock(keyOf) {
  const buttons = ['open', 'passkey'].map(element);
  for (const button of buttons) button.disabled = true;
  say('door-status', 'Opening…');
  let key;
  try {
    key = await keyOf();
    if (imported) await call('import', new Uint8Array(await imported.arrayBuffer()), key);
    else await call('open', key);
    imported = undefined;
    await enter();
  } catch (error) {
    const isAnother = typeof key === 'object' && error.message.includes('wrong key');
    say('door-status', isAnother ? 'These notes are under another passkey.' : inWords(error));
  } finally {
    wipe(key);
    for (const button of buttons) button.disabled = false;
  }
}

element('unlock').onsubmit = (event) => {
  event.preventDefault();
  const given = element('passphrase').value;
  if (isNew && given !== element('again').value) say('door-status', "The passphrases aren't the same.");
  else void unlock(() => given);
};
element('passkey').onclick = () => void unlock(() => secretOf());

async function enter() {
  for (const id of ['passphrase', 'again', 'search', 'text']) element(id).value = '';
  say('door-status', '');
  await list();
  show('list');
}

element('import').onclick = () => {
  if (imported === undefined) return element('file').click();
  imported = undefined;
  say('door-status', '');
  void greet();
};
element('file').onchange = () => {
  imported = element('file').files[0];
  element('file').value = '';
  if (imported) void greet();
};

/** A text with the words that were found between two control characters (`worker.js`), as nodes. */
const marked = (text) =>
  text
    .replaceAll('\u0003', '\u0002')
    .split('\u0002')
    .map((part, i) => {
      if (i % 2 === 0) return part;
      const mark = document.createElement('mark');
      mark.textContent = part;
      return mark;
    });

async function list() {
  const query = element('search').value;
  const notes = await call('list', query);
  element('list').replaceChildren(
    ...notes.map(({ id, text, found }) => {
      const [title, ...rest] = text.split('\n');
      const [item, button, strong, span] = ['li', 'button', 'strong', 'span'].map((name) =>
        document.createElement(name),
      );
      strong.textContent = title || 'Without a title';
      span.append(...(found === undefined ? [rest.join(' ').trim() || '\u00a0'] : marked(found)));
      button.append(strong, span);
      button.ariaCurrent = String(id === current);
      button.onclick = () => void edit(id);
      item.append(button);
      return item;
    }),
  );
  element('none').hidden = notes.length > 0;
  say('none', query === '' ? 'No notes.' : 'No note has these words.');
}

element('search').oninput = () => void list();

async function edit(id) {
  await save();
  current = id;
  element('text').value = id === undefined ? '' : await call('read', id);
  say('status', '');
  show('note');
  if (id === undefined) element('text').focus();
  await list();
}

element('new').onclick = () => void edit(undefined);
element('back').onclick = async () => {
  await save();
  show('list');
  await list();
};

let saving = Promise.resolve();
/** Saves the note, after the save before it. */
function save() {
  self.clearTimeout(timer);
  saving = saving.then(async () => {
    if (!isChanged) return;
    isChanged = false;
    try {
      current = await call('write', current, element('text').value);
      say('status', 'Saved');
    } catch (error) {
      isChanged = true;
      say('status', `Not saved: ${inWords(error)}`);
    }
    await list();
  });
  return saving;
}

element('text').oninput = () => {
  isChanged = true;
  say('status', 'Saving…');
  self.clearTimeout(timer);
  timer = setTimeout(save, 400);
};
// A tab that is hidden may not come back.
document.onvisibilitychange = () => document.hidden && void save();

element('remove').onclick = async () => {
  self.clearTimeout(timer);
  isChanged = false;
  await saving;
  if (current !== undefined) await call('remove', current);
  current = undefined;
  element('text').value = '';
  show('list');
  await list();
};

element('export').onclick = async () => {
  await save();
  const bytes = await call('export');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.download = 'notes.db';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

element('change').onclick = () => {
  element('change-form').reset();
  element('change-passkey').hidden = !hasPasskeys;
  say('change-status', '');
  element('changing').showModal();
};
element('change-cancel').onclick = () => element('changing').close();
async function rekey(keyOf) {
  const buttons = ['change-done', 'change-passkey'].map(element);
  for (const button of buttons) button.disabled = true;
  say('change-status', 'Changing…');
  let key;
  try {
    key = await keyOf();
    await call('rekey', key);
    element('changing').close();
  } catch (error) {
    say('change-status', inWords(error));
  } finally {
    wipe(key);
    for (const button of buttons) button.disabled = false;
  }
}
element('change-form').onsubmit = (event) => {
  event.preventDefault();
  const next = element('next').value;
  if (next !== element('next-again').value) say('change-status', "The passphrases aren't the same.");
  else void rekey(() => next);
};
element('change-passkey').onclick = () => void rekey(makePasskey);

element('lock').onclick = async () => {
  await save();
  await call('close');
  current = undefined;
  element('text').value = '';
  element('list').replaceChildren();
  await greet();
};

if ('serviceWorker' in navigator) void navigator.serviceWorker.register('service-worker.js');
// Browsers may remove files of sites that don't ask for this.
void navigator.storage?.persist?.();
void greet();
