/** How the site's search ranks: people search for tasks, and guides describe tasks. */
import type { SearchOptions } from 'minisearch';

/** By the beginning of the address; the first that fits. */
const BOOSTS: readonly (readonly [string, number])[] = [
  ['/guides/measuring', 0.1],
  ['/inside/evidence', 0.1],
  ['/guides/scaling', 0.1],
  ['/guides/cluster-scaling', 0.1],
  ['/inside/javascriptcore', 0.1],
  ['/inside/adding-a-primitive', 0.1],
  ['/guides/security-model', 0.5],
  ['/guides/', 3],
  ['/migrating/', 1.5],
  ['/api/', 1],
  ['/packages/proofs', 0.05],
  ['/packages/lab', 0.1],
  ['/packages/sqlite', 3],
  ['/packages/', 1],
  ['/examples/', 0.5],
  ['/readme', 1],
  ['/security', 0.5],
];
/** The changelog, studies, measurements and pages for contributors. */
const OTHERS = 0.05;

/** Words that say nothing about a task, but are in thousands of sections. */
const COMMON = new Set([
  'a',
  'an',
  'and',
  'for',
  'from',
  'how',
  'i',
  'in',
  'is',
  'my',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);

/** A page may be below a folder of its host. */
const boostOf = (address: string, base: string): number => {
  const path = `/${address.startsWith(base) ? address.slice(base.length) : address}`;
  return BOOSTS.find(([start]) => path.startsWith(start))?.[1] ?? OTHERS;
};

/** For MiniSearch. A word that was typed in full counts more than one that begins with it: `express` isn't part of expressions. */
export const searchOptions = (base: string): SearchOptions => ({
  boost: { title: 4, text: 2, titles: 2 },
  prefix: (_, index, terms) => index === terms.length - 1,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  weights: { prefix: 0.2, fuzzy: 0.1 },
  processTerm: (term) => (COMMON.has(term.toLowerCase()) ? null : term.toLowerCase()),
  boostDocument: (id: string) => boostOf(id, base),
});
