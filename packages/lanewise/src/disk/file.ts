/** A file of encrypted pages over any store with random access. */
import { isBytes, typeOf, lengthOf, refuseSurplus } from '../calls/checks.ts';
import { flagOf, optionOf, optionOr, optionsOf } from '../calls/options.ts';
import { abortable } from '../work/abort.ts';
import { threadsOf, type PoolHandle } from '../work/threads.ts';
import { Bytes, copyOf } from '../engine/intrinsics.ts';
import type { AuthenticatedPages } from './authenticated.ts';
import { AuthenticatedLayout } from './authenticated-layout.ts';
import { checkPageSize, Device, type Layout } from './device.ts';
import { sizeOf } from './options.ts';
import { PlainLayout, type LengthPreserving, type PagePool } from './plain-layout.ts';
import { sealerOf, type PageSealer } from './sealer.ts';
import { queueOf, synchronously, type Queue, type Operation } from '../io/steps.ts';
import type { AsynchronousHandle, SynchronousHandle } from '../io/handles.ts';
import { storeOf, type Store } from '../io/store.ts';
import { fscryptNonce, tweakOf, type Counted, type Tweak } from './tweak.ts';

const TAGS = 'only files of authenticatedPages() have it';
const PLAIN = {
  __proto__: null,
  pageSize: 1,
  tweak: 1,
  pool: 1,
  create: TAGS,
  context: TAGS,
  first: 'a file begins with page 0',
} as const;
const AUTHENTICATED = {
  __proto__: null,
  create: 1,
  pageSize: 1,
  context: 1,
  pool: 'only files of adiantum() and hpolyc() use it',
  tweak: 'pages are bound to their numbers',
  first: 'a file begins with page 0',
} as const;

/** How a file of `adiantum` or `hpolyc` is encrypted. */
export interface FileOptions {
  /** In bytes: a power of two from 512 to 65,536; 4096 unless given. */
  readonly pageSize?: number;
  /** The tweak of each page: as for `encryptPages`. */
  readonly tweak: Tweak;
  /**
   * Threads for long reads and writes, from `createPool` of `lanewise/pool.js`; short ones stay on the caller's thread. Only for files
   * that answer with promises. When it is closed, calls under way are rejected, and so are later ones that are long.
   */
  readonly pool?: PoolHandle;
}

/** How a file of `authenticatedPages` is made and opened. */
export interface AuthenticatedFileOptions {
  /**
   * Whether a store that is empty becomes a new file; otherwise that is an error, because an attacker may have emptied it. A
   * store in which a new file was not finished when power failed counts as empty.
   */
  readonly create?: boolean;
  /**
   * In bytes, a power of two from 512 to 65,536; 40 of them are not content. For a new file 4096 unless given; a file that
   * exists knows its own, and another is refused.
   */
  readonly pageSize?: number;
  /**
   * Bytes to which the file is bound, its name for instance: it opens only under the context with which it was made.
   * Not secret, not stored; none unless given. Without it one file can be put in the place of another under the same
   * key.
   */
  readonly context?: Uint8Array;
}

/** {@link encryptedFile} over a `FileSystemSyncAccessHandle`. */
export interface SynchronousFile {
  /**
   * Fills `buffer` from byte `at` on.
   *
   * @param buffer - Any number of bytes. Leave it alone until the promise is settled, if there is one.
   * @param at - Any byte; a safe integer.
   * @returns How many bytes were read: fewer than `buffer` has only at the end of the file.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value; the same if the buffer
   * is detached or has shrunk when its turn comes; Error `cannot read page 7 of the file: invalid tag` if the file has tags and
   * that one is wrong; and whatever the store throws. Part of `buffer` may have been filled then, with bytes of the file.
   */
  read(buffer: Uint8Array, at: number): number;
  /**
   * Writes all of `buffer` at byte `at`. Pages that it covers only in part are read first. If `at` is after the end of the
   * file there are zeros in between.
   *
   * With promises, the bytes are taken when the operations before it are done, not when it is called: a buffer that is
   * changed before the promise is settled may be written as it was or as it is. One that has grown is written as far as it
   * reached.
   *
   * @param buffer - Any number of bytes. Leave it alone until the promise is settled, if there is one.
   * @param at - Any byte; a safe integer.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value; the same if the buffer
   * is detached or has shrunk when its turn comes; Error as `read` for a page that is written only in part; and any error of
   * the store. Pages up to some point are written then.
   */
  write(buffer: Uint8Array, at: number): void;
  /**
   * Cuts the file, or adds zeros.
   *
   * @param size - In bytes; whole pages if the cipher is `adiantum` or `hpolyc`.
   * @throws TypeError or RangeError if it isn't a safe integer from 0 up, or not whole pages, and whatever the store throws.
   */
  truncate(size: number): void;
  /** Waits until all is on the medium. */
  flush(): void;
  /**
   * The length in bytes. Without tags this is a number of whole pages: an incomplete page at the end, left by a torn
   * write, is not counted.
   */
  size(): number;
}

/** {@link encryptedFile} over a `FileHandle` of Node or a `FileSystemFileHandle`: one operation after the other. */
export type AsynchronousFile = {
  readonly [Name in keyof SynchronousFile]: (
    ...values: Parameters<SynchronousFile[Name]>
  ) => Promise<ReturnType<SynchronousFile[Name]>>;
};

/** The length of a buffer that is read or written at byte `at`. */
function checkRange(buffer: unknown, at: unknown, { most }: Layout): number {
  const length = lengthOf(buffer, 'buffer');
  const end = sizeOf(at, 'at', 0) + length;
  if (end > most) throw new RangeError(`"at" expected integer, with the buffer's length at most ${most}, got ${end}`);
  return length;
}

function checkSize(size: unknown, { unit, most }: Layout): void {
  if (sizeOf(size, 'size', 0) % unit)
    throw new RangeError(`"size" expected whole pages of ${unit} bytes, got ${size as number}`);
  if ((size as number) > most) throw new RangeError(`"size" expected at most ${most}, got ${size as number}`);
}

function checkCipher(cipher: unknown): asserts cipher is LengthPreserving {
  const { encryptPages, decryptPages, spareLength } = (cipher ?? {}) as Partial<AuthenticatedPages>;
  // A cipher with spare bytes is authenticated, but comes from another copy of the library.
  if (typeof encryptPages !== 'function' || typeof decryptPages !== 'function' || spareLength !== undefined)
    throw new TypeError(
      `"cipher" expected what adiantum(), hpolyc() or authenticatedPages() gives, got ${isBytes(cipher) ? 'bytes' : typeOf(cipher)}`,
    );
}

function plainLayout(store: Store, synchronous: boolean, cipher: LengthPreserving, options: FileOptions): PlainLayout {
  const given = optionsOf(options, PLAIN);
  const pageSize = optionOr(given, 'pageSize', 4096);
  checkPageSize(pageSize);
  const tweak = optionOf(given, 'tweak') as Tweak;
  const how = tweakOf(tweak, pageSize);
  const pool = optionOf(given, 'pool') as PagePool | undefined;
  if (pool !== undefined) threadsOf(pool);
  if (pool && synchronous)
    throw new TypeError('"pool" expected undefined: a file over a FileSystemSyncAccessHandle answers at once');
  // A preset or a function; or fscrypt's nonce, which is the caller's to change.
  const kept = typeof tweak === 'object' ? { fscrypt: fscryptNonce(how as Counted) } : tweak;
  return new PlainLayout(store, cipher, pageSize, kept, pool);
}

function authenticatedLayout(
  store: Store,
  sealer: PageSealer,
  options: AuthenticatedFileOptions | undefined,
  queue: Queue,
): AuthenticatedLayout {
  const given = optionsOf(options, AUTHENTICATED);
  const create = flagOf(given, 'create', false);
  const pageSize = optionOf(given, 'pageSize');
  const context = optionOf(given, 'context');
  if (pageSize !== undefined) checkPageSize(pageSize);
  if (context !== undefined) lengthOf(context, 'context');
  const bound = context === undefined ? new Bytes(0) : copyOf(context as Uint8Array);
  return new AuthenticatedLayout(store, sealer, { create, pageSize, context: bound }, queue);
}

/**
 * A file that is encrypted page by page, with reads and writes at any byte.
 *
 * **With `authenticatedPages`** it has a header of 8192 bytes, and 40 bytes in each page are nonce and tag
 * (docs/inside/authenticated-file.md). It may have any length. It refuses a page that was changed, is at another place, or
 * belongs to another file; a file that was cut off; another key, another `context`. It does not notice rollback: an old
 * page of this file at its own place, or an old version of the whole file. A copy of a file counts as the same file.
 *
 * **With `adiantum` or `hpolyc`** it has whole pages, in the places where the plain file would have them, and nothing else:
 * no header, no tags. So it is deterministic and unauthenticated, as the ciphers are: an attacker who has two copies sees
 * which pages differ, and may put back an old page.
 *
 * Neither has a journal. If power fails, pages that were being written may be torn. With tags, each of these is an error
 * when it is read, until it is written as a whole; the file opens, and its length is that of the last `flush` or a later one.
 * Without tags, a torn page is noise, all of it; the others are intact.
 *
 * Files over one handle object may be used together. Those over different handles to one store may not: each has its own
 * order of operations, and its own idea of the length.
 *
 * @param handle - A `FileSystemSyncAccessHandle`, whose file then answers at once; or a `FileHandle` of Node or a
 * `FileSystemFileHandle`, whose file answers with promises. It stays the caller's, who closes it. A `FileSystemFileHandle` copies
 * the file with each write: use a worker and `createSyncAccessHandle` for files that change.
 * @param cipher - A result of `authenticatedPages`, `adiantum` or `hpolyc`. It stays the caller's, who destroys it.
 * @param options - With `authenticatedPages`: `create`, `pageSize`, `context`. Else `tweak`, which tells pages apart as for
 * `encryptPages`; `pageSize`, 4096 bytes unless given; and `pool`, for long reads and writes.
 * @returns The file. A store is looked at when the first operation runs, which throws if there is no file, or if it is
 * changed, cut off, or of another key, context or page size.
 * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value.
 * @example
 * ```ts
 * import { open } from 'node:fs/promises';
 * import { randomBytes, xchacha20poly1305 } from 'lanewise/chacha.js';
 * import { authenticatedPages, encryptedFile } from 'lanewise/disk.js';
 *
 * const key = randomBytes(32); // keep it: without it the file is lost
 * const cipher = authenticatedPages(xchacha20poly1305, key);
 *
 * const created = await open('notes.encrypted', 'w+');
 * const notes = encryptedFile(created, cipher, { create: true });
 * await notes.write(new TextEncoder().encode('a note'), 1000);
 * await notes.flush();
 * await created.close();
 *
 * const handle = await open('notes.encrypted', 'r+');
 * const file = encryptedFile(handle, cipher);
 * const note = new Uint8Array(6);
 * await file.read(note, 1000);
 * await handle.close();
 * ```
 */
export function encryptedFile(
  handle: SynchronousHandle,
  cipher: AuthenticatedPages,
  options?: AuthenticatedFileOptions,
): SynchronousFile;
export function encryptedFile(
  handle: AsynchronousHandle,
  cipher: AuthenticatedPages,
  options?: AuthenticatedFileOptions,
): AsynchronousFile;
export function encryptedFile(
  handle: SynchronousHandle,
  cipher: LengthPreserving,
  options: FileOptions,
): SynchronousFile;
export function encryptedFile(
  handle: AsynchronousHandle,
  cipher: LengthPreserving,
  options: FileOptions,
): AsynchronousFile;
export function encryptedFile(
  handle: SynchronousHandle | AsynchronousHandle,
  cipher: AuthenticatedPages | LengthPreserving,
  options?: AuthenticatedFileOptions | FileOptions,
): SynchronousFile | AsynchronousFile {
  refuseSurplus(arguments, 3);
  const { store, synchronous } = storeOf(handle);
  const queue = queueOf(handle);
  const sealer = sealerOf(cipher);
  let layout: Layout;
  if (sealer) layout = authenticatedLayout(store, sealer, options, queue);
  else {
    checkCipher(cipher);
    layout = plainLayout(store, synchronous, cipher, options as FileOptions);
  }
  const device = new Device(layout);
  const run = <T>(begin: () => Operation<T>): T | Promise<T> => {
    const closed = layout.closed?.signal;
    // A call that begins after that needs the pool only if it is long, and says so.
    if (closed && !closed.aborted) return abortable([closed], (its) => queue.run(begin, its));
    return synchronous ? synchronously(begin) : queue.run(begin);
  };
  const file: Record<keyof SynchronousFile, (...values: never) => unknown> = {
    read(buffer: Uint8Array, at: number) {
      refuseSurplus(arguments, 2);
      const length = checkRange(buffer, at, layout);
      return run(() => device.read(buffer, length, at));
    },
    write(buffer: Uint8Array, at: number) {
      refuseSurplus(arguments, 2);
      const length = checkRange(buffer, at, layout);
      return run(() => device.write(buffer, length, at));
    },
    truncate(size: number) {
      refuseSurplus(arguments, 1);
      checkSize(size, layout);
      return run(() => device.truncate(size));
    },
    flush() {
      refuseSurplus(arguments, 0);
      return run(() => device.flush());
    },
    size() {
      refuseSurplus(arguments, 0);
      return run(() => device.size());
    },
  };
  return file as unknown as SynchronousFile | AsynchronousFile;
}
