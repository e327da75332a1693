/** The app in a frame, as a person sees it: files are chosen, fields are filled in, buttons are clicked. */

type Names = 'encrypt' | 'decrypt' | 'hash';

/** Features that are removed from the browser before the app starts, so that it takes another way. */
export type Lack = 'pickers' | 'private files';

export const ask = async <Answer>(name: string, argument: unknown = null): Promise<Answer> => {
  const answer = await fetch(`/ask/${name}`, { method: 'POST', body: JSON.stringify(argument) });
  if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
};

export const fileFrom = async (name: string): Promise<File> =>
  new File([await (await fetch(`/files/${name}`)).blob()], name);

export async function until<Found>(
  what: string,
  look: () => Found | Promise<Found>,
  milliseconds = 30_000,
): Promise<NonNullable<Found>> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain until ${what}`);
}

export class AppPage {
  readonly frame: HTMLIFrameElement;
  readonly violations: string[] = [];

  private constructor(frame: HTMLIFrameElement) {
    this.frame = frame;
  }

  static async open(lacks: readonly Lack[] = [], path = '/'): Promise<AppPage> {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'width: 1000px; height: 700px';
    frame.src = path;
    document.body.append(frame);
    const page = new AppPage(frame);
    // A service worker that takes over may have the page loaded again, also after it has started.
    frame.addEventListener('load', () => page.#remove(lacks));
    await page.started(lacks);
    return page;
  }

  #remove(lacks: readonly Lack[]): void {
    if (lacks.includes('pickers'))
      Object.assign(this.window, { showSaveFilePicker: undefined, showDirectoryPicker: undefined });
    if (lacks.includes('private files') && 'storage' in this.window.navigator)
      Object.defineProperty(this.window.navigator.storage, 'getDirectory', { value: undefined, configurable: true });
  }

  get window(): Window & typeof globalThis {
    return this.frame.contentWindow as Window & typeof globalThis;
  }

  get document(): Document {
    return this.frame.contentDocument!;
  }

  get<Type extends HTMLElement = HTMLInputElement>(id: string): Type {
    const found = this.document.getElementById(id);
    if (!found) throw new Error(`there is no #${id}`);
    return found as Type;
  }

  /** Waits until the app has started, and removes the features that it must not have. */
  async started(lacks: readonly Lack[] = []): Promise<void> {
    const isNew = (): boolean =>
      this.document.readyState !== 'loading' &&
      this.document.getElementById('app') !== null &&
      this.document.body.dataset['seen'] === undefined;
    await until('the document is a new one', isNew);
    this.document.body.dataset['seen'] = 'yes';
    this.document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      this.violations.push(`${violatedDirective}: ${blockedURI} in ${sourceFile}`);
    });
    this.#remove(lacks);
    await until('the app has started', () => !this.get('app').hidden);
    await until('it works offline', () => this.get('offline').textContent.startsWith('Ready'));
  }

  async reload(lacks: readonly Lack[] = []): Promise<void> {
    this.window.location.reload();
    await this.started(lacks);
  }

  task(name: Names): void {
    this.document.querySelector<HTMLInputElement>(`input[name=task][value=${name}]`)!.click();
  }

  method(task: Names, name: 'passphrase' | 'keys'): void {
    this.document.querySelector<HTMLInputElement>(`input[name=${task}-method][value=${name}]`)!.click();
  }

  fill(id: string, text: string): void {
    const field = this.get(id);
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  choose(files: readonly File[], inputId = 'file-input'): void {
    this.get('clear').click();
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    const field = this.get(inputId);
    field.files = transfer.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** Drops files on the page, as a file manager does. */
  drop(files: readonly File[]): void {
    this.get('clear').click();
    const dataTransfer = new DataTransfer();
    for (const file of files) dataTransfer.items.add(file);
    this.document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }

  start(): void {
    this.get('start').click();
  }

  /** Waits for the end of a run, and returns the page's text. */
  async ended(milliseconds = 60_000): Promise<string> {
    const said = (): string => {
      if (this.document.body.dataset['state'] === 'running') return '';
      const texts = ['error', 'result'].map((id) => this.get(id)).filter(({ hidden }) => !hidden);
      return texts.map(({ textContent }) => textContent).join(' ');
    };
    return until('the run has ended', said, milliseconds);
  }

  outcomes(): string[] {
    return [...this.document.querySelectorAll('#list .outcome')].map((one) => one.textContent);
  }

  /** The signs of the rows, by which nothing is told by colour alone. */
  signs(): string[] {
    return [...this.document.querySelectorAll('#list .sign')].map((one) => one.textContent);
  }

  hashes(): string[] {
    return [...this.document.querySelectorAll('#list code')].map((one) => one.textContent);
  }
}
