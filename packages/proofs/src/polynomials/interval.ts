/** Intervals of integers, both ends included. */

export interface Interval {
  readonly low: bigint;
  readonly high: bigint;
}

export const interval = (low: bigint, high: bigint): Interval => ({ low, high });
export const only = (value: bigint): Interval => ({ low: value, high: value });

export const sum = (x: Interval, y: Interval): Interval => interval(x.low + y.low, x.high + y.high);
export const difference = (x: Interval, y: Interval): Interval => interval(x.low - y.high, x.high - y.low);

export function product(x: Interval, y: Interval): Interval {
  // If neither interval has negative numbers, the ends are the products of the ends.
  if (x.low >= 0n && y.low >= 0n) return interval(x.low * y.low, x.high * y.high);
  const corners = [x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high];
  return corners.map(only).reduce(union);
}

export const scaled = (x: Interval, by: bigint): Interval =>
  by >= 0n ? interval(x.low * by, x.high * by) : interval(x.high * by, x.low * by);

export const union = (x: Interval, y: Interval): Interval =>
  interval(x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high);

/** The intersection; it is never empty, because the same value lies in both intervals. */
export function intersection(x: Interval, y: Interval): Interval {
  const common = interval(x.low > y.low ? x.low : y.low, x.high < y.high ? x.high : y.high);
  if (common.low > common.high) throw new Error('two intervals of one value have nothing in common');
  return common;
}

/** Whether x lies in y. */
export const within = (x: Interval, y: Interval): boolean => x.low >= y.low && x.high <= y.high;

export const sameInterval = (x: Interval, y: Interval): boolean => x.low === y.low && x.high === y.high;

/** 0 to 2^bits - 1 */
export const unsignedBits = (bits: number): Interval => interval(0n, (1n << BigInt(bits)) - 1n);

export const shown = ({ low, high }: Interval): string => {
  const short = (n: bigint): string => (n > -1000n && n < 1000n ? String(n) : Number(n).toPrecision(4));
  return `${short(low)} to ${short(high)}`;
};
