/** The remaining time of a run, estimated from the durations of its sessions. */

export interface Part {
  /** Sessions that have not begun. */
  readonly remaining: number;
  /** Milliseconds of the sessions that have ended. */
  readonly took: readonly number[];
  /** The session that is running: its milliseconds so far, and the share that is done. */
  readonly present?: { readonly milliseconds: number; readonly share: number } | undefined;
}

/** Nothing is concluded from a smaller share of a session. */
const TELLING = 0.1;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Milliseconds; undefined until one session has a known share. */
export function timeLeft(parts: readonly Part[]): number | undefined {
  const known = parts.map(({ took, present }) => {
    if (took.length > 0) return mean(took);
    return present && present.share > TELLING ? present.milliseconds / present.share : undefined;
  });
  const each = known.filter((value) => value !== undefined);
  if (each.length === 0) return undefined;
  // Engines that have not run yet are expected to take as long as the others.
  const usual = mean(each);
  return parts.reduce((sum, { remaining, present }, i) => {
    const session = known[i] ?? usual;
    return sum + remaining * session + (present ? (1 - present.share) * session : 0);
  }, 0);
}

/** A duration as people say it. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
