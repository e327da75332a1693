/** The workflows of the repository use pinned actions, and only the jobs that publish have an identity token. */
// Runs in Node only: about the workflows of the repository.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', '..', '.github', 'workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
const all = (pattern: RegExp): string[] => workflows.flatMap(({ text }) => text.match(pattern) ?? []);

test('actions are pinned by commit', () => {
  const used = all(/(?<=uses: ).*/g).filter((action) => !action.startsWith('./'));
  expect(used.length).toBeGreaterThan(3);
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('what npm installs has an exact version, and npm has one', () => {
  const installed = [...new Set(all(/npm install.*/g).map((line) => line.split(' ').at(-1)!))];
  for (const spec of installed) expect(spec).toMatch(/^[a-z]+@\d+\.\d+\.\d+$/);
  expect(installed.filter((spec) => spec.startsWith('npm@'))).toHaveLength(1);
});

test('only the jobs that publish get an identity, and they run nothing else', () => {
  const jobs = workflows.flatMap(({ text }) =>
    text
      .split(/^jobs:$/m)[1]
      .split(/^ {2}(?=[a-z-]+:$)/m)
      .slice(1),
  );
  const trusted = jobs.filter((job) => job.includes('id-token'));
  expect(trusted.map((job) => job.split(':')[0])).toEqual(['npm', 'jsr']);
  expect(all(/\b[a-z-]+: write\b/g)).toEqual(['id-token: write', 'id-token: write']);
  for (const job of trusted) {
    expect(job).not.toMatch(/checkout|npm (ci|run|test)|npx/);
    for (const command of job.match(/npm (?:install|publish).*/g)!) expect(command).toContain('--ignore-scripts');
  }
  expect(trusted[0]).toContain('--provenance');
  expect(all(/npm publish/g)).toHaveLength(1);
  expect(all(/jsr publish/g)).toHaveLength(1);
});

test('pull requests and the main branch are checked by all that a release is checked by', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')!.text;
  expect(ci).toMatch(/^ {2}pull_request:$/m);
  expect(ci).toMatch(/- run: \.ci\/run$/m);
  expect(workflows.find(({ name }) => name === 'release.yml')!.text).toContain('uses: ./.github/workflows/ci.yml');
});
