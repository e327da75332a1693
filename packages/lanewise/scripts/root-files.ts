/**
 * Writes the files at the root of the package, for tools that do not read its exports; with `--remove` it removes them. They are there
 * while the package is packed only, because the folders of this repository have no use for them.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootFiles } from './rooms.ts';

const root = dirname(import.meta.dirname);
for (const [name, text] of Object.entries(rootFiles))
  if (process.argv.includes('--remove')) rmSync(join(root, name), { force: true });
  else writeFileSync(join(root, name), text);
