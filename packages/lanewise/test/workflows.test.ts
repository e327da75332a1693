/** The workflows of the repository use pinned actions, and only the job that publishes has an identity token. */
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

test('npm has one exact version', () => {
  const installed = new Set(all(/npm install.*/g).map((line) => line.split(' ').at(-1)));
  expect([...installed]).toEqual([expect.stringMatching(/^npm@\d+\.\d+\.\d+$/)]);
});

test('only the job that publishes gets an identity, and it runs nothing else', () => {
  const jobs = workflows.flatMap(({ text }) =>
    text
      .split(/^jobs:$/m)[1]
      .split(/^ {2}(?=[a-z-]+:$)/m)
      .slice(1),
  );
  const trusted = jobs.filter((job) => job.includes('id-token'));
  expect(trusted.map((job) => job.split(':')[0])).toEqual(['publish']);
  expect(all(/\b[a-z-]+: write\b/g)).toEqual(['id-token: write']);
  const [publish] = trusted;
  expect(publish).not.toMatch(/checkout|npm (ci|run|test)/);
  for (const command of publish.match(/run: .*/g)!) expect(command).toContain('--ignore-scripts');
  expect(publish).toContain('--provenance');
  expect(all(/npm publish/g)).toHaveLength(1);
});
