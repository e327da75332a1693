/**
 * The imports between files of the prover: no circles except in terms/, and rooms are found by their folders, not
 * imported.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: source }).sort();

/** The prover's own files that a text imports, types too. */
function importsOf(file: string, text: string): string[] {
  const paths = [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, path]) => path);
  return paths
    .map((path) => relative(source, join(source, dirname(file), path)))
    .filter((path) => !path.startsWith('..'));
}

type Imports = ReadonlyMap<string, readonly string[]>;
const imports: Imports = new Map(
  files.map((file) => [file, importsOf(file, readFileSync(join(source, file), 'utf8'))] as const),
);

/** All files that a file imports, directly or indirectly. */
function reached(from: string, all: Imports): Set<string> {
  const seen = new Set<string>();
  const open = [...(all.get(from) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...(all.get(file) ?? []));
  }
  return seen;
}
const circular = (all: Imports): string[] => [...all.keys()].filter((file) => reached(file, all).has(file));

it('no file outside of terms/ imports itself by way of others', () => {
  expect(circular(imports).filter((file) => !file.startsWith('terms/'))).toEqual([]);
  expect(
    circular(
      new Map([
        ['a.ts', ['b.ts']],
        ['b.ts', ['a.ts']],
        ['c.ts', ['a.ts']],
      ]),
    ),
  ).toEqual(['a.ts', 'b.ts']);
  expect(importsOf('rooms/x/room.ts', "import type { Room } from '../room.ts';\nimport 'node:fs';")).toEqual([
    'rooms/room.ts',
  ]);
});

it('no room imports what loads rooms', () => {
  const rooms = files.filter((file) => /^rooms\/\w+\//.test(file));
  expect(rooms.length).toBeGreaterThan(50);
  expect(rooms.filter((file) => reached(file, imports).has('rooms.ts'))).toEqual([]);
});

it('only the polynomials modulo 2^130 - 5, certificates of its last step, and the command for mutants import a room', () => {
  const importing = files.filter(
    (file) => !file.startsWith('rooms/') && imports.get(file)!.some((path) => /^rooms\/\w+\//.test(path)),
  );
  expect(importing).toEqual([
    'certificate/recording.ts',
    'certificate/script.ts',
    'certificate/statement.ts',
    'mutations/full.ts',
    'polynomials/congruence.ts',
    'polynomials/random-point.ts',
  ]);
});
