/** Standard output, to which lines are written some at a time: a call for each would take longer than hashing a short file. */
import { print } from '../terminal.ts';

/** Lines wait no longer than this for others, nor for an input that may take long. */
const PATIENCE_MILLISECONDS = 20;
const MOST_CHARACTERS = 16_384;

export class Lines {
  #waiting = '';
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Writes whole lines, now or soon. */
  async add(text: string): Promise<void> {
    const now = performance.now();
    if (this.#waiting === '') {
      this.#since = now;
      // For a list of files that comes slowly. While short files are hashed, no timer goes off.
      this.#timer = setTimeout(() => void this.flush(), PATIENCE_MILLISECONDS);
    }
    this.#waiting += text;
    if (this.#waiting.length >= MOST_CHARACTERS || now - this.#since >= PATIENCE_MILLISECONDS) await this.flush();
  }

  /** Writes the lines that wait: before anything else is written, and before work that takes long. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#waiting === '') return;
    const text = this.#waiting;
    this.#waiting = '';
    await print(text);
  }
}
