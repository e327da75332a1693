/**
 * Rooms are found by their folders, contests keep their ids and their order, and files of the lab form no import
 * circles.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contests } from '../src/client/catalogue.ts';
import { operations, rooms } from '../src/client/rooms.ts';
import { newestResult } from '../src/readme.ts';
import { readResult } from '../src/results/store.ts';

const source = join(dirname(import.meta.dirname), 'src');

describe('rooms', () => {
  test('are the folders, each with operations, streams or studies, and those with a number come first', () => {
    const folders = readdirSync(join(source, 'rooms'));
    expect(rooms.map(({ name }) => name).sort()).toEqual(folders.sort());
    for (const { name, operations: own, contests: its } of rooms)
      expect([...own, ...(its.streams ?? []), ...(its.studyContests ?? [])], name).not.toEqual([]);
    const orders = rooms.map(({ contests: { order } }) => order);
    const numbered = orders.filter((order) => order !== undefined);
    expect(orders.slice(0, numbered.length)).toEqual([...numbered].sort((a, b) => a - b));
    expect(new Set(numbered).size).toBe(numbered.length);
  });

  test('have operations with ids of their own, whose contests bear their names', () => {
    const ids = operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { contests: own } of rooms)
      for (const { operation, length } of own.platforms ?? [])
        expect(contests.map(({ id }) => id)).toContain(`platforms/${operation.id}/${length}`);
  });

  test('have kernels of operations that there are', async () => {
    for (const { name, kernels } of rooms) {
      const { ours, studies = {} } = await kernels();
      for (const { operation } of [...ours, ...Object.values(studies).flat()])
        expect(
          operations.map(({ id }) => id),
          name,
        ).toContain(operation);
    }
  });
});

test('contests have the ids and the order that they have in the newest result that is committed', () => {
  const { contests: committed, sessions } = readResult(newestResult());
  const order = contests.map(({ id }) => id);
  // The curve of single pages was removed after the first run; the curve of many pages replaces it.
  const removed = (id: string): boolean => id.startsWith('length/adiantum/page/');
  for (const { id } of committed) if (!removed(id)) expect(order).toContain(id);
  // Sessions differ in the contests that their engines have, so the order is that within each.
  for (const { engine, contests: own } of sessions) {
    const ids = own.map(({ contest }) => contest).filter((id) => !removed(id));
    expect(
      order.filter((id) => ids.includes(id)),
      engine,
    ).toEqual(ids);
  }
});

/** The files that a file imports, types included; `#packages` and `#worker` have one file for bundles and one for Node. */
function importsOf(file: string): string[] {
  const { imports } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as {
    imports: Record<string, string | Record<string, string>>;
  };
  const found = readFileSync(file, 'utf8').matchAll(/(?:\bfrom\s+|\bimport\(\s*|^import\s+)'([^']+)'/gm);
  return Array.from(found, ([, name]) => name).flatMap((name) => {
    if (name.startsWith('.')) return [resolve(dirname(file), name)];
    if (name === '#rooms') return roomFiles;
    const target = imports[name];
    return target === undefined ? [] : Object.values(target).map((path: string) => join(source, '..', path));
  });
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => join(source, name));
/** The room's files that are found by name instead of being imported. */
const roomFiles = files.filter((file) =>
  /\/rooms\/[^/]+\/(operations|contests|forms)\.ts$/.test(file.replaceAll('\\', '/')),
);

test('no file imports itself by way of others', () => {
  expect(roomFiles.length).toBeGreaterThan(rooms.length);
  const graph = new Map(files.map((file) => [file, importsOf(file).filter(existsSync)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].map((each) => relative(source, each)).join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});
