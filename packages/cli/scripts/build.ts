/**
 * dist/ from src/, for publishing: one file for the command and one for each subcommand, which is loaded when it is
 * asked for; man pages and completions. Made aside and put in place whole, so that a command that starts during a build finds all of its files.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { commands } from '../src/commands.ts';
import { pagesFor } from '../src/pages.ts';

const root = dirname(import.meta.dirname);
const fresh = mkdtempSync(join(root, '.dist-'));
try {
  await build({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    external: [
      'lanewise',
      /^lanewise\//,
      /^@lanewise\/age/,
      '@lanewise/cluster',
      '@lanewise/native',
      /^@lanewise\/sqlite\//,
      /^@scure\/bip39\//,
      'cli-progress',
    ],
    transform: { target: 'node20' },
    output: {
      dir: fresh,
      format: 'esm',
      comments: { annotation: true, jsdoc: false, legal: true },
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
    },
  });
  const subjects = await Promise.all(
    [...commands].map(async ([name, { summary, load }]) => ({ name, summary, ...(await load()) })),
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const [path, text] of pagesFor(subjects, version)) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), text);
  }
  chmodSync(join(fresh, 'main.js'), 0o755);
  chmodSync(fresh, 0o755); // mkdtemp makes it private
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(root, 'dist'));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
