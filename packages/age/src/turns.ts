/** Long work on the caller's thread, which lets the event loop turn now and then, so that a signal can be aborted. */

/** Lets the event loop turn once. Timers are the last choice, because browsers delay timers that follow timers by 4 ms. */
function turn(): Promise<void> {
  const { setImmediate } = globalThis as { setImmediate?: (then: () => void) => unknown };
  if (setImmediate) return new Promise((resolve) => setImmediate(resolve));
  if (typeof MessageChannel === 'undefined') return new Promise((resolve) => setTimeout(resolve, 0));
  const { port1, port2 } = new MessageChannel();
  return new Promise<void>((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(0);
    // An open port keeps some hosts running.
  }).finally(() => port1.close());
}

/** Counts steps. Not by the clock, because in some hosts that stands still while code runs. */
export class Turns {
  readonly #steps: number;
  #left: number;

  /** @param steps - How many steps there are between two turns: some milliseconds of work. */
  constructor(steps: number) {
    this.#steps = steps;
    this.#left = steps;
  }

  /** Counts a step. */
  async next(): Promise<void> {
    if (--this.#left > 0) return;
    this.#left = this.#steps;
    await turn();
  }
}
