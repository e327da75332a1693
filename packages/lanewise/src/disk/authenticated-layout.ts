/** Pages with nonces and tags after two copies of a header, which says how long the file is: docs/inside/authenticated-file.md. */
import { randomBytes } from '../calls/random.ts';
import { messageOf } from '../engine/detect.ts';
import { byteLengthOf, Bytes, copyBytes, floor, part } from '../engine/intrinsics.ts';
import { checkPageSize, STAGE_BYTES, type Layout } from './device.ts';
import {
  encodeHeader,
  HEADER_SPACE,
  ID_BYTES,
  isHeader,
  isUnfinished,
  readHeader,
  type Header,
  type Wrong,
} from './file-header.ts';
import { NONCE_BYTES, SPARE_BYTES, type PageSealer } from './sealer.ts';
import type { Queue, Operation } from '../io/steps.ts';
import { checkedSize, readAll, writeAll, type Store } from '../io/store.ts';
import { writeNumber } from './tweak.ts';

/** Where page 0 is. */
const PAGES = 2 * HEADER_SPACE;

/** The options of a file, checked. */
export interface Settings {
  /** `undefined` if the file's header has it; 4096 for a new file. */
  readonly pageSize: number | undefined;
  readonly create: boolean;
  readonly context: Uint8Array;
}

/** A header, and the known state of its copies. */
interface State extends Header {
  /** The copy that says this, 0 or 1. */
  readonly copy: number;
  /**
   * The other copy: the `same`; an `older` one, which is valid if power fails; or `none` that is usable.
   */
  readonly other: 'same' | 'older' | 'none';
  /** Whether `copy` holds this: not in a new file, nor after a write of that copy has failed. */
  readonly written: boolean;
  /**
   * Pages after the end of the file, which were cut off or never came to belong to it. They are authentic, so they must be
   * gone from the medium before a header says that the file is longer. They may be in the `store`; or only on the `medium`,
   * because nothing was flushed since they were cut off; or there are `none`.
   */
  readonly remains: 'store' | 'medium' | 'none';
}

/** The layout of `authenticatedPages`. */
export class AuthenticatedLayout implements Layout {
  readonly unit: number = 1;
  /** With the smallest pages the store is then shorter than 2^53 bytes. */
  readonly most: number = 2 ** 52;
  readonly stageBytes: number = STAGE_BYTES;
  readonly #store: Store;
  readonly #sealer: PageSealer;
  readonly #settings: Settings;
  readonly #queue: Queue;
  /** `undefined` before the file is opened, and after another file has used the store. */
  #state: State | undefined;
  /** Whether the last write of a header has failed. */
  #torn = false;
  /**
   * Whether an operation has written the last page or pages after it, and has not ended: what those hold after the end
   * belongs to no file yet.
   */
  #beyond = false;

  constructor(store: Store, sealer: PageSealer, settings: Settings, queue: Queue) {
    this.#store = store;
    this.#sealer = sealer;
    this.#settings = settings;
    this.#queue = queue;
  }

  get pageSize(): number {
    return this.#opened().pageSize;
  }

  get contentSize(): number {
    return this.#opened().pageSize - SPARE_BYTES;
  }

  #opened(): State {
    if (!this.#state) throw new Error('cannot use a file before it is open');
    return this.#state;
  }

  *size(): Operation<number> {
    const { lastUser } = this.#queue;
    if (lastUser !== this) {
      yield* lastUser?.leave() ?? [];
      // The other file over this handle may have written a header.
      this.#state = undefined;
    }
    this.#queue.lastUser = this;
    this.#state ??= yield* this.#open();
    // The operation before has failed.
    if (this.#beyond) this.#state = { ...this.#state, remains: 'store' };
    this.#beyond = false;
    return this.#state.length;
  }

  /** Another file over the same handle knows only the store, which must not say less than this file does. */
  *leave(): Operation<void> {
    if (this.#torn) yield* this.#settle();
  }

  *load(first: number, pages: Uint8Array): Operation<void> {
    const { pageSize, contentSize } = this;
    yield* readAll(this.#store, pages, PAGES + first * pageSize);
    this.#sealer.checkAlive();
    const count = byteLengthOf(pages) / pageSize;
    for (let i = 0; i < count; i++) {
      const page = part(pages, i * pageSize, pageSize);
      try {
        this.#sealer.open(page, contentSize, this.#additional(first + i), page);
      } catch (cause) {
        throw new Error(`cannot read page ${first + i} of the file: ${messageOf(cause)}`, { cause });
      }
    }
  }

  *save(first: number, pages: Uint8Array): Operation<void> {
    // A copy that cannot be used now could become the newest when the store is longer.
    if (this.#opened().other === 'none' || !this.#opened().written) yield* this.#settle();
    const { pageSize, contentSize } = this;
    const at = PAGES + first * pageSize;
    const state = this.#opened();
    const end = at + byteLengthOf(pages);
    if (state.remains === 'store' && end > this.#end(state)) yield* this.#cutRemains();
    this.#beyond ||= end >= this.#end(state);
    const count = byteLengthOf(pages) / pageSize;
    const nonces = randomBytes(NONCE_BYTES * count);
    for (let i = 0; i < count; i++) {
      const page = part(pages, i * pageSize, pageSize);
      const nonce = part(nonces, i * NONCE_BYTES, NONCE_BYTES);
      this.#sealer.seal(page, contentSize, nonce, this.#additional(first + i), page);
    }
    yield* writeAll(this.#store, pages, at);
  }

  *grow(length: number): Operation<void> {
    if (length <= this.#opened().length) {
      this.#beyond = false;
      return;
    }
    // No page was added, so the file still ends where the remains begin.
    if (this.#opened().remains === 'store') yield* this.#cutRemains();
    if (this.#opened().remains === 'medium') {
      yield this.#store.flush();
      this.#state = { ...this.#opened(), remains: 'none' };
    }
    yield* this.#write(length);
  }

  *cut(length: number): Operation<void> {
    const { written, length: before } = this.#opened();
    if (length < before) yield* this.#write(length);
    // The header comes first: if the store were cut before it, and power failed, the store would be shorter than its
    // header says.
    if (length < before || !written) yield* this.#settle();
    yield* this.#cutRemains();
  }

  *#cutRemains(): Operation<void> {
    // A flush that failed, or another file over the handle, may have left a copy on the medium that still says more.
    if (this.#opened().other !== 'same') yield* this.#settle();
    const state = this.#opened();
    yield this.#store.truncate(this.#end(state));
    this.#state = { ...state, remains: 'medium' };
  }

  *flush(): Operation<void> {
    yield* this.size();
    yield* this.#settle();
  }

  /**
   * Writes a header with a new length. While the other copy is an older one, it is left as it is, in case of a failure.
   */
  *#write(length: number): Operation<void> {
    const state = this.#opened();
    const copy = state.other === 'older' ? state.copy : 1 - state.copy;
    const remains = length < state.length ? 'store' : state.remains;
    const generation = state.generation + 1;
    yield* this.#writeCopy({ ...state, length, generation }, copy);
    this.#state = { ...state, length, generation, copy, other: 'older', written: true, remains };
    this.#beyond = false;
  }

  /** Waits until the medium has all pages, and both copies of the header. */
  *#settle(): Operation<void> {
    const state = { ...this.#opened(), written: true };
    if (!this.#opened().written) yield* this.#writeCopy(state, state.copy);
    yield this.#store.flush();
    this.#state = state;
    if (state.other !== 'same') {
      yield* this.#writeCopy(state, 1 - state.copy);
      yield this.#store.flush();
    }
    this.#state = { ...state, other: 'same' };
  }

  /** Writes one copy. Unless that succeeds, it may hold anything, and is written again before pages and lengths change. */
  *#writeCopy(header: Header, copy: number): Operation<void> {
    const nonce = randomBytes(NONCE_BYTES);
    const bytes = encodeHeader(header, this.#sealer, this.#settings.context, nonce);
    const state = this.#opened();
    this.#state = copy === state.copy ? { ...state, written: false } : { ...state, other: 'none' };
    this.#torn = true;
    yield* writeAll(this.#store, bytes, copy * HEADER_SPACE);
    this.#torn = false;
  }

  /** Where a file ends in its store. */
  #end({ length, pageSize }: Header): number {
    const contentSize = pageSize - SPARE_BYTES;
    return PAGES + floor((length + contentSize - 1) / contentSize) * pageSize;
  }

  /** Identity and page number. */
  #additional(page: number): Uint8Array {
    const additional = new Bytes(ID_BYTES + 8);
    copyBytes(additional, this.#opened().id);
    writeNumber(additional, ID_BYTES, page, 1);
    return additional;
  }

  *#open(): Operation<State> {
    this.#sealer.checkAlive();
    const size = checkedSize(yield this.#store.size());
    if (size === 0) return this.#new('the store is empty');
    const { context } = this.#settings;
    const first = yield* readHeader(this.#store, size, 0, this.#sealer, context);
    const second = yield* readHeader(this.#store, size, 1, this.#sealer, context);
    const copies = [first, second];
    const newer = isHeader(second) && !(isHeader(first) && first.generation >= second.generation) ? 1 : 0;
    for (const copy of [newer, 1 - newer]) {
      const header = copies[copy];
      // In a file without pages the second copy may be missing, if power failed while the file was made.
      if (!isHeader(header) || (header.length > 0 && this.#end(header) > size)) continue;
      this.#checkPageSize(header.pageSize);
      const remains = size > this.#end(header) ? 'store' : 'medium';
      const other = copies[1 - copy];
      const newerBy = isHeader(other) ? header.generation - other.generation : -1;
      return {
        ...header,
        copy,
        other: newerBy === 0 ? 'same' : newerBy > 0 ? 'older' : 'none',
        written: true,
        remains,
      };
    }
    const found = copies[newer];
    if (isHeader(found))
      throw new Error(
        `cannot open the file: it is cut off: it ends at byte ${this.#end(found)} of the store, which has ${size}`,
      );
    if (size <= PAGES) {
      const store = new Bytes(size);
      yield* readAll(this.#store, store, 0);
      if (isUnfinished(store)) return this.#new('its header is not complete');
    }
    if (first === undefined && second === undefined)
      throw new Error('cannot open the file: it is not an authenticated file');
    const cause = (first ?? second) as Wrong;
    const why = `${messageOf(cause.error)} of its header: the key or the context is another one, or it was changed`;
    throw new Error(`cannot open the file: ${why}`, { cause: cause.error });
  }

  /** The state of a file that will be made when it is first written. */
  #new(why: string): State {
    const { create, pageSize = 4096 } = this.#settings;
    if (!create) throw new Error(`cannot open the file: ${why}; with { create: true } a new one is made`);
    return {
      id: randomBytes(ID_BYTES),
      pageSize,
      length: 0,
      generation: 1,
      copy: 0,
      other: 'none',
      written: false,
      remains: 'none',
    };
  }

  #checkPageSize(pageSize: number): void {
    checkPageSize(pageSize);
    const asked = this.#settings.pageSize;
    if (asked !== undefined && asked !== pageSize)
      throw new RangeError(`"pageSize" expected ${pageSize}, which the file has, got ${asked}`);
  }
}
