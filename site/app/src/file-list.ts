/** The list of chosen files, with the result of each. */
import type { Chosen } from './chosen.ts';
import { make, nameElement, part, say } from './elements.ts';
import { shown } from './names.ts';
import type { Unsaved } from './outputs/output.ts';
import { countText, sizeText } from './units.ts';

/** More rows would make the page slow; the files after them are worked on all the same. */
const MOST_ROWS = 500;

export type Outcome =
  | { readonly kind: 'waiting' | 'working' }
  | {
      /** `uncompared`: hashes are expected, and none of this file. */
      readonly kind: 'done' | 'differs' | 'uncompared';
      readonly note: string;
      readonly hash?: string;
      readonly verdict?: string;
      readonly unsaved?: Unsaved;
    }
  | { readonly kind: 'failed'; readonly note: string };

/** A sign and a word, so that nothing is told by colour alone. */
const SIGNS: Readonly<Record<Outcome['kind'], string>> = {
  waiting: '',
  working: '…',
  done: '✓',
  differs: '✗',
  uncompared: '?',
  failed: '✗',
};

const TROUBLE: ReadonlySet<Outcome['kind']> = new Set(['failed', 'differs', 'uncompared']);

export class FileList {
  readonly #rows = new Map<Chosen, HTMLElement>();
  readonly #list = part('list');
  #files: Chosen[] = [];
  readonly #onRemove: () => void;
  readonly #save: (unsaved: Unsaved) => void;

  constructor(onRemove: () => void, save: (unsaved: Unsaved) => void) {
    this.#onRemove = onRemove;
    this.#save = save;
  }

  get files(): readonly Chosen[] {
    return this.#files;
  }

  get size(): number {
    return this.#files.reduce((sum, { file }) => sum + file.size, 0);
  }

  add(files: readonly Chosen[]): void {
    for (const file of files) {
      this.#files.push(file);
      if (this.#rows.size < MOST_ROWS) this.#addRow(file);
    }
    this.#summarise();
  }

  clear(): void {
    this.#files = [];
    this.#rows.clear();
    this.#list.replaceChildren();
    this.#summarise();
  }

  /** Forgets the results of the files. */
  reset(): void {
    for (const file of this.#files) this.show(file, { kind: 'waiting' });
  }

  show(file: Chosen, outcome: Outcome): void {
    // Errors are shown, however long the list is.
    if (!this.#rows.has(file) && TROUBLE.has(outcome.kind)) {
      this.#addRow(file);
      this.#summarise();
    }
    const row = this.#rows.get(file);
    if (!row) return;
    row.dataset['outcome'] = outcome.kind;
    row.querySelector('.sign')!.textContent = SIGNS[outcome.kind];
    const place = row.querySelector('.outcome')!;
    place.replaceChildren();
    if (outcome.kind === 'failed') place.append(make('span', { className: 'bad' }, outcome.note));
    if (!('note' in outcome) || outcome.kind === 'failed') return;
    if (outcome.hash !== undefined) place.append(this.#hash(outcome.hash));
    else place.append(make('span', {}, outcome.note));
    if (outcome.verdict !== undefined) place.append(make('span', { className: 'verdict' }, outcome.verdict));
    const { unsaved } = outcome;
    if (unsaved) {
      const button = make('button', { type: 'button' }, 'Save ', nameElement(unsaved.name));
      button.addEventListener('click', () => this.#save(unsaved));
      place.append(button);
    }
  }

  #hash(hash: string): HTMLElement {
    const copy = make('button', { type: 'button' }, 'Copy');
    copy.addEventListener('click', () => {
      void navigator.clipboard.writeText(hash).then(() => (copy.textContent = 'Copied'));
    });
    return make('span', { className: 'hash' }, make('code', {}, hash), copy);
  }

  #addRow(chosen: Chosen): void {
    const { file, path } = chosen;
    const remove = make('button', { type: 'button', className: 'remove', title: 'Remove from the list' }, '×');
    remove.setAttribute('aria-label', `Remove ${shown(path)} from the list`);
    const row = make(
      'li',
      {},
      make('span', { className: 'sign', ariaHidden: 'true' }),
      make('span', { className: 'name' }, nameElement(path)),
      make('span', { className: 'size' }, sizeText(file.size)),
      remove,
      make('div', { className: 'outcome' }),
    );
    remove.addEventListener('click', () => {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      this.#files = this.#files.filter((one) => one !== chosen);
      this.#rows.delete(chosen);
      row.remove();
      this.#summarise();
      // The focus stays near where it was.
      (next?.querySelector<HTMLElement>('.remove') ?? document.getElementById('choose-files'))?.focus();
      this.#onRemove();
    });
    this.#rows.set(chosen, row);
    this.#list.append(row);
  }

  #summarise(): void {
    const { length } = this.#files;
    part('summary-row').hidden = length === 0;
    part('summary').textContent = `${countText(length, 'file')}, ${sizeText(this.size)}`;
    const hidden = length - this.#rows.size;
    say('more', hidden > 0 ? `and ${countText(hidden, 'more file')}, which the list does not show` : '');
  }
}
