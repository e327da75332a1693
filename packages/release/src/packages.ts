/** The packages that are published. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lines, versionOf } from '../../drop-ins/src/lines.ts';

export const workspace = dirname(dirname(dirname(import.meta.dirname)));

export interface Published {
  readonly name: string;
  readonly version: string;
  /** Where it is packed, from the root of the repository. */
  readonly folder: string;
  /** Whether packing builds it. */
  readonly builds: boolean;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const ofWorkspace = (folder: string): Published => {
  const { name, version } = JSON.parse(readFileSync(join(workspace, folder, 'package.json'), 'utf8')) as Manifest;
  return { name, version, folder, builds: true };
};

/** In an order in which each finds its dependencies built. */
export const published: readonly Published[] = [
  ofWorkspace('packages/lanewise'),
  ofWorkspace('packages/age'),
  ofWorkspace('packages/cluster'),
  ofWorkspace('packages/sqlite'),
  ofWorkspace('packages/cli'),
  ofWorkspace('packages/swap'),
  ...lines.map((line) => ({
    name: `@lanewise/${line.package}`,
    version: versionOf(line),
    folder: `packages/${line.package}/dist/${line.major}`,
    builds: false,
  })),
];
