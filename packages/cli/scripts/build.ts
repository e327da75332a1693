/**
 * dist/ from src/, for publishing: one file for the command and one for each subcommand, which is loaded when it is
 * asked for. Made aside and put in place whole, so that a command that starts during a build finds all of its files.
 */
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const root = dirname(import.meta.dirname);
const fresh = mkdtempSync(join(root, '.dist-'));
try {
  await build({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    external: ['lanewise', /^lanewise\//, '@lanewise/age', '@lanewise/cluster', /^@scure\/bip39\//, 'cli-progress'],
    transform: { target: 'node20' },
    output: {
      dir: fresh,
      format: 'esm',
      comments: { annotation: true, jsdoc: false, legal: true },
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
    },
  });
  chmodSync(join(fresh, 'main.js'), 0o755);
  chmodSync(fresh, 0o755); // mkdtemp makes it private
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(root, 'dist'));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
