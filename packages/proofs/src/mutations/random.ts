/** Pseudorandom numbers, which are the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 32 bits: splitmix32. */
  word(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return (x ^ (x >>> 15)) >>> 0;
  }

  /** A random integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor((this.word() / 2 ** 32) * end);
  }

  /** A random integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** Fills bytes from a large pool, which is the same in each run: faster than making new numbers. */
  fill(bytes: Uint8Array): void {
    const from = this.below(POOL_BYTES - bytes.length + 1);
    bytes.set(pool().subarray(from, from + bytes.length));
  }
}

const POOL_BYTES = 1 << 20;
let made: Uint8Array | undefined;

function pool(): Uint8Array {
  if (made) return made;
  const random = new Random(1);
  made = new Uint8Array(Uint32Array.from({ length: POOL_BYTES / 4 }, () => random.word()).buffer);
  return made;
}
