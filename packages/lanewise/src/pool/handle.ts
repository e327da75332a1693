/// <reference lib="esnext.disposable" preserve="true" />
/** A pool of threads, as callers have it. */
import { Crew } from './crew.ts';
import { DIGEST, hashOn, OUTPUT, type PoolBlake3Options } from '../blake3/parallel.ts';
import { areFiles, pageFilesOn, type PageFiles } from '../disk/parallel-files.ts';
import { pagesOn, type PoolPagesOptions } from '../disk/parallel.ts';
import { scryptOn } from '../scrypt/parallel.ts';
import type { PoolSource } from '../io/pieces.ts';
import type { Blake3 } from '../blake3.ts';
import { refuseSurplus } from '../calls/checks.ts';
import { keepThreads, type PoolDescription, type PoolHandle } from '../work/threads.ts';
import type { PageCipher } from '../disk.ts';
import type { ScryptOptions } from '../scrypt.ts';
import { asyncDispose, freeze } from '../engine/intrinsics.ts';

/** Threads that work together. Made by {@link createPool}. */
export class Pool implements PoolHandle {
  readonly #crew: Crew;

  /** @internal */
  constructor(crew: Crew) {
    if (!(crew instanceof Crew)) throw new TypeError('a pool is made by createPool()');
    this.#crew = crew;
    keepThreads(this, crew);
  }

  /**
   * BLAKE3 on all threads: the same bytes as `blake3` of the whole source. Short messages do not leave the caller's thread.
   *
   * @param source - A Uint8Array, Blob or File, `FileHandle` of Node, `FileSystemFileHandle`, Response, ReadableStream, iterable of
   * Uint8Array, or an object with `size` and `read`. Blobs and files of Node are read by the workers themselves. It is left as it is
   * until the promise is settled.
   * @param options - `key` or `context` and `dkLen` as of `blake3`; `signal`, `onProgress`.
   * @returns A promise of `dkLen` fresh bytes, 32 unless given. It is rejected with the reason of the signal, or with whatever the source
   * throws.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `close`: at once.
   */
  blake3(source: PoolSource, options?: PoolBlake3Options): Promise<Uint8Array<ArrayBuffer>> {
    refuseSurplus(arguments, 2);
    this.#crew.checkOpen();
    return hashOn(this.#crew, source, options, DIGEST);
  }

  /**
   * Like `blake3`, with output of any length.
   *
   * @param source - As for `blake3`.
   * @param options - As for `blake3`.
   * @returns A promise of an object with `xof`, `xofInto` and `seek`. It is rejected as that of `blake3`.
   * @throws TypeError if an argument has the wrong type, RangeError if it has the wrong length or value, Error after
   * `close`: at once.
   */
  blake3Xof(source: PoolSource, options?: PoolBlake3Options): Promise<Blake3> {
    refuseSurplus(arguments, 2);
    this.#crew.checkOpen();
    return hashOn(this.#crew, source, options, OUTPUT);
  }

  /**
   * Encrypts many pages on all threads: the same bytes as `encryptPages` of the cipher. Few pages do not leave the caller's thread.
   *
   * Pages in memory are encrypted in place; a buffer in shared memory is copied once less. They are written in order, so that at any
   * time all pages up to some point are encrypted, and the others are as they were. If the work fails or is aborted, nothing is written any
   * more, and that point is the last that `onProgress` was told.
   *
   * Pages of a file go into another file at the same offsets. In Node and Bun the workers read and write by themselves, so that nothing is
   * copied between threads. They write in any order: all pages up to the point that `onProgress` was told are there, and of the others any.
   * When the promise is settled, also by an error or a signal, nothing is written any more, and the files may be closed.
   *
   * @param cipher - A result of `adiantum` or `hpolyc`. Its keys are copied at once; they go to each worker, and are wiped there.
   * @param buffer - Whole pages in memory, possibly none, or `{ from, to }`: two open files. Leave it alone until the promise is settled.
   * @param options - `pageSize`, `first` and `tweak` as of the cipher's `encryptPages`; `signal`, `onProgress`. A function for tweaks is
   * asked for all of them at once, on the caller's thread.
   * @returns A promise of `buffer`. It is rejected with the reason of the signal, with whatever `onProgress` or a file throws, and with an
   * Error that says how many pages are done if two workers ended while they worked, or the pool was closed.
   * @throws As `encryptPages` of the cipher, and Error after `close`: at once. Then nothing is written.
   * @example
   * ```ts
   * import { adiantum } from 'lanewise/disk.js';
   * import { createPool } from 'lanewise/pool.js';
   * import { randomBytes } from 'lanewise/utils.js';
   * const pool = createPool();
   * const cipher = adiantum(randomBytes(32));
   * const image = new Uint8Array(64 * 1024 * 1024);
   * await pool.encryptPages(cipher, image, { pageSize: 4096, tweak: 'dm-crypt-large' });
   * await pool.decryptPages(cipher, image, { pageSize: 4096, tweak: 'dm-crypt-large' });
   * await pool.close();
   * ```
   */
  encryptPages<Pages extends Uint8Array | PageFiles>(
    cipher: PageCipher,
    buffer: Pages,
    options: PoolPagesOptions,
  ): Promise<Pages> {
    refuseSurplus(arguments, 3);
    return this.#pages(0, cipher, buffer, options);
  }

  /**
   * Decrypts many pages on all threads, in memory or in files: the same bytes as `decryptPages` of the cipher.
   *
   * @param cipher - As of `encryptPages`.
   * @param buffer - Whole pages, possibly none. Leave it alone until the promise is settled.
   * @param options - Those of `encryptPages`.
   * @returns A promise of `buffer`, rejected as that of `encryptPages`.
   * @throws As `encryptPages`.
   */
  decryptPages<Pages extends Uint8Array | PageFiles>(
    cipher: PageCipher,
    buffer: Pages,
    options: PoolPagesOptions,
  ): Promise<Pages> {
    refuseSurplus(arguments, 3);
    return this.#pages(1, cipher, buffer, options);
  }

  #pages<Pages extends Uint8Array | PageFiles>(
    back: 0 | 1,
    cipher: PageCipher,
    pages: Pages,
    options: PoolPagesOptions,
  ): Promise<Pages> {
    this.#crew.checkOpen();
    return areFiles(pages)
      ? pageFilesOn(this.#crew, back, cipher, pages, options)
      : pagesOn(this.#crew, back, cipher, pages as Pages & Uint8Array, options);
  }

  /**
   * scrypt in a worker, so that the caller's thread is free: the same key as that of `scrypt`. One key is the work of one thread. A
   * worker derives one key at a time, so the memory is that of as many derivations as there are threads.
   *
   * Password and salt are read before the call returns, and wiped in the worker when the key is there. If the work is aborted, the
   * worker wipes its memory some milliseconds later. Where there are no workers, this loads `lanewise/scrypt.js` and works in slices.
   *
   * @param password - Any number of bytes, also none.
   * @param salt - Any number of bytes: 16 random ones.
   * @param options - As of `scrypt`: `N` or `logN`, `r`, `p`, `dkLen`, `maxmem`, `signal`, `onProgress`.
   * @returns A promise of `dkLen` fresh bytes, 32 unless given. It is rejected as that of `scrypt`, and with an Error if the pool is
   * closed, or if two workers ended while they worked.
   * @throws As `scrypt`, and Error after `close`: at once.
   * @example
   * ```ts
   * import { createPool } from 'lanewise/pool.js';
   * import { randomBytes } from 'lanewise/utils.js';
   * const pool = createPool();
   * const password = new TextEncoder().encode('correct horse battery staple');
   * const key = await pool.scrypt(password, randomBytes(16), { logN: 14 });
   * await pool.close();
   * ```
   */
  scrypt(password: Uint8Array, salt: Uint8Array, options?: ScryptOptions): Promise<Uint8Array<ArrayBuffer>> {
    refuseSurplus(arguments, 3);
    this.#crew.checkOpen();
    return scryptOn(this.#crew, password, salt, options, () => import('../scrypt.ts'));
  }

  /**
   * Tells how the pool works here.
   *
   * @returns How many threads there are, and why there are no workers if there are none. A host that forbids workers is known to do so
   * after the first work.
   */
  describe(): PoolDescription {
    refuseSurplus(arguments, 0);
    const { count, running, reason } = this.#crew;
    return freeze({ threads: count, running, parallel: reason === undefined || running > 0, reason });
  }

  /**
   * Ends the workers, after they have wiped their keys. Work that is under way is rejected with an Error, and so are streams and readers
   * with this pool, also while they wait for their sources.
   *
   * @returns A promise that is settled when all have ended.
   */
  close(): Promise<void> {
    refuseSurplus(arguments, 0);
    return this.#crew.close();
  }

  /** As `close`, for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.#crew.close();
  }
}
