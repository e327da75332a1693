/** The work that a guess of a passphrase costs: parameters of Argon2id or scrypt. */

/** scrypt, RFC 7914: 128 · r · 2^logN bytes of memory, p times. */
export interface ScryptCosts {
  /** From 1 to 20. */
  readonly logN: number;
  /** From 1 to 8. */
  readonly r: number;
  /** From 1 to 4. */
  readonly p: number;
}

/** Argon2id, RFC 9106: m KiB of memory, t passes over it, p lanes. */
export interface Argon2Costs {
  /** From 8·p to 1,048,576. */
  readonly m: number;
  /** From 1 to 16; m·t is at most 4,194,304. */
  readonly t: number;
  /** From 1 to 8. */
  readonly p: number;
}

/** The costs of one of both functions. */
export type Costs = ScryptCosts | Argon2Costs;

/** RFC 9106 §4, its second recommendation: 64 MiB. */
export const COSTS: Costs = { m: 65_536, t: 3, p: 4 };

/** A file may ask for this much, and no more: 1 GiB, and the work of four passes over it. */
const MOST_SCRYPT: ScryptCosts = { logN: 20, r: 8, p: 4 };
const MOST_ARGON2: Argon2Costs = { m: 2 ** 20, t: 16, p: 8 };
const MOST_BLOCKS = 2 ** 22;

export const isScrypt = (costs: Costs): costs is ScryptCosts => Object.hasOwn(costs, 'logN');

/**
 * Checks costs, which may come from a file.
 *
 * @returns undefined if they are allowed, or the reason.
 */
export function refusalOf(costs: Costs): string | undefined {
  const most = isScrypt(costs) ? MOST_SCRYPT : MOST_ARGON2;
  for (const [name, limit] of Object.entries(most) as [keyof Costs, number][]) {
    const least = (name as string) === 'm' ? 8 : 1;
    if (!Number.isInteger(costs[name]) || costs[name] < least || costs[name] > limit)
      return `"costs.${name}" expected an integer from ${least} to ${limit}, got ${String(costs[name])}`;
  }
  if (isScrypt(costs)) return undefined;
  const { m, t, p } = costs;
  if (m < 8 * p) return `"costs.m" expected 8·p or more, got ${m} with p=${p}`;
  if (m * t > MOST_BLOCKS) return `"costs.t" expected at most ${Math.floor(MOST_BLOCKS / m)} with m=${m}, got ${t}`;
  return undefined;
}
