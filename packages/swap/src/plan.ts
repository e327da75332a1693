/** The packages to replace, the lines that do it in each file, and the packages that are left, with reasons. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seats, targetOf, type Line } from '../../drop-ins/src/lines.ts';
import { denoImports } from './deno.ts';
import { valueIn, type Edit } from './edits.ts';
import { descriptorsIn } from './lockfiles.ts';
import { OWN_FIELDS, type Manifest } from './manifest.ts';
import type { Project } from './project.ts';
import type { Place } from './tree.ts';

export interface Left {
  readonly what: string;
  readonly because: string;
}

export interface Plan {
  /** The lines that replace something, with the places where they do. */
  readonly replaced: readonly { readonly line: Line; readonly places: readonly Place[] }[];
  /** Places that have ours already. */
  readonly ours: readonly Place[];
  readonly left: readonly Left[];
  readonly edits: readonly Edit[];
}

export const originals: ReadonlySet<string> = new Set(seats.map(({ original }) => original));

export const nameOf = (line: Line): string => `@lanewise/${line.package}`;
export const isOurs = ({ original, name }: Place): boolean =>
  seats.some((line) => line.original === original && nameOf(line) === name);

const lineFor = ({ original, version }: Place): Line | undefined =>
  seats.find((line) => line.original === original && line.major === parseInt(version));

/** Dependents that stop working with the newest version of an original, so with ours too. */
const BREAKS: readonly {
  readonly dependent: RegExp;
  readonly original: string;
  readonly major: number;
  readonly why: string;
}[] = [
  {
    dependent: /^ethereum-cryptography@[12]\./,
    original: '@noble/hashes',
    major: 1,
    why: 'imports a private module of @noble/hashes 1.4.0, which 1.8.0 has changed',
  },
];

/** Whether a is before b, of two versions in numbers. */
function isBefore(a: string, b: string): boolean {
  const [x, y] = [a, b].map((version) => version.split('.').map((part) => parseInt(part)));
  const i = y.findIndex((part, at) => part !== x[at]);
  return i !== -1 && x[i] < y[i];
}

const spelled = ({ dependent, dependentVersion }: Place): string =>
  dependentVersion === undefined ? dependent : `${dependent} ${dependentVersion}`;

/** Names of dependents, each once. */
export const dependentsOf = (places: readonly Place[]): string => [...new Set(places.map(spelled))].join(', ');

/** A range of versions, and not a file, a repository, another name or a catalog. */
const isRange = (range: string): boolean => !/[:/]/.test(range.replace(/^npm:(?=[^@]*$)/, ''));

/** Why a line replaces nothing here, if that is so. */
function objection(line: Line, places: readonly Place[], unwanted: ReadonlySet<string>): string | undefined {
  if (unwanted.has(`${line.original}@${line.major}`)) return 'you asked to leave it';
  for (const { dependent, original, major, why } of BREAKS) {
    const place = places.find((its) => dependent.test(`${its.dependent}@${its.dependentVersion ?? ''}`));
    if (place && original === line.original && major === line.major) return `${spelled(place)} ${why}`;
  }
  const old = places.find(({ version }) => line.since !== undefined && isBefore(version, line.since));
  if (old)
    return `${spelled(old)} has ${old.version}, and ${nameOf(line)} takes the place of ${line.since} and later only`;
  const other = places.find((place) => place.own !== undefined && !isRange(place.range) && !isOurs(place));
  return other && `${other.dependent} asks for ${JSON.stringify(other.range)}, which is no range of versions`;
}

interface Change {
  readonly project: Project;
  readonly line: Line;
  readonly places: readonly Place[];
}

const textOf = ({ root }: Project, file: string): string =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';

/** The dependencies of the program's own packages, which take our package by its name. */
function ownEdits({ project, line, places }: Change): Edit[] {
  return places.flatMap(({ own, original, range }) => {
    if (own === undefined) return [];
    const file = own === '.' || own === '' ? 'package.json' : `${own}/package.json`;
    const manifest = JSON.parse(textOf(project, file)) as Manifest;
    return OWN_FIELDS.filter((field) => field !== 'peerDependencies' && manifest[field]?.[original] === range).map(
      (field): Edit => ({ file, path: [field, original], value: targetOf(line), before: range }),
    );
  });
}

/** Where pnpm reads overrides: version 11 only in its own file. */
function pnpmField(project: Project): { file: string; path: readonly string[] } {
  const file = 'pnpm-workspace.yaml';
  const isThere =
    existsSync(join(project.root, file)) && valueIn(file, textOf(project, file), ['overrides']) !== undefined;
  return project.major > 10 || isThere
    ? { file, path: ['overrides'] }
    : { file: 'package.json', path: ['pnpm', 'overrides'] };
}

const fieldOf = (project: Project): { file: string; path: readonly string[] } =>
  project.manager === 'pnpm'
    ? pnpmField(project)
    : { file: 'package.json', path: [project.manager === 'yarn' ? 'resolutions' : 'overrides'] };

/** The paths below the field of overrides, in the form that the manager reads. */
function keysOf({ project, line, places }: Change): readonly (readonly string[])[] {
  const { original, major } = line;
  const others = places.filter(({ own }) => own === undefined);
  switch (project.manager) {
    case 'npm':
    case 'pnpm':
    case 'bun':
      return [[`${original}@${major}`]];
    case 'yarn':
      // Yarn 4 compares ranges letter by letter; Yarn 1 knows paths only.
      return project.major === 1
        ? others.map(({ dependent }) => [`**/${dependent}/${original}`])
        : descriptorsIn(project)
            .filter(({ name, version, range }) => name === original && parseInt(version) === major && isRange(range))
            .map(({ range }) => [`${original}@${range}`]);
    case 'deno':
      return others.map(({ dependent }) => [dependent, original]);
  }
}

/**
 * Whether dependencies of the program's own packages are written, too. Paths and names of dependents do not reach them. npm refuses an
 * override of a direct dependency that asks for something else (EOVERRIDE), and version 10 ignores it for packages inside.
 */
const writesOwn = ({ manager, major }: Project): boolean =>
  manager === 'npm' || manager === 'deno' || (manager === 'yarn' && major === 1);

function editsOf(change: Change): Edit[] {
  const { file, path } = fieldOf(change.project);
  const own = writesOwn(change.project) ? ownEdits(change) : [];
  const keys = new Map(keysOf(change).map((key) => [key.join('\n'), key]));
  return [
    ...own,
    ...[...keys.values()].map((key): Edit => ({ file, path: [...path, ...key], value: targetOf(change.line) })),
  ];
}

/** An override that the program already has for an original, of whatever version. */
function overridden(project: Project, original: string): string | undefined {
  const { file, path } = fieldOf(project);
  const all = valueIn(file, textOf(project, file), path);
  return Object.keys(typeof all === 'object' && all !== null ? all : {}).find(
    (key) => key === original || key.startsWith(`${original}@`) || key.endsWith(`/${original}`),
  );
}

/** Managers that know dependents by their names only cannot give each of two versions of a dependent its own package. */
function ambiguous(project: Project, places: readonly Place[], place: Place): Place | undefined {
  if (project.manager !== 'deno' && !(project.manager === 'yarn' && project.major === 1)) return undefined;
  return places.find(
    (its) =>
      its.own === undefined &&
      its.dependent === place.dependent &&
      its.original === place.original &&
      parseInt(its.version) !== parseInt(place.version),
  );
}

/** Plans the replacements. `unwanted` has names with major versions, as `tweetnacl@1`. */
export function planFor(project: Project, all: readonly Place[], unwanted: ReadonlySet<string>): Plan {
  const places = all.filter((place) => !isOurs(place));
  const left: Left[] = [];
  const replaced: { line: Line; places: readonly Place[] }[] = [];
  for (const line of seats) {
    const its = places.filter((place) => lineFor(place) === line && place.name === line.original);
    if (its.length === 0) continue;
    const key = overridden(project, line.original);
    const twice = its.flatMap((place) => ambiguous(project, places, place) ?? []).at(0);
    const because =
      objection(line, its, unwanted) ??
      (key === undefined
        ? undefined
        : `${fieldOf(project).file} already has an override of it, ${JSON.stringify(key)}; take that out, then run this again`) ??
      (twice && `${twice.dependent} is there in two versions, and ${project.manager} cannot tell them apart`);
    if (because === undefined) replaced.push({ line, places: its });
    else left.push({ what: `${line.original} ${line.major} for ${dependentsOf(its)}`, because });
  }
  for (const place of places.filter((its) => its.name !== its.original))
    left.push({ what: `${place.original} for ${spelled(place)}`, because: `${place.name} is in its place` });
  for (const place of places.filter((its) => its.name === its.original && lineFor(its) === undefined))
    left.push({
      what: `${place.original} ${place.version} for ${spelled(place)}`,
      because: 'no package of ours takes the place of this version',
    });
  for (const { file, specifier, because } of denoImports(project))
    left.push({ what: `${specifier} in ${file}`, because });
  const edits = replaced.flatMap(({ line, places: its }) => editsOf({ project, line, places: its }));
  return { replaced, left, edits, ours: all.filter(isOurs) };
}
