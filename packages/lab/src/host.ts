/** Facts that make a result meaningful: the machine, the engine, the versions. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg } from 'node:os';
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

export const host = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  architecture: process.arch,
  platform: process.platform,
  node: process.versions.node,
  v8: process.versions.v8,
  openssl: process.versions.openssl,
  load: loadavg()[0],
});

export const packages = [
  'lanewise',
  '@noble/ciphers',
  'libsodium-wrappers-sumo',
  'blake3-jit',
  '@fuzdev/blake3_wasm',
  'hash-wasm',
  'blake3-wasm',
  '@noble/hashes',
] as const;

export const versions = (): Record<string, string> =>
  Object.fromEntries(packages.map((name) => [name, versionOf(name)]));

export const hostLine = (): string => {
  const { cpu, cores, architecture, node, v8 } = host();
  return `${cpu}, ${cores} cores, ${architecture}; Node ${node}, V8 ${v8}`;
};
