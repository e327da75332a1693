/** The page. */
import { describe, type Engine } from 'lanewise/engine.js';
import { fromDrop, fromInput, type Chosen } from './chosen.ts';
import { openingOf, type Opening } from './detect.ts';
import { announce, button, chooseValue, chosenValue, element, input, part, say } from './elements.ts';
import { Advice, explain, isCancelled } from './explain.ts';
import { FileList } from './file-list.ts';
import { isAlone } from './alone.ts';
import { showFor, startPanels } from './key-panels.ts';
import { workOffline } from './offline.ts';
import { prepare, removeAtEnd } from './outputs/private-files.ts';
import { saveFile } from './outputs/save-file.ts';
import { cancel, isRunning, run } from './run.ts';
import { Saves } from './saves.ts';
import { workOf, type Products, type Task } from './tasks.ts';
import { pool } from './workers.ts';

const LABELS: Readonly<Record<Task, string>> = { encrypt: 'Encrypt', decrypt: 'Decrypt', hash: 'Hash' };
const OPENINGS: Readonly<Record<Opening, string>> = {
  passphrase: 'The first file was encrypted with a passphrase.',
  keys: 'The first file was encrypted for age keys.',
  passkey: 'The first file was encrypted with a passkey.',
};

const ONE_SAVED = ' The browser saves it now; the button in the list saves it again.';
const TO_BE_SAVED =
  ' Save them now: they are kept, encrypted for this page, only until it is closed or the list is cleared.';

const saves = new Saves(
  (error) => {
    const text = isCancelled(error)
      ? 'The download was stopped in the browser. Save the file again from the list.'
      : explain(error, 'hash');
    say('error', text);
    announce(text);
  },
  () => {
    if (saves.isDone) announce('All results are saved.');
  },
);
const list = new FileList(
  () => forgetResults(),
  (unsaved) => saves.save(unsaved),
);
const task = (): Task => chosenValue('task') as Task;
let products: Products = { unsaved: [], hashes: [] };

function forgetResults(): void {
  say('error', '');
  say('result', '');
  button('save-all').hidden = true;
  button('save-hashes').hidden = true;
}

function showTask(): void {
  const chosen = task();
  part('encrypt-keys').hidden = chosen !== 'encrypt';
  part('encrypt-options').hidden = chosen !== 'encrypt';
  part('decrypt-keys').hidden = chosen !== 'decrypt';
  part('hash-options').hidden = chosen !== 'hash';
  showFor(chosen, chosen === 'hash' ? '' : chosenValue(`${chosen}-method`));
  button('start').textContent = LABELS[chosen];
  forgetResults();
}

/** Chooses how files are opened by the header of the first one. */
async function detect(): Promise<void> {
  const [first] = list.files;
  if (task() !== 'decrypt' || !first) {
    say('detected', '');
    return;
  }
  const opening = await openingOf(first.file);
  if (list.files[0] !== first) return;
  if (opening) chooseValue('decrypt-method', opening);
  say('detected', opening ? OPENINGS[opening] : "The first file wasn't encrypted with age.");
}

function add(files: readonly Chosen[]): void {
  if (files.length === 0 || isRunning()) return;
  const isFirst = list.files.length === 0;
  forgetResults();
  list.add(files);
  if (isFirst && task() === 'encrypt' && files.every(({ path }) => /\.age$/i.test(path)))
    chooseValue('task', 'decrypt');
  announce(part('summary').textContent);
  void detect();
}

function clear(): void {
  list.clear();
  saves.forget(products.unsaved);
  products = { unsaved: [], hashes: [] };
  forgetResults();
  say('detected', '');
  button('choose-files').focus();
}

function showError(error: unknown): void {
  if (isCancelled(error)) {
    announce('Nothing was done.');
    return;
  }
  say('error', explain(error, task() === 'hash' ? 'hash' : (chosenValue(`${task()}-method`) as Opening)));
  const field = error instanceof Advice && error.field ? document.getElementById(error.field) : null;
  if (field) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-errormessage', 'error');
    field.addEventListener('input', () => field.removeAttribute('aria-invalid'), { once: true });
  }
  (field ?? part('error')).focus();
}

/** By the engine of the library. */
const SPEEDS: Readonly<Record<Engine, string>> = {
  native: 'at full speed',
  simd: 'at full speed',
  scalar: 'at about half the speed: it lacks SIMD',
  js: 'slowly: it runs no WebAssembly',
};

/** Says on how many threads the work is done, and why if it is one only. */
function showEngine(): void {
  const { threads, reason } = pool.describe();
  const where = reason === undefined ? `on ${threads + 1} threads` : `on one thread, because ${reason}`;
  say('engine', `This browser works ${where}, ${SPEEDS[describe().engine]}.`);
}

async function start(): Promise<void> {
  if (isRunning()) return;
  forgetResults();
  for (const field of document.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  if (saves.left > 0 && !saves.isRunning) {
    showError(new Advice('Save the results of the last run first, or clear the list: a new run removes them.'));
    button('save-all').hidden = products.unsaved.length < 2;
    return;
  }
  saves.forget(products.unsaved);
  products = { unsaved: [], hashes: [] };
  try {
    const work = await workOf(task(), list, products);
    await run(list, work);
  } catch (error) {
    showError(error);
    return;
  }
  showEngine();
  const { unsaved, hashes } = products;
  saves.expect(unsaved);
  if (unsaved.length === 1) saveAll();
  if (unsaved.length > 0) part('result').append(unsaved.length === 1 ? ONE_SAVED : TO_BE_SAVED);
  button('save-all').hidden = unsaved.length < 2;
  button('save-hashes').hidden = hashes.length === 0;
}

function saveAll(): void {
  for (const unsaved of products.unsaved) saves.save(unsaved);
}

function startFiles(): void {
  button('choose-files').addEventListener('click', () => input('file-input').click());
  button('choose-folder').addEventListener('click', () => input('folder-input').click());
  button('choose-folder').hidden = !('webkitdirectory' in HTMLInputElement.prototype);
  for (const id of ['file-input', 'folder-input'])
    input(id).addEventListener('change', ({ target }) => {
      const field = target as HTMLInputElement;
      add(fromInput(field.files ?? []));
      field.value = ''; // so that the same file can be chosen again
    });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('over');
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) document.body.classList.remove('over');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('over');
    if (event.dataTransfer) fromDrop(event.dataTransfer).then(add, showError);
  });
  addEventListener('paste', ({ clipboardData }) => add(fromInput(clipboardData?.files ?? [])));
  // Files that the installed app is asked to open.
  const { launchQueue } = globalThis as {
    launchQueue?: { setConsumer(consumer: (launch: { files: readonly FileSystemFileHandle[] }) => void): void };
  };
  launchQueue?.setConsumer(({ files }) => {
    Promise.all(files.map((handle) => handle.getFile())).then((all) => add(fromInput(all)), showError);
  });
}

startFiles();
startPanels();
element('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  void start();
});
button('cancel').addEventListener('click', cancel);
button('clear').addEventListener('click', () => clear());
button('save-all').addEventListener('click', saveAll);
button('save-hashes').addEventListener('click', () => {
  saveFile(new File(products.hashes, 'checksums.b3', { type: 'text/plain' }));
});
for (const radio of document.querySelectorAll('input[type=radio]'))
  radio.addEventListener('change', () => {
    showTask();
    if ((radio as HTMLInputElement).name !== 'task') return;
    // Outcomes belong to the task before; buttons that save stay as long as they are needed.
    if (saves.isDone) list.reset();
    void detect();
  });
addEventListener('beforeunload', (event) => {
  if (isRunning() || !saves.isDone) event.preventDefault();
});
showTask();
showEngine();
part('not-started').remove();
part('app').hidden = false;
void prepare();
removeAtEnd();
button('remember-key').hidden = !isAlone;
part('shared').hidden = isAlone;
void workOffline(() => !isRunning() && saves.isDone);
