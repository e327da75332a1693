/** The timers of a pool, which do not keep a process running. */
import { background } from './host.ts';

export class Timers {
  #checks: ReturnType<typeof setInterval> | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** Calls a function again and again, unless one is called already, until it gives false. */
  every(milliseconds: number, check: () => boolean): void {
    if (this.#checks !== undefined) return;
    this.#checks = setInterval(() => {
      if (!check()) this.#stopChecks();
    }, milliseconds);
    background(this.#checks);
  }

  /** Calls a function once, unless there is work before. */
  afterRest(milliseconds: number, then: () => void): void {
    this.endRest();
    this.#resting = setTimeout(then, milliseconds);
    background(this.#resting);
  }

  /** There is work. */
  endRest(): void {
    clearTimeout(this.#resting);
  }

  stop(): void {
    this.#stopChecks();
    this.endRest();
  }

  #stopChecks(): void {
    clearInterval(this.#checks);
    this.#checks = undefined;
  }
}
