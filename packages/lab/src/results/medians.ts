/** Medians and ratios of samples. Medians are used throughout, because noise on a shared machine is one-sided. */

/** A quantile by linear interpolation between the two nearest values. */
export function quantile(values: readonly number[], fraction: number): number {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Ratios of the samples of the same round. */
export function pairs(numerators: readonly number[], denominators: readonly number[]): number[] {
  if (numerators.length !== denominators.length) throw new RangeError('pairs need samples of the same rounds');
  return numerators.map((numerator, round) => numerator / denominators[round]);
}

/**
 * The median of the ratios of each round. Both samples of a pair are taken under the same conditions, so a disturbance
 * slows both; the ratio of two medians would lose this.
 */
export const pairedRatio = (numerators: readonly number[], denominators: readonly number[]): number =>
  median(pairs(numerators, denominators));
