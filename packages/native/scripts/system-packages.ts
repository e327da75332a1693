/** The packages of the systems, each with its addon, and the manifest of `@lanewise/native` that names them. The release alone makes them. */
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../src/compile.ts';
import { ADDON } from '../src/place.ts';
import type { Prebuilt } from './prebuilt.ts';
import type { Target } from './targets.ts';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest & {
  readonly dependencies: { readonly lanewise: string };
};
/** The manifest of `@lanewise/native`: its version is that of the library whose kernels it has. */
export const manifest: Manifest = { ...own, version: own.dependencies.lanewise };

/** The name of a system's package. */
export const nameOf = ({ name }: Target): string => `${manifest.name}-${name}`;

/** The manifest of a system's package: npm installs it where all of `os`, `cpu` and `libc` are right. */
export function manifestOf(target: Target): Manifest {
  const { version, license, author, engines } = manifest;
  const { name, os, cpu, libc } = target;
  const description = `The native code of @lanewise/native for ${name}.`;
  const where = { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
  return {
    name: nameOf(target),
    version,
    description,
    license,
    author,
    engines,
    ...where,
    main: ADDON,
    files: [ADDON],
  };
}

/** The manifest of `@lanewise/native` as it is published: by then the registry has the packages of these systems, so it may name them. */
export function publishedManifest(systems: readonly Target[]): Manifest {
  const its = Object.fromEntries(
    Object.entries(manifest).filter(([name]) => name !== 'private'),
  ) as unknown as Manifest;
  const versions = systems.map((target) => [nameOf(target), manifest.version]);
  return { ...its, optionalDependencies: Object.fromEntries(versions) };
}

/** Writes the package of one system to a folder. */
export async function writePackage({ target, addon }: Prebuilt, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(addon, join(folder, ADDON));
  await copyFile(join(root, '../../LICENSE'), join(folder, 'LICENSE'));
  await writeFile(
    join(folder, 'README.md'),
    `# ${nameOf(target)}\n\nThe native code of \`@lanewise/native\` for ${target.name}, which installs it. It has no use without that package.\n`,
  );
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifestOf(target), undefined, 2)}\n`);
}
