/** Choices that a seed repeats. */
import { sample } from '../bytes.ts';

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** 32 bits, by Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return (x ^ (x >>> 14)) >>> 0;
  }

  /** An integer from 0 up to `end`, which it is not. */
  below(end: number): number {
    return Math.floor((this.#next() / 2 ** 32) * end);
  }

  /** An integer from the first to the second, which it may be. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True with a probability of 1 in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    return sample(length, 1 + this.below(2 ** 31));
  }

  /** A length: mostly short, often around one of the edges, sometimes any up to the longest. */
  length(longest: number, edges: readonly number[]): number {
    const kind = this.below(100);
    if (kind < 55) return this.between(0, Math.min(longest, 200));
    if (kind < 75) return this.between(0, Math.min(longest, 1300));
    const near = edges.filter((edge) => edge <= longest);
    if (kind < 95 && near.length) return Math.min(longest, Math.max(0, this.pick(near) + this.between(-3, 3)));
    // The choice is cubed, so that long messages do not take most of the time.
    return Math.floor(longest * (this.below(2 ** 20) / 2 ** 20) ** 3);
  }
}
