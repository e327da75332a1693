/** A file of encrypted pages over any store with random access. */
import { isBytes, kindOf, lengthOf, refuseExtra } from '../calls/checks.ts';
import { Device, STAGE_BYTES } from './device.ts';
import { optionsOf, sizeOf } from './options.ts';
import { PlainLayout, type LengthPreserving } from './plain-layout.ts';
import { queueOf, synchronously, type Steps } from './steps.ts';
import { storeOf, type AsynchronousHandle, type SynchronousHandle } from './store.ts';
import { tweakOf, type Tweak } from './tweak.ts';

export type { AsynchronousHandle, SynchronousHandle } from './store.ts';

/** How a file is encrypted. */
export interface FileOptions {
  /** In bytes: a power of two from 512 to 65,536; 4096 unless given. */
  readonly pageSize?: number;
  /** The tweak of each page: as for `encryptPages`. */
  readonly tweak: Tweak;
}

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

/** The length of a buffer that is read or written at byte `at`. */
function checkRange(buffer: unknown, at: unknown): number {
  const length = lengthOf(buffer, 'buffer');
  sizeOf(sizeOf(at, 'at', 0) + length, 'at', 0);
  return length;
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
  const { encryptPages, decryptPages } = (cipher ?? {}) as Partial<LengthPreserving>;
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
  cipher: LengthPreserving,
  options: FileOptions,
  extra?: unknown,
): SynchronousFile | AsynchronousFile {
  refuseExtra(extra, 3);
  const { store, synchronous } = storeOf(handle);
  checkCipher(cipher);
  const { pageSize: asked = 4096, tweak } = optionsOf(options, ['pageSize', 'tweak']);
  const pageSize = pageSizeOf(asked);
  tweakOf(tweak, pageSize);
  const device = new Device(new PlainLayout(store, cipher, pageSize, tweak as Tweak));
  const run = <T>(begin: () => Steps<T>): T | Promise<T> =>
    synchronous ? synchronously(begin) : queueOf(handle).run(begin);
  const file: Record<keyof SynchronousFile, (...values: never) => unknown> = {
    read(buffer: Uint8Array, at: number, extra?: unknown) {
      refuseExtra(extra, 2);
      const length = checkRange(buffer, at);
      return run(() => device.read(buffer, length, at));
    },
    write(buffer: Uint8Array, at: number, extra?: unknown) {
      refuseExtra(extra, 2);
      const length = checkRange(buffer, at);
      return run(() => device.write(buffer, length, at));
    },
    truncate(size: number, extra?: unknown) {
      refuseExtra(extra, 1);
      checkSize(size, pageSize);
      return run(() => device.truncate(size));
    },
    flush(extra?: unknown) {
      refuseExtra(extra, 0);
      return run(() => device.flush());
    },
    size(extra?: unknown) {
      refuseExtra(extra, 0);
      return run(() => device.size());
    },
  };
  return file as unknown as SynchronousFile | AsynchronousFile;
}
