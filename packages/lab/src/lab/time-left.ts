/** How long a run will still take, from what its sessions took. */

export interface Part {
  /** Sessions that are still to come, without the present one. */
  readonly remaining: number;
  /** Milliseconds of those that have ended. */
  readonly took: readonly number[];
  /** Of the present session: how long it has run, and how much of it is done. */
  readonly present?: { readonly milliseconds: number; readonly share: number } | undefined;
}

/** From less than this share of a session nothing is concluded. */
const TELLING = 0.1;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Milliseconds; undefined while nothing is known. */
export function timeLeft(parts: readonly Part[]): number | undefined {
  const known = parts.map(({ took, present }) => {
    if (took.length > 0) return mean(took);
    return present && present.share > TELLING ? present.milliseconds / present.share : undefined;
  });
  const each = known.filter((value) => value !== undefined);
  if (each.length === 0) return undefined;
  // Those that have not run yet take as long as the others.
  const usual = mean(each);
  return parts.reduce((sum, { remaining, present }, i) => {
    const session = known[i] ?? usual;
    return sum + remaining * session + (present ? (1 - present.share) * session : 0);
  }, 0);
}

/** As people say it. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
