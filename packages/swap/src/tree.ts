/**
 * The dependents of an original, and the package installed for each: found as Node finds modules, from the program's own packages on. Folders
 * that no package reaches, such as those that a manager keeps of earlier installations, aren't part of it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { FIELDS, manifestIn, OWN_FIELDS, type Manifest } from './manifest.ts';

/** One dependency on an original. */
export interface Place {
  /** The name under which the dependent imports it. */
  readonly original: string;
  /** The dependent: `eciesjs`, or the path of one of the program's own manifests. */
  readonly dependent: string;
  /** The version of a dependent from the registry. */
  readonly dependentVersion?: string;
  /** The folder of a dependent that is the program's own, from the root. */
  readonly own?: string;
  /** The range that the dependent asks for. */
  readonly range: string;
  /** The name and the version that the installed files say they have. */
  readonly name: string;
  readonly version: string;
}

/** The folder in which Node would find a package, not above the root. */
function find(name: string, from: string, root: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

type Field = (typeof OWN_FIELDS)[number];
const dependenciesOf = (manifest: Manifest, fields: readonly Field[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...fields.map((field) => manifest[field] ?? {})) as Record<string, string>;

/** The places in folders of `node_modules`. */
function inFolders(root: string, members: readonly string[], originals: ReadonlySet<string>): Place[] {
  const places: Place[] = [];
  const own = new Map(['.', ...members].map((member) => [realpathSync(join(root, member)), member]));
  const seen = new Set(own.keys());
  const left = [...own.keys()];
  for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
    const manifest = manifestIn(folder);
    if (!manifest) continue;
    const member = own.get(folder);
    for (const [name, range] of Object.entries(dependenciesOf(manifest, member === undefined ? FIELDS : OWN_FIELDS))) {
      const found = find(name, folder, root);
      if (found === undefined) continue;
      if (originals.has(name)) {
        const { name: its = name, version = '' } = manifestIn(found)!;
        places.push({
          original: name,
          range,
          name: its,
          version,
          ...(member === undefined
            ? { dependent: manifest.name ?? relative(root, folder), dependentVersion: manifest.version ?? '' }
            : { dependent: join(member, 'package.json'), own: member }),
        });
      }
      if (!seen.has(found)) {
        seen.add(found);
        left.push(found);
      }
    }
  }
  return places;
}

/** Prints the packages of Yarn's Plug'n'Play as JSON: `[name, reference, folder, [[name, targetName, targetReference], …]]`. */
const PRINT_PACKAGES = `
const pnp = require(process.argv[1]);
const packages = pnp.getAllLocators().map((locator) => {
  const { packageDependencies, packageLocation } = pnp.getPackageInformation(locator);
  const dependencies = [...packageDependencies].flatMap(([name, target]) =>
    target === null || name === locator.name ? [] : [Array.isArray(target) ? [name, ...target] : [name, name, target]]);
  return [locator.name, locator.reference, packageLocation, dependencies];
});
process.stdout.write(JSON.stringify(packages));`;

type Printed = readonly [name: string, reference: string, folder: string, dependencies: [string, string, string][]];

/** `2.4.0` of `virtual:1234#npm:2.4.0::__archiveUrl=…`, or of `npm:@lanewise/noble-ciphers@2.404.0`. */
const versionIn = (reference: string): string => /\bnpm:(?:@?[^@:#]+@)?([^@:#]+)/.exec(reference)?.[1] ?? reference;

/** The places in the map of Yarn's Plug'n'Play, which has archives in place of folders. */
function inMap(file: string, root: string, originals: ReadonlySet<string>): Place[] {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28, cwd: root } as const;
  const packages = JSON.parse(execFileSync(process.execPath, ['-e', PRINT_PACKAGES, file], options)) as Printed[];
  return packages.flatMap(([name, reference, folder, dependencies]) =>
    dependencies
      .filter(([original]) => originals.has(original))
      .map(([original, targetName, target]): Place => {
        const member = /^workspace:(.*)$/.exec(reference)?.[1];
        const manifest = member === undefined ? undefined : manifestIn(folder);
        return {
          original,
          name: targetName,
          version: versionIn(target),
          range: (manifest && dependenciesOf(manifest, OWN_FIELDS)[original]) ?? '',
          ...(member === undefined
            ? { dependent: name, dependentVersion: versionIn(reference) }
            : { dependent: join(member, 'package.json'), own: member }),
        };
      }),
  );
}

const MAP = '.pnp.cjs';

/** Whether anything is installed in a folder. */
export const isInstalled = (root: string): boolean =>
  existsSync(join(root, 'node_modules')) || existsSync(join(root, MAP));

/** All places of a program, sorted by original and dependent. */
export function placesOf(root: string, members: readonly string[], originals: ReadonlySet<string>): readonly Place[] {
  const map = join(root, MAP);
  const places = existsSync(map) ? inMap(map, root, originals) : inFolders(root, members, originals);
  // Managers install the same dependent several times, for its peers.
  const unique = new Map(places.map((place) => [JSON.stringify(place), place]));
  return [...unique.values()].sort((a, b) => {
    const [x, y] = [a, b].map((its) => `${its.original} ${its.version} ${its.dependent} ${its.dependentVersion ?? ''}`);
    return x < y ? -1 : x > y ? 1 : 0;
  });
}
