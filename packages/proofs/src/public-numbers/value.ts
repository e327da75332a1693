/**
 * The abstract values of this analysis: whether a value is a constant, comes from memory, comes from a public number,
 * or is the result of a comparison of public numbers; and how a public number depends on its parameters.
 *
 * Lengths and counts go through additions, subtractions, shifts and masks by constants. Such a function of n is the sum
 * of a straight line and a repeating pattern: for some period p and step d, f(n + 2^p) = f(n) + d. The period rises
 * with each bit that is shifted out or masked away, so a function that singles out one length, however it is composed
 * of these operations, has a period of 31 bits. This period distinguishes it from functions such as the number of
 * blocks of a message.
 */

/** f(n + 2^period) = f(n) + d for a multiple d of 2^step. A function that only repeats has an infinite step. */
export interface Spread {
  readonly period: number;
  readonly step: number;
}

/**
 * Spreads by source: a parameter, such as `seal.2`, or a loop, such as `loop 5:12`, whose iterations are counted by the
 * variables that change in it.
 */
export type Spreads = ReadonlyMap<string, Spread>;

export interface Value {
  /**
   * The signed 32-bit value of a constant. A value without any of these fields is a constant too, such as that of a
   * vector.
   */
  readonly constant?: number;
  /** The value comes from memory. */
  readonly data?: true;
  /** The address of the word that was loaded, if the address is a constant. */
  readonly word?: number;
  readonly number?: Spreads;
  /** The value is 1 if a comparison of public numbers holds, and 0 otherwise. */
  readonly condition?: true;
}

export const CONSTANT: Value = {};
export const CONDITION: Value = { condition: true };
export const DATA: Value = { data: true };

/** The spread of a parameter or loop itself. */
const ITSELF: Spread = { period: 0, step: 0 };
export const numberFrom = (source: string): Value => ({ number: new Map([[source, ITSELF]]) });

/** The spread of a sum of two functions. */
function together(a: Spread, b: Spread): Spread {
  const period = Math.max(a.period, b.period);
  // Over a period 2^k times as long, the step is 2^k times as large.
  const stepOf = (x: Spread): number => x.step + period - x.period;
  const step = Math.min(stepOf(a), stepOf(b));
  return period === a.period && step === a.step ? a : { period, step };
}

/** The spreads of a sum, or of a choice. The result is `a` itself if `b` adds nothing. */
export function allSpreads(a: Spreads, b: Spreads): Spreads {
  let all: Map<string, Spread> | undefined;
  for (const [source, spread] of b) {
    const known = a.get(source);
    const combined = known ? together(known, spread) : spread;
    if (combined !== known) (all ??= new Map(a)).set(source, combined);
  }
  return all ?? a;
}

const NONE: Spreads = new Map();
export const spreadsOf = (values: readonly Value[]): Spreads =>
  values.reduce((all, { number }) => (number ? allSpreads(all, number) : all), NONE);

/** The join of two values; in a loop, of a variable before and after an iteration. See Lattice. */
export function joined(a: Value, b: Value, loop?: string): Value {
  if (a === b) return a;
  const same = <T>(x: T, y: T): T | undefined => (x === y ? x : undefined);
  const constant = same(a.constant, b.constant);
  const word = same(a.word, b.word);
  const data = a.data ?? b.data;
  const condition = a.condition ?? b.condition;
  const isChoice = a.constant !== b.constant && !data;
  let number = a.number ?? (isChoice ? NONE : b.number);
  if (number && b.number) number = allSpreads(number, b.number);
  // A variable that changes from iteration to iteration counts them, in whatever way it changes.
  if (number && loop !== undefined && (isChoice || !data)) number = allSpreads(number, numberFrom(loop).number!);
  if (constant === a.constant && word === a.word && data === a.data && condition === a.condition && number === a.number)
    return a;
  return {
    ...(constant !== undefined && { constant }),
    ...(word !== undefined && { word }),
    ...(data && { data }),
    ...(condition && { condition }),
    ...(number && { number }),
  };
}

const mapped = (spreads: Spreads, change: (spread: Spread) => Spread): Spreads =>
  new Map(Array.from(spreads, ([source, spread]) => [source, change(spread)]));

/** More bits than a number has. */
const MOST_PERIOD = 32;

/** The spread with its period extended until the steps are multiples of 2^bits. */
function aligned({ period, step }: Spread, bits: number): Spread {
  const more = Math.max(0, bits - step);
  return { period: Math.min(MOST_PERIOD, period + more), step: step + more };
}

export const shiftedDown = (spreads: Spreads, count: number): Spreads =>
  mapped(spreads, (spread) => {
    const { period, step } = aligned(spread, count);
    return { period, step: step - count };
  });
export const shiftedUp = (spreads: Spreads, count: number): Spreads =>
  mapped(spreads, ({ period, step }) => ({ period, step: step + count }));

/** The exponent of the largest power of two that divides a constant. */
export const zerosOf = (n: number): number => (n === 0 ? Infinity : 31 - Math.clz32(n & -n));

/** The spreads of a masked number. Its low bits alone repeat; the bits above the highest cleared bit go on rising. */
export function masked(spreads: Spreads, mask: number): Spreads {
  const keepsHigh = mask < 0;
  const bits = 32 - Math.clz32(keepsHigh ? ~mask : mask);
  return mapped(spreads, (spread) => {
    const { period, step } = aligned(spread, bits);
    return { period, step: keepsHigh ? step : Infinity };
  });
}
