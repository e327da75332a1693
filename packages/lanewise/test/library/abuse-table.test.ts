/** The tests that docs/inside/evidence.md names as evidence exist. */
// Runs in Node only: about a document.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/inside/evidence.md'), 'utf8');
const rows = text.split('\n').filter((line) => line.startsWith('|') && line.includes('.test.ts`'));

const folders = [
  join(import.meta.dirname, '..'),
  ...['../../../cli', '../../../lab', '../../../runtimes', '../../../../site'].map((its) =>
    join(import.meta.dirname, its, 'test'),
  ),
];

/** Files, each with every name in quotation marks that follows it, up to the next file. */
const named: { file: string; title?: string }[] = rows.flatMap((row) =>
  [...row.matchAll(/`([\w*./-]+\.test\.ts)`([^`]*)/g)].flatMap(([, file, text]) => {
    const titles = [...text.matchAll(/"([^"]+)"/g)].map(([, title]) => title);
    return titles.length > 0 ? titles.map((title) => ({ file, title })) : [{ file }];
  }),
);

test('rows are found', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(named.filter(({ title }) => title !== undefined).length).toBeGreaterThan(20);
});

test.each(named)('$file $title', ({ file, title }) => {
  const files = folders.flatMap((cwd) => globSync(file, { cwd }).map((name) => join(cwd, name)));
  expect(files.length).toBeGreaterThan(0);
  if (title === undefined) return;
  expect(file).not.toContain('*');
  // Omitted parts of a name are written as an ellipsis.
  const [longest] = title.split('…').sort((a, b) => b.length - a.length);
  expect(readFileSync(files[0], 'utf8')).toContain(longest.trim());
});
