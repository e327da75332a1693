/** The workflows of the repository use pinned actions, and only the jobs that publish have an identity token. */
// Runs in Node only: about the workflows of the repository.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { published } from '../../../release/src/packages.ts';
import { checkAddress, checkRepository, nameRepository } from '../../../release/src/repository.ts';

const folder = join(import.meta.dirname, '..', '..', '..', '..', '.github', 'workflows');
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
    expect(job).not.toMatch(/checkout|npm (run|test)|npx/);
    for (const command of job.match(/npm (?:install|ci|publish).*/g)!) expect(command).toContain('--ignore-scripts');
    // All files of the artifact are compared with their hashes before any of them is used.
    expect(job.indexOf('sha512sum --check SHA512SUMS')).toBeGreaterThan(job.indexOf('download-artifact'));
    for (const use of [/npm ci/, /npm publish/, /jsr publish/]) {
      const at = job.search(use);
      if (at >= 0) expect(at).toBeGreaterThan(job.indexOf('sha512sum --check'));
    }
  }
  expect(trusted[0]).not.toContain('npm ci');
  expect(trusted[1].match(/npm ci.*\n +working-directory: (.*)/)![1]).toBe('jsr-tool');
  expect(trusted[0]).toContain('--provenance');
  expect(all(/npm publish/g)).toHaveLength(1);
  expect(all(/jsr publish/g)).toHaveLength(1);
});

test('pull requests and the main branch are checked by all that a release is checked by', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')!.text;
  expect(ci).toMatch(/^ {2}pull_request:$/m);
  expect(ci).toMatch(/- run: \.ci\/run \$\{\{ matrix\.part \}\}$/m);
  // Side by side, the jobs do all that `.ci/run` does at once.
  const run = readFileSync(join(folder, '../../.ci/run'), 'utf8');
  const parts = /^parts=\((.*)\)$/m.exec(run)![1].split(' ');
  expect(/^ {8}part: \[(.*)\]$/m.exec(ci)![1].split(', ')).toEqual(parts);
  expect([...new Set(run.match(/(?<=^if has )\w+/gm))].sort()).toEqual([...parts, 'nightly'].sort());
  // The part that takes minutes and seldom finds more: every night, and before a release.
  expect(ci).toMatch(/^ {4}if: github\.event_name == 'schedule' \|\| github\.ref_type == 'tag'$/m);
  expect(ci).toMatch(/- run: \.ci\/run nightly$/m);
  expect(workflows.find(({ name }) => name === 'release.yml')!.text).toContain('uses: ./.github/workflows/ci.yml');
});

test('the program that publishes at JSR is installed by hashes, of exact versions', () => {
  const tool = join(import.meta.dirname, '../../../release/jsr-tool');
  const { packages } = JSON.parse(readFileSync(join(tool, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity?: string; hasInstallScript?: boolean }>;
  };
  const parts = Object.entries(packages).filter(([path]) => path !== '');
  expect(parts.map(([path]) => path)).toContain('node_modules/jsr');
  for (const [path, { integrity, hasInstallScript }] of parts) {
    expect(integrity, path).toMatch(/^sha512-/);
    expect(hasInstallScript, path).toBeUndefined();
  }
  const { dependencies } = JSON.parse(readFileSync(join(tool, 'package.json'), 'utf8')) as { dependencies: object };
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

describe('the step that publishes at npm', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')!.text;
  const [, indented] = /name: Publish what npm does not have yet\n +run: \|\n((?: {10}.*\n)+)/.exec(release)!;
  const script = indented.replaceAll(/^ {10}/gm, '');
  const integrity = (text: string): string => `sha512-${createHash('sha512').update(text).digest('base64')}`;

  /** Runs it with an npm that has these packages: its exit code, and the published packages. */
  function publish(there: Readonly<Record<string, string>>): { status: number | null; output: string; sent: string[] } {
    const at = mkdtempSync(join(tmpdir(), 'lanewise-publish-'));
    try {
      for (const name of ['a', 'b']) writeFileSync(join(at, `${name}.tgz`), `bytes of ${name}`);
      writeFileSync(join(at, 'PUBLISH'), 'a.tgz @x/a@1.0.0 latest\nb.tgz @x/b@1.0.0 v1\n');
      const cases = Object.entries(there).map(([name, sum]) => `@x/${name}@1.0.0) echo "${sum}";;`);
      const npm = `#!/bin/sh\nif [ "$1" = publish ]; then echo "$*" >>sent; else case "$2" in ${cases.join(' ')} *) exit 1;; esac; fi\n`;
      writeFileSync(join(at, 'npm'), npm, { mode: 0o755 });
      writeFileSync(join(at, 'sent'), '');
      // As GitHub runs it.
      const { status, stdout } = spawnSync('bash', ['-e', '-c', script], {
        cwd: at,
        env: { ...process.env, PATH: `${at}:${process.env['PATH']}` },
        encoding: 'utf8',
      });
      return { status, output: stdout, sent: readFileSync(join(at, 'sent'), 'utf8').split('\n').filter(Boolean) };
    } finally {
      rmSync(at, { recursive: true });
    }
  }

  test('publishes what is not there, and goes on where a run has ended', () => {
    expect(publish({}).sent).toEqual([
      'publish ./a.tgz --tag latest --provenance --access public --ignore-scripts',
      'publish ./b.tgz --tag v1 --provenance --access public --ignore-scripts',
    ]);
    const { status, sent } = publish({ a: integrity('bytes of a') });
    expect([status, sent.length]).toEqual([0, 1]);
  });

  test('fails if npm has other bytes under this version', () => {
    const { status, output, sent } = publish({ a: integrity('bytes of somebody else') });
    expect(status).toBe(1);
    expect(output).toContain('::error::@x/a@1.0.0 is at npm with other bytes');
    expect(sent).toEqual([]);
  });
});

describe('the repository in packages that are released', () => {
  const url = 'git+https://host.example/owner/name.git';

  test('every package that is published gets it, and a tarball without it ends the release', async () => {
    const at = mkdtempSync(join(tmpdir(), 'lanewise-repository-'));
    try {
      for (const { folder, builds, name } of published.filter((one) => one.builds)) {
        expect(builds).toBe(true);
        mkdirSync(join(at, folder), { recursive: true });
        writeFileSync(join(at, folder, 'package.json'), JSON.stringify({ name }));
        await nameRepository(at, folder, url);
        const manifest = readFileSync(join(at, folder, 'package.json'), 'utf8');
        expect(JSON.parse(manifest)).toEqual({ name, repository: { type: 'git', url, directory: folder } });
        expect(() => checkRepository('x.tgz', manifest, url)).not.toThrow();
      }
      expect(published.map(({ name }) => name)).toContain('@lanewise/cluster');
    } finally {
      rmSync(at, { recursive: true });
    }
    for (const manifest of ['{}', '{"repository":{}}', '{"repository":{"url":"git+https://host.example/o/other.git"}}'])
      expect(() => checkRepository('x.tgz', manifest, url)).toThrow(`x.tgz expected the repository ${url}, got `);
    for (const wrong of ['', 'https://host.example/o/n', 'git+https://host.example/.git'])
      expect(() => checkAddress(wrong)).toThrow('"--repository" expected git+https://HOST/OWNER/NAME.git');
    expect(all(/npm run release.*/g)).toEqual([
      'npm run release -- --repository "git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"',
    ]);
  });
});
