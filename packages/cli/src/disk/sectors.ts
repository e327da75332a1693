/** Encrypts and decrypts the sectors of an image, many at a time. */
import { adiantum, hpolyc, type PageCipher, type PagesOptions } from 'lanewise/disk.js';
import type { Settings } from './options.ts';

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

  destroy(): void {
    this.#cipher.destroy();
  }

  #pages(at: number): PagesOptions {
    const { sectorSize, tweak, first } = this.#settings;
    return { pageSize: sectorSize, tweak, first: first + BigInt(at / sectorSize) };
  }
}
