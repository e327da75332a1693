/** The recipes of the README for query builders, run as they stand there. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/node.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

test.each(['with-drizzle.js', 'with-kysely.js'])('%s', async (name) => {
  const [, code] = readme.split(`\`\`\`js\n// ${name}\n`)[1].match(/^([\s\S]*?)```$/m)!;
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
  expect(await db.all('select text from notes')).toEqual([{ text: 'remember the milk' }]);
  await db.close();
  rmSync(folder, { recursive: true });
});
