/** The library as users install it: packed, and installed in a folder. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tarballFrom } from '../../scripts/tarballs.ts';

const root = dirname(dirname(import.meta.dirname));

/** Packs the library and installs it in `node_modules` of a folder. */
export function install(folder: string): void {
  const tarball = tarballFrom(root, folder);
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel', 'error', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

/** Copies the installed library to another folder, whose own `node_modules` it becomes. */
export function copyInstalled(from: string, to: string): void {
  const files = 'node_modules/lanewise';
  cpSync(join(from, files), join(to, files), { recursive: true });
}
