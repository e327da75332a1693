/** Asks a connection again and again whether it is alive: one whose packets go nowhere looks as if it were. */
export class Pulse {
  readonly #timer: NodeJS.Timeout;
  #answered = performance.now();
  #asking = false;
  #late = false;

  /**
   * @param every - How often it is asked, and within how long it must answer, in milliseconds.
   * @param ask - Asks once. It may wait for ever.
   * @param dead - Is called each time that an answer is late.
   */
  constructor(every: number, ask: () => Promise<unknown>, dead: () => void) {
    this.#timer = setInterval(() => {
      if (this.#asking) {
        this.#late = true;
        dead();
      } else void this.#ask(ask);
    }, every).unref();
  }

  /** Whether an answer is overdue. */
  get late(): boolean {
    return this.#late;
  }

  /** Seconds since the last answer. */
  get seconds(): number {
    return (performance.now() - this.#answered) / 1000;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #ask(ask: () => Promise<unknown>): Promise<void> {
    this.#asking = true;
    try {
      await ask();
      this.#answered = performance.now();
      this.#late = false;
    } catch {
      // A refusal says that the server is busy or leaves; the next question will tell.
    } finally {
      this.#asking = false;
    }
  }
}
