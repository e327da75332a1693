/** Facts that make a result meaningful: the machine, the engine, the versions. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join } from 'node:path';

/** The folder of this package, found from the sources or from a bundle somewhere below it. */
export const lab: string = ((): string => {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return import.meta.dirname;
  }
})();

/** The version of an installed package, whether or not it exports its package.json. */
export function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as { version: string };
      return version;
    } catch {
      // The package is not in this one of the folders that Node searches.
    }
  }
  return 'unknown';
}

export const hostLine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores, ${process.arch}; Node ${process.versions.node}, V8 ${process.versions.v8}`;
