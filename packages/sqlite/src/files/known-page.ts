/**
 * A page that was found authentic or was written, with the bytes from which it was decrypted: while all of them are still those of the medium,
 * it needn't be decrypted again.
 */

/** As words: a loop over bytes takes four times as long. */
const wordsOf = (bytes: Uint8Array<ArrayBuffer>): Int32Array =>
  new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);

export class KnownPage {
  /** Decrypted. */
  readonly page: Uint8Array<ArrayBuffer>;
  readonly #stored: Uint8Array<ArrayBuffer>;
  #isKept = false;

  /** @param memory - Two times the bytes of the page, a multiple of 4. */
  constructor(memory: Uint8Array<ArrayBuffer>) {
    const pageSize = memory.length / 2;
    this.page = memory.subarray(0, pageSize);
    this.#stored = memory.subarray(pageSize);
  }

  /** Whether the page of these bytes is the one that is kept. They are public, so this may end at the first difference. */
  has(stored: Uint8Array<ArrayBuffer>): boolean {
    if (!this.#isKept) return false;
    const [ours, others] = [wordsOf(this.#stored), wordsOf(stored)];
    for (let i = 0; i < ours.length; i++) if (ours[i] !== others[i]) return false;
    return true;
  }

  keep(stored: Uint8Array, page: Uint8Array): void {
    this.#stored.set(stored);
    this.page.set(page);
    this.#isKept = true;
  }

  destroy(): void {
    this.page.fill(0);
    this.#isKept = false;
  }
}
