/** The recipes of the README and of a guide for query builders, run as they stand there. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/node.ts';

const README = '../README.md';
const recipes = [
  { page: README, name: 'with-drizzle.js', query: 'select text from notes', row: { text: 'remember the milk' } },
  { page: README, name: 'with-kysely.js', query: 'select text from notes', row: { text: 'remember the milk' } },
  {
    page: '../../../docs/guide/fields.md',
    name: 'encrypted-columns.js',
    query: "select address like '%London%' as shown, length(address) > 100 as sealed from people",
    row: { shown: 0, sealed: 1 },
  },
];

test.each(recipes)('$name', async ({ page, name, query, row }) => {
  const text = readFileSync(join(import.meta.dirname, page), 'utf8');
  const [, code] = text.split(`\`\`\`js\n// ${name}\n`)[1].match(/^([\s\S]*?)```$/m)!;
  const [, printed] = /console\.log\(.*\/\/ prints (.*)/.exec(code)!;
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-sqlite-test-'));
  const file = join(folder, 'notes.db');
  const program = code
    .replace(
      "'@lanewise/sqlite/node.js'",
      JSON.stringify(pathToFileURL(join(import.meta.dirname, '../src/node.ts')).href),
    )
    .replace("'notes.db'", JSON.stringify(file));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
  });
  expect(stdout.trim()).toBe(printed);
  const db = await openDatabase({ file, key: 'five random words are enough' });
  expect(await db.all(query)).toEqual([row]);
  await db.close();
  rmSync(folder, { recursive: true });
});
