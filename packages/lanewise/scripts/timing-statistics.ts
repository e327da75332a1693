/**
 * Whether two classes of measurements differ: the leakage test of "Dude, is my code constant time?" (Reparaz, Balasch,
 * Verbauwhede, 2017). Welch's t, on all measurements and on those below each of many percentiles, because delays
 * by the operating system and the garbage collector make a tail that hides small differences.
 */

/** Times in nanoseconds, and for each the class, 0 or 1, that its input was of. */
export interface Measurements {
  readonly times: Float64Array;
  readonly classes: Uint8Array;
}

export interface Verdict {
  /** The largest |t| of all crops. Above 4.5 there is a difference; the paper calls 10 and more sure. */
  readonly t: number;
  /** Which part of the measurements, the quickest, that is of. */
  readonly kept: number;
  /** |t| of all measurements. */
  readonly raw: number;
  /** How much longer class 1 takes there than class 0, in nanoseconds. */
  readonly difference: number;
}

/** Mean and variance in one pass, by Welford's method. */
class Moments {
  count = 0;
  mean = 0;
  #squares = 0;

  add(x: number): void {
    this.count++;
    const before = x - this.mean;
    this.mean += before / this.count;
    this.#squares += before * (x - this.mean);
  }

  get variance(): number {
    return this.#squares / (this.count - 1);
  }
}

/** Welch's t of the times below a limit, and the difference of the means. */
export function welch({ times, classes }: Measurements, limit = Infinity): { t: number; difference: number } {
  const moments = [new Moments(), new Moments()];
  for (let i = 0; i < times.length; i++) if (times[i] < limit) moments[classes[i]].add(times[i]);
  const [a, b] = moments;
  const error = Math.sqrt(a.variance / a.count + b.variance / b.count);
  const difference = b.mean - a.mean;
  return { t: error > 0 ? difference / error : 0, difference };
}

const CROPS = 100;
/** Below that a crop says nothing: §III.B of the paper wants its t to be that of many. */
const LEAST = 1000;

export function verdict(measurements: Measurements): Verdict {
  const sorted = measurements.times.toSorted();
  const all = welch(measurements);
  let best = { t: Math.abs(all.t), kept: 1, difference: all.difference };
  for (let i = 1; i <= CROPS; i++) {
    const kept = 1 - 0.5 ** ((10 * i) / CROPS);
    const at = Math.floor(kept * sorted.length);
    if (at < LEAST) continue;
    const { t, difference } = welch(measurements, sorted[at]);
    if (Math.abs(t) > best.t) best = { t: Math.abs(t), kept, difference };
  }
  return { ...best, raw: Math.abs(all.t) };
}
