/** Reads and writes at any byte of a file that consists of encrypted pages. */
import { checkKept, typeOf } from '../calls/checks.ts';
import { Bytes, copyBytes, fillBytes, floor, min, part } from '../engine/intrinsics.ts';
import type { Operation } from '../io/steps.ts';
import type { watch } from '../work/threads.ts';

/** Where the pages of a file are in its store, and how they are encrypted. Each operation asks for the size first. */
export interface Layout {
  /** The length of the file in bytes. */
  size(): Operation<number>;
  /** Lengths are multiples of it … */
  readonly unit: number;
  /** … and not above this. */
  readonly most: number;
  /** Bytes of a page in the store. */
  readonly pageSize: number;
  /** Most bytes of pages that are worked on at a time, a multiple of {@link STAGE_BYTES}. */
  readonly stageBytes: number;
  /** Bytes of content, with which each page begins. */
  readonly contentSize: number;
  /** Hears that the pool is closed. An operation under way holds it. */
  readonly closed?: ReturnType<typeof watch>;
  /** Reads and decrypts pages from number `first` on. */
  load(first: number, pages: Uint8Array): Operation<void>;
  /** Encrypts pages in place and writes them. */
  save(first: number, pages: Uint8Array): Operation<void>;
  /** Ends a write: its pages are written, and the file is made so long if it is shorter. */
  grow(size: number): Operation<void>;
  /** Makes the file shorter, or leaves its length. */
  cut(size: number): Operation<void>;
  flush(): Operation<void>;
}

/** The bytes of pages for one call of a kernel. */
export const STAGE_BYTES = 65536;

/** Checks that pages have a length that media use for their blocks, so that the stage holds whole pages. */
export function checkPageSize(pageSize: unknown): asserts pageSize is number {
  if (typeof pageSize !== 'number') throw new TypeError(`"pageSize" expected number, got ${typeOf(pageSize)}`);
  if (!(pageSize >= 512 && pageSize <= STAGE_BYTES && (pageSize & (pageSize - 1)) === 0))
    throw new RangeError(`"pageSize" expected a power of two from 512 to ${STAGE_BYTES}, got ${pageSize}`);
}

/** Part of an operation: `bytes` bytes of content at `offset` in `count` pages from `first` on. */
interface Turn {
  readonly first: number;
  readonly count: number;
  readonly offset: number;
  readonly bytes: number;
}

/** The operations, for stores that answer at once and for those that answer with promises. */
export class Device {
  readonly #layout: Layout;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  size(): Operation<number> {
    return this.#layout.size();
  }

  flush(): Operation<void> {
    return this.#layout.flush();
  }

  /** `length` is that of the buffer when it was checked. */
  *read(buffer: Uint8Array, length: number, at: number): Operation<number> {
    const size = yield* this.#layout.size();
    checkKept(buffer, 'buffer', length);
    const wanted = min(length, at < size ? size - at : 0);
    const stage = this.#stage(wanted);
    try {
      for (let done = 0; done < wanted;) {
        const turn = this.#turn(at + done, wanted - done);
        yield* this.#layout.load(turn.first, this.#pages(stage, turn.count));
        checkKept(buffer, 'buffer', length);
        this.#eachPiece(turn, (inStage, inContent, bytes) =>
          copyBytes(buffer, part(stage, inStage, bytes), done + inContent),
        );
        done += turn.bytes;
      }
    } finally {
      fillBytes(stage, 0);
    }
    return wanted;
  }

  /** `length` is that of the buffer when it was checked. */
  *write(buffer: Uint8Array, length: number, at: number): Operation<void> {
    if (length === 0) return;
    const size = yield* this.#layout.size();
    checkKept(buffer, 'buffer', length);
    yield* this.#extend(size, at - (at % this.#layout.contentSize));
    yield* this.#put(buffer, length, at, size);
    yield* this.#layout.grow(at + length);
  }

  *truncate(to: number): Operation<void> {
    const size = yield* this.#layout.size();
    if (to > size) {
      yield* this.#extend(size, to);
      yield* this.#layout.grow(to);
    } else yield* this.#layout.cut(to);
  }

  /** Writes zeros from the end of the file on, encrypted like all other content. */
  *#extend(size: number, to: number): Operation<void> {
    if (to > size) yield* this.#put(undefined, to - size, size, size);
  }

  /** Writes `length` bytes of a buffer, or zeros, at `at` of a file of `size` bytes, which does not grow by that. */
  *#put(buffer: Uint8Array | undefined, length: number, at: number, size: number): Operation<void> {
    const stage = this.#stage(length);
    try {
      for (let done = 0; done < length;) {
        const turn = this.#turn(at + done, length - done);
        // The first and the last page keep the bytes of the file that are not written.
        const last = turn.count - 1;
        if (turn.offset > 0) yield* this.#loadOld(stage, turn.first, 0, size);
        if (turn.offset + turn.bytes < turn.count * this.#layout.contentSize && (turn.offset === 0 || last > 0)) {
          if (at + done + turn.bytes < size) yield* this.#loadOld(stage, turn.first, last, size);
          else fillBytes(this.#page(stage, last), 0);
        }
        if (buffer) checkKept(buffer, 'buffer', length);
        this.#eachPiece(turn, (inStage, inContent, bytes) =>
          buffer
            ? copyBytes(stage, part(buffer, done + inContent, bytes), inStage)
            : fillBytes(stage, 0, inStage, inStage + bytes),
        );
        yield* this.#layout.save(turn.first, this.#pages(stage, turn.count));
        done += turn.bytes;
      }
    } finally {
      fillBytes(stage, 0);
    }
  }

  /** Puts the page number `first + index` of a file of `size` bytes into the stage; zeros after the end of the file. */
  *#loadOld(stage: Uint8Array, first: number, index: number, size: number): Operation<void> {
    const { contentSize } = this.#layout;
    const page = this.#page(stage, index);
    const content = size - (first + index) * contentSize;
    if (content > 0) yield* this.#layout.load(first + index, page);
    if (content < contentSize) fillBytes(page, 0, content > 0 ? content : 0);
  }

  /** Room for pages that hold so many bytes, wherever they begin. */
  #stage(length: number): Uint8Array {
    const { pageSize, contentSize } = this.#layout;
    const count = length === 0 ? 0 : floor((length + contentSize - 2) / contentSize) + 1;
    return new Bytes(min(this.#layout.stageBytes, count * pageSize));
  }

  /** The next turn: as many of the `left` bytes at `at` as the stage has room for. */
  #turn(at: number, left: number): Turn {
    const { pageSize, contentSize } = this.#layout;
    const offset = at % contentSize;
    const count = min(this.#layout.stageBytes / pageSize, floor((offset + left + contentSize - 1) / contentSize));
    return { first: (at - offset) / contentSize, count, offset, bytes: min(left, count * contentSize - offset) };
  }

  #page(stage: Uint8Array, index: number): Uint8Array {
    const { pageSize } = this.#layout;
    return part(stage, index * pageSize, pageSize);
  }

  #pages(stage: Uint8Array, count: number): Uint8Array {
    return part(stage, 0, count * this.#layout.pageSize);
  }

  /** The pieces of a turn's content that lie together in the stage: all of it, if pages have nothing but content. */
  #eachPiece({ offset, bytes }: Turn, visit: (inStage: number, inContent: number, bytes: number) => void): void {
    const { pageSize, contentSize } = this.#layout;
    if (contentSize === pageSize) {
      visit(offset, 0, bytes);
      return;
    }
    for (let done = 0; done < bytes;) {
      const at = (offset + done) % contentSize;
      const size = min(contentSize - at, bytes - done);
      visit(((offset + done - at) / contentSize) * pageSize + at, done, size);
      done += size;
    }
  }
}
