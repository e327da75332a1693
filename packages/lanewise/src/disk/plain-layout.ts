/** Pages without header and tags, in the places where the plain file would have them. */
import { STAGE_BYTES, type Layout } from './device.ts';
import type { PageCipher } from './pages.ts';
import { byteLengthOf } from '../engine/intrinsics.ts';
import type { Operation } from '../io/steps.ts';
import { checkedSize, readAll, writeAll, type Store } from '../io/store.ts';
import { threadsOf, watch } from '../work/threads.ts';
import type { PagesOptions, Tweak } from './tweak.ts';

/**
 * A cipher that encrypts whole pages in place.
 * @inline
 */
export type LengthPreserving = Pick<PageCipher, 'encryptPages' | 'decryptPages'> & {
  /** A cipher that needs spare bytes would take them from the content. */
  readonly spareLength?: never;
};

type OnPool = (cipher: PageCipher, buffer: Uint8Array, options: PagesOptions) => Promise<unknown>;
/** The calls of a pool that encrypt pages in place. */
export type PagePool = Readonly<Record<'encryptPages' | 'decryptPages', OnPool>>;

/** The bytes of pages that a pool works on at a time: so many that its workers are busy for most of it. */
const POOL_STAGE_BYTES = 8_388_608;

/** The layout of length-preserving ciphers. */
export class PlainLayout implements Layout {
  readonly pageSize: number;
  readonly contentSize: number;
  readonly unit: number;
  readonly stageBytes: number;
  readonly most: number = 2 ** 53 - 1;
  readonly #store: Store;
  readonly #cipher: LengthPreserving;
  readonly #tweak: Tweak;
  readonly #pool: PagePool | undefined;
  readonly closed: ReturnType<typeof watch>;

  /** @param pool - For long reads and writes; a store that answers at once has none. */
  constructor(store: Store, cipher: LengthPreserving, pageSize: number, tweak: Tweak, pool: PagePool | undefined) {
    this.closed = watch(pool && threadsOf(pool));
    this.stageBytes = pool ? POOL_STAGE_BYTES : STAGE_BYTES;
    this.#pool = pool;
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
    yield* this.#work('decryptPages', first, pages);
  }

  *save(first: number, pages: Uint8Array): Operation<void> {
    yield* this.#work('encryptPages', first, pages);
    yield* writeAll(this.#store, pages, first * this.pageSize);
  }

  /** Few pages are not worth waiting for. */
  *#work(name: 'encryptPages' | 'decryptPages', first: number, pages: Uint8Array): Operation<void> {
    const options = { pageSize: this.pageSize, first, tweak: this.#tweak };
    if (this.#pool && byteLengthOf(pages) > STAGE_BYTES)
      yield this.#pool[name](this.#cipher as PageCipher, pages, options);
    else this.#cipher[name](pages, options);
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
