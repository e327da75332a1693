/** Pages without header and tags, in the places where the plain file would have them. */
import type { Layout } from './device.ts';
import type { PageCipher } from './pages.ts';
import type { Operation } from './steps.ts';
import { checkedSize, readAll, writeAll, type Store } from './store.ts';
import type { Tweak } from './tweak.ts';

/** A cipher that encrypts whole pages in place. */
export type LengthPreserving = Pick<PageCipher, 'encryptPages' | 'decryptPages'> & {
  /** A cipher that needs spare bytes would take them from the content. */
  readonly spareLength?: never;
};

/** The layout of length-preserving ciphers. */
export class PlainLayout implements Layout {
  readonly pageSize: number;
  readonly contentSize: number;
  readonly unit: number;
  readonly most: number = 2 ** 53 - 1;
  readonly #store: Store;
  readonly #cipher: LengthPreserving;
  readonly #tweak: Tweak;

  constructor(store: Store, cipher: LengthPreserving, pageSize: number, tweak: Tweak) {
    this.pageSize = this.contentSize = this.unit = pageSize;
    this.#store = store;
    this.#cipher = cipher;
    this.#tweak = tweak;
  }

  *size(): Operation<number> {
    const size = checkedSize(yield this.#store.size());
    return size - (size % this.pageSize);
  }

  *load(first: number, pages: Uint8Array): Operation<void> {
    yield* readAll(this.#store, pages, first * this.pageSize);
    this.#cipher.decryptPages(pages, { pageSize: this.pageSize, first, tweak: this.#tweak });
  }

  *save(first: number, pages: Uint8Array): Operation<void> {
    this.#cipher.encryptPages(pages, { pageSize: this.pageSize, first, tweak: this.#tweak });
    yield* writeAll(this.#store, pages, first * this.pageSize);
  }

  /** The store has grown by the pages that were written. */
  *grow(): Operation<void> {}

  *cut(size: number): Operation<void> {
    yield this.#store.truncate(size);
  }

  *flush(): Operation<void> {
    yield this.#store.flush();
  }
}
