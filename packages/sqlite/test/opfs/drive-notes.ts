/** Uses the app of examples/notes as a person does, in a frame. The server gets the answers of the page, a line each. */
const frame = document.body.appendChild(document.createElement('iframe'));
const lines: string[] = [];

const page = (): Document => frame.contentDocument!;
const element = (id: string): HTMLElement & HTMLInputElement => page().getElementById(id) as never;
const text = (id: string): string => element(id).textContent;
const shows = (): string | undefined => page().body.dataset['shows'];

async function until(condition: () => unknown, what: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    try {
      if (condition()) return;
    } catch {
      // The page isn't there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited for ${what}; the page says: ${page().body.innerText}`);
}

async function load(): Promise<void> {
  frame.src = `./?${lines.length}`;
  await until(() => frame.contentWindow!.location.search === `?${lines.length}` && text('explanation'), 'the door');
}

function fill(id: string, value: string): void {
  element(id).value = value;
  element(id).dispatchEvent(new Event('input'));
}

async function unlock(passphrase: string): Promise<void> {
  fill('passphrase', passphrase);
  element('open').click();
  await until(() => shows() === 'list' || !/^(Opening…)?$/.test(text('door-status')), 'the notes');
  lines.push(shows() === 'list' ? titles() : text('door-status'));
}

const titles = (): string =>
  [...page().querySelectorAll('#list strong')].map(({ textContent }) => textContent).join(', ') || text('none');

async function write(note: string): Promise<void> {
  element('new').click();
  await until(() => shows() === 'note', 'the editor');
  fill('text', note);
  await until(() => text('status') === 'Saved', 'a saved note');
  element('back').click();
  await until(() => shows() === 'list', 'the list');
}

async function search(words: string): Promise<void> {
  const before = element('list').firstChild;
  fill('search', words);
  await until(() => element('list').firstChild !== before, 'a list');
  lines.push(`${titles()}: ${[...page().querySelectorAll('mark')].map(({ textContent }) => textContent).join()}`);
}

async function exported(): Promise<Blob> {
  const { URL: Addresses } = frame.contentWindow as unknown as { URL: { createObjectURL(blob: Blob): string } };
  const create = Addresses.createObjectURL.bind(Addresses);
  const came = Promise.withResolvers<Blob>();
  Addresses.createObjectURL = (blob) => {
    came.resolve(blob);
    return create(blob);
  };
  element('export').click();
  return came.promise;
}

async function lock(): Promise<void> {
  element('lock').click();
  await until(() => shows() === 'door', 'the door');
}

function choose(file: File): void {
  const transfer = new DataTransfer();
  transfer.items.add(file);
  element('file').files = transfer.files;
  element('file').dispatchEvent(new Event('change'));
}

async function drive(): Promise<void> {
  await load();
  lines.push(text('open'));
  fill('again', 'other words');
  await unlock('first words');
  fill('again', 'first words');
  await unlock('first words');
  await write('Shopping\nremember the milk');
  await write('Plans\nmilk the cow, <b>bake</b> bread');
  await write('Poem\nno words in common');
  await search('milk rem');
  await search('bak');
  await search('nothing');
  await search('');
  const blob = await exported();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  lines.push(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
  await until(() => text('status') !== 'x' && titles(), 'the list');

  element('change').click();
  fill('next', 'second words');
  fill('next-again', 'second words');
  element('change-done').click();
  await until(() => !(element('changing') as unknown as HTMLDialogElement).open, 'another passphrase');
  (page().querySelector('#list button') as unknown as HTMLElement).click();
  await until(() => shows() === 'note' && element('text').value.startsWith('Poem'), 'a note');
  element('remove').click();
  await until(() => shows() === 'list' && titles().startsWith('Plans'), 'the list');
  await lock();
  await unlock('first words');
  await unlock('second words');

  await lock();
  choose(new File([bytes], 'old.db'));
  await until(() => text('open') === 'Import', 'the door for an import');
  await unlock('second words');
  await unlock('first words');
  await lock();
  choose(new File(['no database'], 'other.db'));
  await until(() => text('open') === 'Import', 'the door for an import');
  await unlock('first words');

  await frame.contentWindow!.navigator.serviceWorker.ready;
  await fetch('offline', { method: 'POST' });
  lines.push(String((await fetch('drive.js', { cache: 'no-store' })).status));
  await load();
  await unlock('first words');
}

void drive()
  .catch((error: unknown) => lines.push(String(error)))
  .then(() => fetch('result', { method: 'POST', body: lines.join('\n') }));
