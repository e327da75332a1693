/** The address of the repository in the packages: npm refuses the provenance of a package that does not name it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** As npm takes it: `git+https://github.com/OWNER/NAME.git`. */
const ADDRESS = /^git\+https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+\.git$/;

/** Throws unless the text, which was given under this name, is the address of a repository. */
export function checkAddress(url: string, name = '--repository'): void {
  if (!ADDRESS.test(url)) throw new Error(`"${name}" expected git+https://HOST/OWNER/NAME.git, got "${url}"`);
}

/** Writes the address, and the folder of the package in the repository, to the package.json of a copy in `folder`. */
export async function nameRepository(copy: string, folder: string, url: string, directory = folder): Promise<void> {
  const path = join(copy, folder, 'package.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(
    path,
    `${JSON.stringify({ ...manifest, repository: { type: 'git', url, directory } }, undefined, 2)}\n`,
  );
}

/** Throws unless the package.json of a tarball has the address. */
export function checkRepository(file: string, manifest: string, url: string): void {
  const { repository } = JSON.parse(manifest) as { repository?: { url?: unknown } };
  if (repository?.url !== url)
    throw new Error(`${file} expected the repository ${url}, got ${JSON.stringify(repository?.url ?? 'none')}`);
}
