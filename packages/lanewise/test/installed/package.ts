/** The library as users install it: packed, and installed in a folder. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toPack } from '../../scripts/tarballs.ts';

const root = dirname(dirname(import.meta.dirname));

const npm = (folder: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--loglevel', 'error'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });

/** Packs the library and installs it in `node_modules` of a folder. */
export function install(folder: string): void {
  const [{ filename }] = JSON.parse(npm(root, 'pack', toPack(root), '--json', '--pack-destination', folder)) as [
    { filename: string },
  ];
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(folder, 'install', '--offline', '--no-audit', '--no-fund', join(folder, filename));
}

/** Copies the installed library to another folder, whose own `node_modules` it becomes. */
export function copyInstalled(from: string, to: string): void {
  const files = 'node_modules/lanewise';
  cpSync(join(from, files), join(to, files), { recursive: true });
}
