/** Tarballs of packages: packed here, or those of `npm run release`, whose folder `LANEWISE_TARBALLS` names. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The name that `npm pack` gives to a tarball. */
export const tarballOf = ({ name, version }: Manifest): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/**
 * The path of a package's tarball: that of the release if there is one, or one that is packed to another folder. `flags` are more of
 * `npm pack`.
 */
export function tarballFrom(folder: string, to: string, ...flags: readonly string[]): string {
  const tarballs = process.env['LANEWISE_TARBALLS'];
  const file = tarballOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest);
  if (tarballs !== undefined) return join(tarballs, file);
  execFileSync('npm', ['pack', '--loglevel', 'error', '--pack-destination', to, ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return join(to, file);
}
