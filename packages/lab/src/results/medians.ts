/** The few numbers that measurements are reduced to. Medians throughout: noise on a shared machine is one-sided. */

/** By linear interpolation between the two nearest values. */
export function quantile(values: readonly number[], fraction: number): number {
  if (values.length === 0) throw new RangeError('no values');
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/**
 * The median of the ratios of each round. Both samples of a pair come from the same moment, so that what slowed one
 * down slowed the other as well; the ratio of two medians would lack that.
 */
export function pairedRatio(numerators: readonly number[], denominators: readonly number[]): number {
  if (numerators.length !== denominators.length) throw new RangeError('pairs need samples of the same rounds');
  return median(numerators.map((numerator, round) => numerator / denominators[round]));
}

/** What several processes found. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  least: quantile(values, 0),
  most: quantile(values, 1),
});
