/** Results that wait to be saved, and the saves that go on: one after the other, because some browsers take only one at a time. */
import type { Unsaved } from './outputs/output.ts';

export class Saves {
  readonly #waiting = new Set<Unsaved>();
  readonly #onError: (error: unknown) => void;
  readonly #onChange: () => void;
  #last: Promise<void> = Promise.resolve();
  #running = 0;

  /** `onChange` is called after each save. */
  constructor(onError: (error: unknown) => void, onChange: () => void) {
    this.#onError = onError;
    this.#onChange = onChange;
  }

  /** Whether nothing would be lost if the page were closed. */
  get isDone(): boolean {
    return this.#waiting.size === 0 && this.#running === 0;
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** How many results no save has completed. */
  get left(): number {
    return this.#waiting.size;
  }

  /** Results that the person has to save. */
  expect(all: readonly Unsaved[]): void {
    for (const one of all) this.#waiting.add(one);
  }

  /** Saves a result; it counts as saved when the browser has all of it. */
  save(one: Unsaved): void {
    this.#running++;
    this.#last = this.#last
      .then(() => one.save())
      .then(() => void this.#waiting.delete(one), this.#onError)
      .finally(() => {
        this.#running--;
        this.#onChange();
      });
  }

  /** Forgets results. They are removed when the saves that have begun are over. */
  forget(all: readonly Unsaved[]): void {
    for (const one of all) this.#waiting.delete(one);
    void this.#last.then(() => Promise.all(all.map((one) => one.remove())));
  }
}
