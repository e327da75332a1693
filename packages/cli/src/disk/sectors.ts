/** Encrypts and decrypts the sectors of an image, many at a time. */
import { adiantum, hpolyc, type PageCipher, type PagesOptions } from 'lanewise/disk.js';
import type { Pool } from 'lanewise/pool.js';
import type { Operation, Settings } from './options.ts';

export class Sectors {
  readonly #cipher: PageCipher;
  readonly #settings: Settings;

  constructor(settings: Settings, key: Uint8Array) {
    const { cipher, rounds } = settings;
    this.#cipher = (cipher === 'adiantum' ? adiantum : hpolyc)(key, { rounds });
    this.#settings = settings;
  }

  /** In place: whole sectors, of which the first is at byte `at` of the image. */
  encrypt(bytes: Uint8Array, at: number): void {
    this.#cipher.encryptPages(bytes, this.#pages(at));
  }

  decrypt(bytes: Uint8Array, at: number): void {
    this.#cipher.decryptPages(bytes, this.#pages(at));
  }

  /** Like `convert`, on all threads. */
  async convertOn(pool: Pool, action: Operation, bytes: Uint8Array, at: number): Promise<void> {
    let done = 0;
    const onProgress = (now: number): void => void (done = now);
    const pages = { ...this.#pages(at), onProgress };
    try {
      await (action === 'encrypt'
        ? pool.encryptPages(this.#cipher, bytes, pages)
        : pool.decryptPages(this.#cipher, bytes, pages));
    } catch (error) {
      // One thread goes on where two workers have ended, for want of memory perhaps.
      if ((error as Error).constructor !== Error) throw error;
      this.convert(action, bytes.subarray(done), at + done);
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
