/** Every public call of every package is in each table, or left out for a reason that has a name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doors } from '../../lanewise/scripts/rooms.ts';
import { costs } from './cost.ts';
import { wholes } from './drafts.ts';
import { excluded, TABLES, type Table } from './excluded.ts';
import { doorsOf, inventory, manifestOf, published } from './inventory.ts';
import { machines } from './machines.ts';
import { rows } from './rows.ts';

const names = await inventory();
const covered: Readonly<Record<Table, ReadonlySet<string>>> = {
  lengths: new Set(rows.flatMap(({ covers }) => covers)),
  memory: new Set(rows.flatMap(({ covers }) => covers)),
  pollution: new Set(rows.flatMap(({ covers }) => covers)),
  machines: new Set(machines.flatMap(({ covers }) => covers)),
  cost: new Set(costs.flatMap(({ covers }) => covers)),
  // drafts.test.ts runs these as programs.
  drafts: new Set([...wholes.flatMap(({ covers }) => covers), 'cli encrypt', 'cli decrypt', 'cli verify']),
};

test('all packages that are published are in the inventory', () => {
  const inside = new Set(names.map((name) => name.split(' ')[0]));
  expect([...inside].sort()).toEqual(published().sort());
  expect(names.length).toBeGreaterThan(300);
});

test('the doors of the library are those of its own table of calls', async () => {
  const { exports = {} } = manifestOf('lanewise');
  const files = Object.keys(exports)
    .filter((path) => path.endsWith('.js'))
    .map((path) => path.slice(2, -3));
  expect(files.sort()).toEqual(doors.filter((door) => door !== 'index').sort());
  // Packages with one public module; a second one would need a place in inventory.ts, if it had calls that the first one has not.
  expect(Object.keys(await doorsOf('cluster'))).toEqual(['.']);
  const { '.': whole, './files.js': part, ...others } = await doorsOf('age');
  expect(others).toEqual({});
  expect(whole).toMatchObject({ ...(part as object) });
});

test.each(TABLES)('%s has every call, or a reason', (table) => {
  const isExcluded = (name: string): boolean =>
    excluded.some(([tables, pattern]) => tables.includes(table) && pattern.test(name));
  expect(names.filter((name) => !covered[table].has(name) && !isExcluded(name))).toEqual([]);
});

test.each(excluded)('the reason for %s, %s, is needed', (tables, pattern) => {
  for (const table of tables)
    expect(
      names.some((name) => pattern.test(name) && !covered[table].has(name)),
      table,
    ).toBe(true);
});

test('no row is of a call that does not exist', () => {
  const known = new Set(names);
  // The originals' own, which hang on ours.
  const strange = TABLES.flatMap((table) => [...covered[table]]).filter(
    (name) => !known.has(name) && !/^noble-ciphers/.test(name),
  );
  expect([...new Set(strange)]).toEqual([]);
});

test('CONTRIBUTING.md names the tables', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../CONTRIBUTING.md'), 'utf8');
  for (const table of TABLES) expect(text).toContain(`\`${table}.test.ts\``);
});
