/** Flushes of a file while it is written, so that the medium writes meanwhile, and the flush at the end is short. */
import type { StoredFile } from '../disk/storage.ts';

/** How much is written from the start of a flush to the next one at least: many small flushes take longer than a long one. */
export const INTERVAL_BYTES = 64 * 2 ** 20;

export class EarlyFlush {
  readonly #file: StoredFile;
  #written = 0;
  #flushing: Promise<void> | undefined;
  /** Linux reports an error of the medium to a single flush, so that of an early one must not be lost (fsync(2), "ERRORS"). */
  #failure: { readonly error: unknown } | undefined;

  constructor(file: StoredFile) {
    this.#file = file;
  }

  /** Some bytes more were written. */
  wrote(bytes: number): void {
    this.#written += bytes;
    if (this.#flushing || this.#written < INTERVAL_BYTES) return;
    this.#written = 0;
    this.#flushing = this.#file
      .flush()
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => (this.#flushing = undefined));
  }

  /** Resolves when no flush is under way, so that the file may be closed. */
  async settled(): Promise<void> {
    await this.#flushing;
  }

  /** Resolves when all written content is on the medium. */
  async finish(): Promise<void> {
    await this.settled();
    if (this.#failure) throw this.#failure.error;
    await this.#file.flush();
  }
}
