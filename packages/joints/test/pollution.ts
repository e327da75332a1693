/** For pollution.test.ts and pollution.long.test.ts: the names of options, and the answers of calls while prototypes have properties of these names. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { outcomeOf } from './outcome.ts';
import { plain, type Row } from './row.ts';
import { close, rows } from './rows.ts';

const packages = join(import.meta.dirname, '../..');

/** The names that the sources of the published packages give to options: in types of options, and in the lists with which they are checked. */
const declared = ['lanewise', 'age', 'cluster', 'sqlite', 'native'].flatMap((name) =>
  globSync('**/*.ts', { cwd: join(packages, name, 'src') })
    .map((file) => readFileSync(join(packages, name, 'src', file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/interface \w*Options?\b[^{]*\{(.*?)\n\}/gs)].map(([, body]) => body))
    .flatMap((body) => [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, option]) => option)),
);
export const NAMES = [...new Set([...declared, 'header', 'source', 'target', 'kind', 'signal'])]
  .filter((name) => !(name in Object.prototype))
  .sort();

const prototypes: readonly object[] = [Object.prototype, Array.prototype, Function.prototype];
const polluted = new Set<string>();
function pollute(names: readonly string[], value: unknown, holders: readonly object[]): void {
  for (const name of names) {
    polluted.add(name);
    for (const holder of holders)
      if (!Object.hasOwn(holder, name))
        Object.defineProperty(holder, name, { value, configurable: true, writable: true, enumerable: false });
  }
}
function clean(): void {
  for (const name of polluted)
    for (const holder of prototypes) if (!built.get(holder)!.has(name)) Reflect.deleteProperty(holder, name);
  polluted.clear();
}
const built = new Map(prototypes.map((holder) => [holder, new Set(Object.getOwnPropertyNames(holder))]));
afterEach(clean);
afterAll(() => close());

/** The outcomes of rows while nothing is polluted. Those that are different each time are compared by their lengths. */
const usual = new Map<Row, string>();
const shapeOf = (outcome: string): string =>
  outcome
    // Base64 of random bytes, first: it may have some hexadecimal digits in a row.
    .replace(/[\w+/-]{16,}/g, (text) => `${text.length} characters`)
    .replace(/[0-9a-f]{6,}/g, (digits) => `${digits.length} digits`)
    .replace(/\bnumber \d+(?: digits)?/g, 'a number');
export const random = new Set<Row>();
beforeAll(async () => {
  for (const row of rows) {
    const [first, second] = [await outcomeOf(() => row.run(plain)), await outcomeOf(() => row.run(plain))];
    if (first !== second) random.add(row);
    usual.set(row, random.has(row) ? shapeOf(first) : first);
  }
});

export async function differences(
  names: readonly string[],
  value: unknown,
  holders: readonly object[],
): Promise<string[]> {
  const found: string[] = [];
  for (const row of rows) {
    pollute(names, value, holders);
    // Only the call itself is under test: the test's own awaiting is not.
    const outcome = await outcomeOf(() => row.run(plain)).finally(clean);
    const its = random.has(row) ? shapeOf(outcome) : outcome;
    if (its === usual.get(row)) continue;
    if (row.original) {
      // Whatever the original does with it, our functions add nothing.
      pollute(names, value, holders);
      if ((await outcomeOf(() => row.original!(plain)).finally(clean)) === outcome) continue;
    }
    found.push(`${row.title}: ${its.slice(0, 200)} in place of ${usual.get(row)!.slice(0, 100)}`);
  }
  return found;
}
