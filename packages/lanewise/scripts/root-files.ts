/**
 * Writes the files at the root of the package, for tools that do not read its exports. With `--remove` it removes them and the
 * copies that are in the package. All these are there while the package is packed only: a copy of the README, for example, has links that
 * lead nowhere in this repository.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootFiles } from './rooms.ts';

const COPIES = ['README.md', 'LICENSE', 'PROVEN.md'];

const root = dirname(import.meta.dirname);
if (process.argv.includes('--remove'))
  for (const name of [...Object.keys(rootFiles), ...COPIES]) rmSync(join(root, name), { force: true });
else for (const [name, text] of Object.entries(rootFiles)) writeFileSync(join(root, name), text);
