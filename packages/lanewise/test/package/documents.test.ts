/** The documents name commands and tests of the workspace that exist. */
// Runs in Node only: reads files.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { examplesOfComments, examplesOfDocuments } from '../support/examples.ts';

const workspace = join(import.meta.dirname, '../../../..');
const { scripts } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

const list = (folder: string, recursive: boolean): string[] =>
  readdirSync(join(workspace, folder), { recursive, encoding: 'utf8' }).map((name) => join(folder, name));
const documents = [
  ...list('.', false),
  ...list('docs', true),
  ...readdirSync(join(workspace, 'packages')).flatMap((name) => list(join('packages', name), false)),
].filter((path) => path.endsWith('.md') && existsSync(join(workspace, path)));

const tests = globSync(['packages/*/test/**/*.test.ts', 'site/test/*.test.ts', 'vectors/*.test.ts'], {
  cwd: workspace,
}).map((path) => basename(path));
/** CONTRIBUTING.md says how files are named. */
const PLACEHOLDERS = ['x.test.ts', 'x.long.test.ts', 'x.nightly.test.ts', 'x.servers.test.ts'];

describe.each(documents)('%s', (path) => {
  const text = readFileSync(join(workspace, path), 'utf8');
  const named = [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name]) => name);
  it('names scripts of package.json', () =>
    expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([]));

  it('names files of tests that exist', () => {
    const files = [...text.matchAll(/`(?:[\w./-]*\/)?([\w.-]+\.test\.ts)`/g)].map(([, name]) => name);
    expect(files.filter((name) => !tests.includes(name) && !PLACEHOLDERS.includes(name))).toEqual([]);
  });
});

/** Bun 1.4 appends zeros to anything in pieces that `writeFile` of node:fs/promises writes; a handle's `writeFile` is right. */
const IN_PIECES =
  /(?<!\.)\bwriteFile\([^\n]*,\s*(?:\[|(?:[^\n]*\.)?(?:encrypt|decrypt|stream|encoder|decoder|values)\()/;

describe('writeFile', () => {
  const examples = [...examplesOfDocuments(), ...examplesOfComments()];
  it.each([
    "await writeFile('sealed', [sealer.header, sealer.end()]);",
    "await writeFile('sealed', chunked(key).encrypt(data));",
    "await writeFile('sealed', blob.stream());",
  ])('gets pieces in %s', (code) => expect(code).toMatch(IN_PIECES));
  it('gets whole bytes or a text in every example', () => {
    expect(examples.length).toBeGreaterThan(100);
    expect(examples.filter(({ code }) => IN_PIECES.test(code)).map(({ name }) => name)).toEqual([]);
  });
});
