/**
 * A task has thousands of leaves, and a few wait in the queue at a time: the worker that takes leaf i puts leaf i + window there. So works
 * that wait together take turns, and to cancel one is to remove a few jobs.
 */
import { integerOf } from './check.ts';

/**
 * Leaves of one task that wait at a time. A taken leaf puts the next one there at once, so this limits neither how many run nor, at one
 * round trip for each, how fast they are taken.
 */
export const WINDOW = 16;

/** Checks the window of a root: a caller of an older version gives none, as all of its leaves are in the queue. */
export const windowOf = (value: unknown, most: number): number | undefined =>
  value === undefined ? undefined : integerOf(value, 'window', 1, most);

export const leafId = (root: string, index: number): string => `${root}.${index}`;

/** The number of a leaf, by its id and that of its root. */
export function indexOf(root: string, id: string): number | undefined {
  const digits = id.startsWith(`${root}.`) ? id.slice(root.length + 1) : '';
  return /^\d{1,6}$/.test(digits) ? Number(digits) : undefined;
}
