/** Encrypts and decrypts the sectors of an image, many at a time. */
import { adiantum, hpolyc, type PageCipher, type PagesOptions } from 'lanewise/disk.js';
import type { PageFiles, Pool } from 'lanewise/pool.js';
import type { Operation, Settings } from './options.ts';

export class Sectors {
  readonly #cipher: PageCipher;
  readonly #settings: Settings;

  constructor(settings: Settings, key: Uint8Array) {
    const { cipher, rounds } = settings;
    this.#cipher = (cipher === 'adiantum' ? adiantum : hpolyc)(key, { rounds });
    this.#settings = settings;
  }

  /** In place: whole sectors; the first is at byte `at` of the image. */
  encrypt(bytes: Uint8Array, at: number): void {
    this.#cipher.encryptPages(bytes, this.#pages(at));
  }

  decrypt(bytes: Uint8Array, at: number): void {
    this.#cipher.decryptPages(bytes, this.#pages(at));
  }

  /**
   * Converts all of a file into another one, on all threads.
   *
   * @param onProgress - Called with the number of bytes from the start on that are done.
   * @returns whether all are: not if two workers have ended, for want of memory perhaps, or if the file has become shorter.
   */
  async convertOn(
    pool: Pool,
    action: Operation,
    files: PageFiles,
    onProgress: (done: number) => void,
  ): Promise<boolean> {
    const pages = { ...this.#pages(0), onProgress };
    try {
      await (action === 'encrypt'
        ? pool.encryptPages(this.#cipher, files, pages)
        : pool.decryptPages(this.#cipher, files, pages));
      return true;
    } catch (error) {
      if ((error as Error).constructor !== Error) throw error;
      return false;
    }
  }

  convert(action: Operation, bytes: Uint8Array, at: number): void {
    if (action === 'encrypt') this.encrypt(bytes, at);
    else this.decrypt(bytes, at);
  }

  destroy(): void {
    this.#cipher.destroy();
  }

  #pages(at: number): PagesOptions {
    const { sectorSize, tweak, first } = this.#settings;
    return { pageSize: sectorSize, tweak, first: first + BigInt(at / sectorSize) };
  }
}
