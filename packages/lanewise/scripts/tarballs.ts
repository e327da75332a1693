/** Where `npm run release` has packed a package: checks that are run with its folder in `LANEWISE_TARBALLS` take the tarballs from there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The name that `npm pack` gives to a tarball. */
export const tarballOf = ({ name, version }: Manifest): string =>
  `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

/** What `npm pack` is to pack, from a folder with a package: its tarball if there is one already, or the folder. */
export function toPack(folder: string): string {
  const tarballs = process.env['LANEWISE_TARBALLS'];
  if (tarballs === undefined) return folder;
  return join(tarballs, tarballOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest));
}
