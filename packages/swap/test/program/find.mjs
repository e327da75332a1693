// Finds the package that a dependent of this program gets under a name, by the module system alone.
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fileOf = (found) => realpathSync(found.startsWith('file:') ? fileURLToPath(found) : found);

/** `file` is a module of the package, `module` how it is imported. Returns name and version, and the hash of that file. */
export function packageOf(importer, module, file) {
  const path = createRequire(fileOf(importer)).resolve(module);
  for (let folder = dirname(fileOf(path)); ; folder = dirname(folder)) {
    let manifest;
    try {
      manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    } catch {
      // no package.json here
    }
    if (manifest?.version) {
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex');
      return { name: `${manifest.name}@${manifest.version}`, hash };
    }
    if (folder === dirname(folder)) throw new Error(`${path} is in no package`);
  }
}
