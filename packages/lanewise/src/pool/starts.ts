/** Whether workers can be started, and for how much work they are. */
import { getPrototypeOf, max } from '../engine/intrinsics.ts';

/** How many in a row may fail to start where others have started before, and how long none is started then. */
const MOST_FAILURES = 3;
const PAUSE_MS = 1000;

/** An error of the caller's own `spawn`, as opposed to one of a host that forbids workers. */
export const isMistake = (error: unknown): boolean =>
  error instanceof Error &&
  getPrototypeOf(error) !== (globalThis as { DOMException?: typeof DOMException }).DOMException?.prototype;

/** How starts of workers have ended. */
export class Starts {
  #refusal: string | undefined;
  /** Until when no more are started for that reason. */
  #until = Infinity;
  #succeeded = false;
  #failures = 0;
  /** Bytes of work that workers would have done if there had been any. */
  #missed = 0;

  readonly #threshold: number | undefined;

  /** @param threshold - The bytes above which work is for workers, if the caller has set them. */
  constructor(refusal: string | undefined, threshold?: number) {
    this.#refusal = refusal;
    this.#threshold = threshold;
  }

  /** Why no more are started. */
  get refusal(): string | undefined {
    return Date.now() < this.#until ? this.#refusal : undefined;
  }

  succeeded(): void {
    this.#succeeded = true;
    this.#failures = 0;
    this.#missed = 0;
    // Others may have failed for want of something that is there again.
    this.#refusal = undefined;
  }

  /** The bytes above which work is for workers that run, or is worth their start. Work that was done without them counts, too. */
  least(running: boolean, warm: number, cold: number): number {
    return this.#threshold ?? (running ? warm : max(warm, cold - this.#missed));
  }

  missed(bytes: number): void {
    this.#missed += bytes;
  }

  /** Where no worker has ever started, the next one would not either. */
  failed(reason: string): void {
    if (++this.#failures < (this.#succeeded ? MOST_FAILURES : 1)) return;
    this.#refusal = `no worker could be started: ${reason}`;
    this.#until = this.#succeeded ? Date.now() + PAUSE_MS : Infinity;
  }
}
