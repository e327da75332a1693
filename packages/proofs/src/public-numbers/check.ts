/** Compares a module's uses of public numbers with the lists of permitted uses. */
import { proofsOf } from '../rooms.ts';
import { nameOfUse, usesOf, type Flowing, type Use } from './flow.ts';
import type { Permission, Threshold } from './lists.ts';

const covers = (of: readonly string[], use: Use): boolean => use.of.every((name) => of.includes(name));

const permissionsOf = (list: readonly Permission[], use: Use): Permission[] =>
  list.filter(({ uses, of }) => uses.includes(nameOfUse(use)) && covers(of, use));

const thresholdsOf = (list: readonly Threshold[], kernel: string, use: Use): Threshold[] =>
  list.filter(
    ({ only = kernel, unless, use: name, of }) =>
      only === kernel && unless !== kernel && name === nameOfUse(use) && covers(of, use),
  );

/**
 * Whether a use is a comparison with zero, or of numbers that no caller passes: coverage claims require both results of
 * it.
 */
const isPlain = ({ kind, other, of }: Use): boolean =>
  kind === 'compare' && (other === '0' || (other !== '' && of.every((name) => name === 'loop')));

export interface NumberCheck {
  /** All uses that were compared with the lists. */
  readonly uses: readonly Use[];
  /** Uses that no list permits. */
  readonly violations: readonly Use[];
  /** The comparisons that have a threshold. */
  readonly comparisons: readonly { readonly at: number; readonly use: Use; readonly threshold: Threshold }[];
  /** The entries of the lists that were needed. */
  readonly needed: ReadonlySet<Permission | Threshold>;
}

export function checkNumbers(kernel: Flowing): NumberCheck {
  const { permitted, thresholds: listed, parameters, limits } = proofsOf(kernel.family).numbers;
  const violations: Use[] = [];
  const comparisons: { at: number; use: Use; threshold: Threshold }[] = [];
  const needed = new Set<Permission | Threshold>();
  const uses = usesOf(kernel, parameters, limits);
  for (const use of uses) {
    const permissions = permissionsOf(permitted, use);
    const thresholds = thresholdsOf(listed, kernel.name, use);
    for (const entry of [...permissions, ...thresholds]) needed.add(entry);
    if (thresholds.length) comparisons.push({ at: use.at, use, threshold: thresholds[0] });
    else if (permissions.length === 0 && !isPlain(use)) violations.push(use);
  }
  return { uses, violations, comparisons, needed };
}

/** A use as one line of text. */
export const describeUse = (use: Use): string =>
  `${nameOfUse(use)} of ${use.of.join(', ') || 'a choice'} at ${use.at}, in ${use.function}`;
