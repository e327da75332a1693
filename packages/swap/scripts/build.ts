/** dist/main.js from src/, for publishing. Made aside and put in place whole, so that a command that starts meanwhile finds it. */
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
    external: ['jsonc-parser', 'yaml'],
    transform: { target: 'node20' },
    output: {
      dir: fresh,
      format: 'esm',
      entryFileNames: '[name].js',
      comments: { annotation: true, jsdoc: false, legal: true },
    },
  });
  chmodSync(join(fresh, 'main.js'), 0o755);
  chmodSync(fresh, 0o755); // mkdtemp makes it private
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, join(root, 'dist'));
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
