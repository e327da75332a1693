/** The page: a door with the passphrase, the list of notes with a search, and an editor that saves by itself. */
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

/** Messages of SQLite in the words of this page. */
const inWords = ({ message }) =>
  message.includes('wrong key')
    ? 'That is not the passphrase.'
    : message.includes('not a database')
      ? "This file isn't one of this app's notes, or it is damaged."
      : message.includes('another tab')
        ? 'The notes are open in another tab: close it there.'
        : message;

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
  say('import', imported ? 'Keep the notes that are here' : 'Import a file of notes…');
  say('open', imported ? 'Import' : isNew ? 'Begin' : 'Open');
  say(
    'explanation',
    imported
      ? `${imported.name} replaces the notes in this browser, if this is its passphrase.`
      : isNew
        ? 'Choose a passphrase. It encrypts the notes, which stay in this browser; without it they stay closed, to you as well.'
        : 'Notes in this browser, encrypted.',
  );
  show('door');
  element('passphrase').focus();
}

element('unlock').onsubmit = async (event) => {
  event.preventDefault();
  const given = element('passphrase').value;
  if (isNew && given !== element('again').value) return say('door-status', "The passphrases aren't the same.");
  element('open').disabled = true;
  say('door-status', 'Opening…');
  try {
    if (imported) await call('import', new Uint8Array(await imported.arrayBuffer()), given);
    else await call('open', given);
    imported = undefined;
    await enter();
  } catch (error) {
    say('door-status', inWords(error));
  } finally {
    element('open').disabled = false;
  }
};

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
  say('change-status', '');
  element('changing').showModal();
};
element('change-cancel').onclick = () => element('changing').close();
element('change-form').onsubmit = async (event) => {
  event.preventDefault();
  const next = element('next').value;
  if (next !== element('next-again').value) return say('change-status', "The passphrases aren't the same.");
  say('change-status', 'Changing…');
  try {
    await call('rekey', next);
    element('changing').close();
  } catch (error) {
    say('change-status', inWords(error));
  }
};

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
