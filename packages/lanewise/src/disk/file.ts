/** A block device over any store with random access: what is read is decrypted, what is written encrypted, page by page. */
import { isBytes, kindOf, lengthOf } from '../calls/checks.ts';
import type { PageCipher } from './pages.ts';
import { optionsOf, sizeOf } from './options.ts';
import { byteLengthOf, Bytes, copyBytes, fillBytes, floor, min, part } from '../engine/intrinsics.ts';
import { asynchronously, storeOf, synchronously, type Steps, type Store } from './store.ts';
import type { AsynchronousHandle, SynchronousHandle } from './store.ts';
import { tweakOf, type Tweak } from './tweak.ts';

export type { AsynchronousHandle, SynchronousHandle } from './store.ts';

/** How a file is encrypted. */
export interface FileOptions {
  /** In bytes: a power of two from 512 to 65,536; 4096 unless given. */
  readonly pageSize?: number;
  /** The tweak of each page: as for `encryptPages`. */
  readonly tweak: Tweak;
}

/** What encrypts whole pages in place. */
type Cipher = Pick<PageCipher, 'encryptPages' | 'decryptPages'>;

/** {@link encryptedFile} over a `FileSystemSyncAccessHandle`. */
export interface SynchronousFile {
  /**
   * Fills `buffer` from byte `at` on.
   *
   * @param buffer - Any number of bytes.
   * @param at - Any byte; a safe integer.
   * @returns How many bytes were read: fewer than `buffer` has only at the end of the file.
   * @throws TypeError or RangeError if an argument is not of that form, and whatever the store throws.
   */
  read(buffer: Uint8Array, at: number): number;
  /**
   * Writes all of `buffer` at byte `at`. Pages of which it has only a part are read first. Behind the end of the file there
   * are zeros in between.
   *
   * @param buffer - Any number of bytes.
   * @param at - Any byte; a safe integer.
   * @throws TypeError or RangeError if an argument is not of that form, and whatever the store throws: pages up to some point
   * are written then.
   */
  write(buffer: Uint8Array, at: number): void;
  /**
   * Cuts the file, or adds zeros.
   *
   * @param size - In bytes, whole pages.
   * @throws TypeError or RangeError if it is not of that form, and whatever the store throws.
   */
  truncate(size: number): void;
  /** Until all is on the medium. */
  flush(): void;
  /** In bytes: whole pages. What a torn write has left of a page at the end is not counted. */
  size(): number;
}

/** {@link encryptedFile} over a `FileHandle` of Node or a `FileSystemFileHandle`: one operation after the other. */
export type AsynchronousFile = {
  readonly [Name in keyof SynchronousFile]: (
    ...values: Parameters<SynchronousFile[Name]>
  ) => Promise<ReturnType<SynchronousFile[Name]>>;
};

/** Pages that are worked on at a time, in bytes: one call of a kernel. */
const STAGE_BYTES = 65536;

/** What the operations do, whoever waits for the store. */
class Device {
  readonly #store: Store;
  readonly #cipher: Cipher;
  readonly #pageSize: number;
  readonly #tweak: Tweak;

  constructor(store: Store, cipher: Cipher, pageSize: number, tweak: Tweak) {
    this.#store = store;
    this.#cipher = cipher;
    this.#pageSize = pageSize;
    this.#tweak = tweak;
  }

  *size(): Steps<number> {
    const size = (yield this.#store.size()) as number;
    return size - (size % this.#pageSize);
  }

  *flush(): Steps<void> {
    yield this.#store.flush();
  }

  *read(buffer: Uint8Array, at: number): Steps<number> {
    const size = yield* this.size();
    const length = min(byteLengthOf(buffer), at < size ? size - at : 0);
    const stage = new Bytes(this.#stageFor(length));
    try {
      for (let done = 0; done < length;) {
        const { first, offset, pages, bytes } = this.#turn(at + done, length - done);
        yield* this.#load(first, part(stage, 0, pages));
        copyBytes(buffer, part(stage, offset, bytes), done);
        done += bytes;
      }
    } finally {
      fillBytes(stage, 0);
    }
    return length;
  }

  *write(buffer: Uint8Array, at: number): Steps<void> {
    const length = byteLengthOf(buffer);
    if (length === 0) return;
    const size = yield* this.size();
    const start = at - (at % this.#pageSize);
    if (start > size) yield* this.#extend(size, start);
    const stage = new Bytes(this.#stageFor(length));
    try {
      for (let done = 0; done < length;) {
        const { first, offset, pages, bytes } = this.#turn(at + done, length - done);
        // The first and the last page keep what is not written.
        const edges = new Set([
          ...(offset > 0 ? [0] : []),
          ...(offset + bytes < pages ? [pages - this.#pageSize] : []),
        ]);
        for (const edge of edges) {
          const page = part(stage, edge, this.#pageSize);
          const number = first + edge / this.#pageSize;
          if (number * this.#pageSize < size) yield* this.#load(number, page);
          else fillBytes(page, 0);
        }
        copyBytes(stage, part(buffer, done, bytes), offset);
        yield* this.#save(first, part(stage, 0, pages));
        done += bytes;
      }
    } finally {
      fillBytes(stage, 0);
    }
  }

  *truncate(to: number): Steps<void> {
    const size = yield* this.size();
    if (to > size) yield* this.#extend(size, to);
    else yield this.#store.truncate(to);
  }

  /** Pages of zeros, encrypted like all others. */
  *#extend(from: number, to: number): Steps<void> {
    const stage = new Bytes(this.#stageFor(to - from));
    for (let at = from; at < to;) {
      const bytes = min(byteLengthOf(stage), to - at);
      fillBytes(stage, 0);
      yield* this.#save(at / this.#pageSize, part(stage, 0, bytes));
      at += bytes;
    }
  }

  /** Room for pages that hold so many bytes, wherever they begin. */
  #stageFor(length: number): number {
    return length === 0
      ? 0
      : min(STAGE_BYTES, (floor((length + this.#pageSize - 2) / this.#pageSize) + 1) * this.#pageSize);
  }

  /** What is done next: so many bytes at an offset in pages that begin with `first`. */
  #turn(at: number, left: number) {
    const offset = at % this.#pageSize;
    const whole = floor((offset + left + this.#pageSize - 1) / this.#pageSize) * this.#pageSize;
    const pages = min(STAGE_BYTES, whole);
    return { first: (at - offset) / this.#pageSize, offset, pages, bytes: min(left, pages - offset) };
  }

  *#load(first: number, pages: Uint8Array): Steps<void> {
    yield* whole((rest, at) => this.#store.read(rest, at), pages, first * this.#pageSize, 'read');
    this.#cipher.decryptPages(pages, { pageSize: this.#pageSize, first, tweak: this.#tweak });
  }

  *#save(first: number, pages: Uint8Array): Steps<void> {
    this.#cipher.encryptPages(pages, { pageSize: this.#pageSize, first, tweak: this.#tweak });
    yield* whole((rest, at) => this.#store.write(rest, at), pages, first * this.#pageSize, 'write');
  }
}

/** Stores may take or give less than they were asked for. */
function* whole(
  work: (rest: Uint8Array, at: number) => number | Promise<number>,
  bytes: Uint8Array,
  at: number,
  name: string,
): Steps<void> {
  const length = byteLengthOf(bytes);
  for (let done = 0; done < length;) {
    const moved = (yield work(part(bytes, done, length - done), at + done)) as number;
    if (!(moved > 0)) throw new Error(`cannot ${name} ${length - done} bytes of the store at ${at + done}`);
    done += moved;
  }
}

function checkBuffer(buffer: unknown, at: unknown): void {
  const length = lengthOf(buffer, 'buffer');
  sizeOf(sizeOf(at, 'at', 0) + length, 'at', 0);
}

function checkSize(size: unknown, pageSize: number): void {
  if (sizeOf(size, 'size', 0) % pageSize)
    throw new RangeError(`"size" expected whole pages of ${pageSize} bytes, got ${size as number}`);
}

function pageSizeOf(pageSize: unknown): number {
  if (typeof pageSize !== 'number') throw new TypeError(`"pageSize" expected number, got ${kindOf(pageSize)}`);
  if (!(pageSize >= 512 && pageSize <= STAGE_BYTES && (pageSize & (pageSize - 1)) === 0))
    throw new RangeError(`"pageSize" expected a power of two from 512 to ${STAGE_BYTES}, got ${pageSize}`);
  return pageSize;
}

function checkCipher(cipher: unknown): void {
  const { encryptPages, decryptPages } = (cipher ?? {}) as Partial<Cipher>;
  if (typeof encryptPages !== 'function' || typeof decryptPages !== 'function')
    throw new TypeError(
      `"cipher" expected what adiantum() or hpolyc() gives, got ${isBytes(cipher) ? 'bytes' : kindOf(cipher)}`,
    );
}

/**
 * A file that is encrypted page by page, with reads and writes at any byte. It has whole pages, in the places where the
 * plain file would have them, and nothing else: no header, no tags, no journal. So it is deterministic and unauthenticated,
 * as the ciphers are: who has two copies sees which pages differ, and may put back an old page.
 *
 * Each page is written whole by one write of the store, together with its neighbours. If power fails between two writes, all
 * pages are as they were or as they should be; if it fails within one, the page it stopped in decrypts to noise in all of its
 * bytes, not only in those that were to change, and the others are intact.
 *
 * @param handle - A `FileSystemSyncAccessHandle`, whose file then answers at once; or a `FileHandle` of Node or a
 * `FileSystemFileHandle`, whose file answers with promises. It stays the caller's, who closes it. A `FileSystemFileHandle` copies
 * the file with each write: use a worker and `createSyncAccessHandle` for files that change.
 * @param cipher - What `adiantum` or `hpolyc` gives. It stays the caller's, who destroys it.
 * @param options - `pageSize`: 4096 bytes unless given. `tweak`: what tells pages apart, as for `encryptPages`.
 * @throws TypeError or RangeError if an argument is not of that form.
 * @example
 * ```ts
 * import { open } from 'node:fs/promises';
 * import { adiantum, encryptedFile } from 'lanewise/disk.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const handle = await open('/dev/null');
 * const file = encryptedFile(handle, adiantum(randomBytes(32)), { tweak: 'offset64' });
 * const header = new Uint8Array(100);
 * const bytes = await file.read(header, 0); // 0: there is nothing in it
 * await handle.close();
 * ```
 */
export function encryptedFile(handle: SynchronousHandle, cipher: Cipher, options: FileOptions): SynchronousFile;
export function encryptedFile(handle: AsynchronousHandle, cipher: Cipher, options: FileOptions): AsynchronousFile;
export function encryptedFile(
  handle: SynchronousHandle | AsynchronousHandle,
  cipher: Cipher,
  options: FileOptions,
): SynchronousFile | AsynchronousFile {
  const { store, synchronous } = storeOf(handle);
  checkCipher(cipher);
  const { pageSize: asked = 4096, tweak } = optionsOf(options, ['pageSize', 'tweak']);
  const pageSize = pageSizeOf(asked);
  tweakOf(tweak, pageSize);
  const device = new Device(store, cipher, pageSize, tweak as Tweak);
  const run = (synchronous ? synchronously : asynchronously()) as (begin: () => Steps<unknown>) => unknown;
  const file: Record<keyof SynchronousFile, (...values: never) => unknown> = {
    read(buffer: Uint8Array, at: number) {
      checkBuffer(buffer, at);
      return run(() => device.read(buffer, at));
    },
    write(buffer: Uint8Array, at: number) {
      checkBuffer(buffer, at);
      return run(() => device.write(buffer, at));
    },
    truncate(size: number) {
      checkSize(size, pageSize);
      return run(() => device.truncate(size));
    },
    flush: () => run(() => device.flush()),
    size: () => run(() => device.size()),
  };
  return file as unknown as SynchronousFile | AsynchronousFile;
}
