/** Where the nodes of a tree come from: an encoding, or a content and an outboard, each read in order or at any place. */
import type { Contents, Given, Sources } from './contents.ts';
import type { Taker } from './pull.ts';
import { HEADER, PARENT, parentBytes, readLength, unweave, type Subtree } from './shape.ts';
import { present } from '../calls/checks.ts';
import type { Source } from '../io/random-access.ts';
import { abortable } from '../work/abort.ts';
import { Bytes, copyBytes, floor, min, part } from '../engine/intrinsics.ts';

/** The bytes of a subtree, and its parents. */
export interface Parts extends Given {
  readonly parents: Uint8Array;
}

/** Gives nodes in pre-order, of a tree that nothing has proven. */
export interface Origin {
  /** The length of the content that the header tells. */
  size(signal: AbortSignal): Promise<number>;
  /** The 64 bytes of a parent. */
  parent(node: Subtree, signal: AbortSignal): Promise<Uint8Array>;
  subtree(node: Subtree, signal: AbortSignal): Promise<Parts>;
  /** Whether the next subtree can be asked for before the last one is proven. */
  readonly isAnyPlace: boolean;
  /** Bytes of the content again, from others than the sources that had wrong ones; undefined if they can't be had from elsewhere. */
  again?(wrong: Sources, offset: number, length: number, signal: AbortSignal): Promise<Given | undefined>;
  /** Throws unless there is nothing after the last node. */
  end?(): Promise<void>;
}

const NO_PARENTS = /* @__PURE__ */ new Bytes(0);

/** An encoding or a slice that comes in order. */
export class WovenStream implements Origin {
  readonly isAnyPlace = false;
  readonly #taker: Taker;
  readonly #groupLength: number;

  constructor(taker: Taker, groupLength: number) {
    this.#taker = taker;
    this.#groupLength = groupLength;
  }

  async size(): Promise<number> {
    return readLength(await this.#taker.take(HEADER));
  }

  parent(): Promise<Uint8Array> {
    return this.#taker.take(PARENT);
  }

  async subtree({ length }: Subtree): Promise<Parts> {
    const parents = parentBytes(length, this.#groupLength);
    const woven = await this.#taker.take(length + parents);
    if (!parents) return { content: woven, parents: NO_PARENTS, isOwn: false };
    return { ...unweave(woven, length, this.#groupLength), isOwn: true };
  }

  end(): Promise<void> {
    return this.#taker.end();
  }
}

/** An encoding that can be read at any place. */
export class WovenFile implements Origin {
  readonly isAnyPlace = true;
  readonly #source: Source;
  readonly #groupLength: number;

  constructor(source: Source, groupLength: number) {
    this.#source = source;
    this.#groupLength = groupLength;
  }

  async size(signal: AbortSignal): Promise<number> {
    const all = await this.#source.size(signal);
    const length = await headerOf(this.#source, all, 'the source', signal);
    const expected = HEADER + length + parentBytes(length, this.#groupLength);
    if (all !== expected)
      throw new Error(
        `the source has ${all} bytes, and the encoding of ${length} bytes with groups of ${this.#groupLength} has ${expected}`,
      );
    return length;
  }

  parent({ offset, index }: Subtree, signal: AbortSignal): Promise<Uint8Array> {
    const at = HEADER + index * PARENT + offset;
    return this.#source.read(at, at + PARENT, signal);
  }

  async subtree({ offset, length, index }: Subtree, signal: AbortSignal): Promise<Parts> {
    const parents = parentBytes(length, this.#groupLength);
    const at = HEADER + index * PARENT + offset;
    const woven = present(await this.#source.read(at, at + length + parents, signal), 'source');
    if (!parents) return { content: woven, parents: NO_PARENTS, isOwn: false };
    return { ...unweave(woven, length, this.#groupLength), isOwn: true };
  }
}

/** The length in the header of a source of `size` bytes. */
async function headerOf(source: Source, size: number, what: string, signal: AbortSignal): Promise<number> {
  if (size < HEADER) throw new Error(`${what} is truncated: it has ${size} bytes, and its header has ${HEADER}`);
  return readLength(present(await source.read(0, HEADER, signal), 'source'));
}

/** How much of an outboard is read at a time, and how many such pages are kept. */
const PAGE_BYTES = 65_536;
const PAGES = 64;

/** A page of an outboard, which many reads may wait for: it is given up when the last of them is. */
interface Page {
  readonly coming: Promise<Uint8Array>;
  readonly end: AbortController;
  waiting: number;
  bytes?: Uint8Array;
}

/** An outboard that can be read at any place; pages are kept, because the parents of most groups are the same. */
export class OutboardFile {
  readonly #source: Source;
  readonly #groupLength: number;
  #size = 0;
  readonly #pages = new Map<number, Page>();

  constructor(source: Source, groupLength: number) {
    this.#source = source;
    this.#groupLength = groupLength;
  }

  /** The length of the content. */
  async size(signal: AbortSignal): Promise<number> {
    this.#size = await this.#source.size(signal);
    const length = await headerOf(this.#source, this.#size, 'the outboard', signal);
    const expected = HEADER + parentBytes(length, this.#groupLength);
    if (this.#size !== expected)
      throw new Error(
        `the outboard has ${this.#size} bytes, and that of ${length} bytes with groups of ${this.#groupLength} has ${expected}`,
      );
    return length;
  }

  /** So many bytes of parents, from parent `index` on. */
  async parents(index: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const from = HEADER + index * PARENT;
    const first = floor(from / PAGE_BYTES);
    const page = present(await this.#page(first, signal), 'outboard');
    const within = from - first * PAGE_BYTES;
    if (within + length <= PAGE_BYTES) return part(page, within, length);
    const bytes = new Bytes(length);
    let done = PAGE_BYTES - within;
    copyBytes(bytes, part(page, within, done));
    for (let number = first + 1; done < length; number++) {
      const next = present(await this.#page(number, signal), 'outboard');
      const taken = min(PAGE_BYTES, length - done);
      copyBytes(bytes, part(next, 0, taken), done);
      done += taken;
    }
    return bytes;
  }

  async #page(number: number, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const page = this.#pages.get(number) ?? this.#ask(number);
    if (page.bytes) return page.bytes;
    page.waiting++;
    try {
      return (page.bytes = await abortable([signal], () => page.coming));
    } catch (error) {
      if (!--page.waiting || !signal.aborted) {
        if (this.#pages.get(number) === page) this.#pages.delete(number);
        page.end.abort(error);
      }
      throw error;
    }
  }

  #ask(number: number): Page {
    const from = number * PAGE_BYTES;
    const end = new AbortController();
    const coming = this.#source.read(from, min(from + PAGE_BYTES, this.#size), end.signal);
    const page = { coming, end, waiting: 0 };
    this.#pages.set(number, page);
    // The page that came first goes first.
    if (this.#pages.size > PAGES) this.#pages.delete(this.#pages.keys().next().value!);
    return page;
  }
}

/** A content, and the outboard of it. */
export class Apart implements Origin {
  readonly isAnyPlace: boolean;
  readonly #outboard: OutboardFile;
  readonly #contents: Contents;
  readonly #groupLength: number;

  constructor(outboard: OutboardFile, contents: Contents, groupLength: number) {
    this.#outboard = outboard;
    this.#contents = contents;
    this.#groupLength = groupLength;
    this.isAnyPlace = contents.isAnyPlace;
  }

  async size(signal: AbortSignal): Promise<number> {
    const size = await this.#outboard.size(signal);
    this.#contents.size = size;
    return size;
  }

  parent({ index }: Subtree, signal: AbortSignal): Promise<Uint8Array> {
    return this.#outboard.parents(index, PARENT, signal);
  }

  async subtree({ offset, length, index }: Subtree, signal: AbortSignal): Promise<Parts> {
    const coming = this.#contents.read(offset, length, signal);
    coming.catch(() => undefined);
    const size = parentBytes(length, this.#groupLength);
    const parents = size ? await this.#outboard.parents(index, size, signal) : NO_PARENTS;
    return { ...(await coming), parents };
  }

  async again(wrong: Sources, offset: number, length: number, signal: AbortSignal): Promise<Given | undefined> {
    return await this.#contents.other?.(wrong, offset, length, signal);
  }

  async end(): Promise<void> {
    await this.#contents.end?.();
  }
}
