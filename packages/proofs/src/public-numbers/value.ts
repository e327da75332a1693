/**
 * What is known of a value: whether it is a constant, comes from memory, comes from a public number, or is the result of a
 * comparison of public numbers; and how a public number depends on the parameters that it comes from.
 *
 * Lengths and counts go through additions, subtractions, shifts and masks by constants. Such a function of n is a straight
 * line and a pattern that repeats: for some period p and step d, f(n + 2^p) = f(n) + d. The period rises with each bit that
 * is shifted out or masked away, so a function that is special at one length and at no other, however it is put together
 * of these, has a period of 31 bits. That is what tells it from the number of blocks of a message.
 */

/** f(n + 2^period) = f(n) + d for a multiple d of 2^step. A function that only repeats has an infinite step. */
export interface Spread {
  readonly period: number;
  readonly step: number;
}

/** By parameter, as `seal.2`, or by loop, as `loop 5:12`, whose turns are counted by what changes in it. */
export type Spreads = ReadonlyMap<string, Spread>;

export interface Value {
  /** Of 32 bits, signed. A value without any of these is a constant, too, such as a vector's. */
  readonly constant?: number;
  /** It comes from memory. */
  readonly data?: true;
  /** The word of memory that it is, if its address is a constant. */
  readonly word?: number;
  readonly number?: Spreads;
  /** It is 1 if a comparison of public numbers holds, and else 0. */
  readonly condition?: true;
}

export const CONSTANT: Value = {};
export const CONDITION: Value = { condition: true };
export const DATA: Value = { data: true };

/** Of a parameter or loop itself. */
const ITSELF: Spread = { period: 0, step: 0 };
export const numberFrom = (source: string): Value => ({ number: new Map([[source, ITSELF]]) });

/** Of a sum of two functions. */
function together(a: Spread, b: Spread): Spread {
  const period = Math.max(a.period, b.period);
  // Over a longer period the step is as many times as large.
  const stepOf = (x: Spread): number => x.step + period - x.period;
  const step = Math.min(stepOf(a), stepOf(b));
  return period === a.period && step === a.step ? a : { period, step };
}

/** Of a sum, or of a choice. It is `a` itself if `b` adds nothing. */
export function allSpreads(a: Spreads, b: Spreads): Spreads {
  let all: Map<string, Spread> | undefined;
  for (const [source, spread] of b) {
    const known = a.get(source);
    const both = known ? together(known, spread) : spread;
    if (both !== known) (all ??= new Map(a)).set(source, both);
  }
  return all ?? a;
}

const NONE: Spreads = new Map();
export const spreadsOf = (values: readonly Value[]): Spreads =>
  values.reduce((all, { number }) => (number ? allSpreads(all, number) : all), NONE);

/** A value that is one or the other; in a loop, a variable and what a turn has made of it. See Lattice. */
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
  // However it changes from turn to turn, it counts them.
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

/** So long a period that the steps are multiples of 2^bits. */
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

/** How often 2 divides a constant. */
export const zerosOf = (n: number): number => (n === 0 ? Infinity : 31 - Math.clz32(n & -n));

/** The low bits alone repeat; the others, from the highest bit on that is cleared, go on rising. */
export function masked(spreads: Spreads, mask: number): Spreads {
  const keepsHigh = mask < 0;
  const bits = 32 - Math.clz32(keepsHigh ? ~mask : mask);
  return mapped(spreads, (spread) => {
    const { period, step } = aligned(spread, bits);
    return { period, step: keepsHigh ? step : Infinity };
  });
}
