/** Replaces the originals, checks the installed packages, and undoes everything if one of them is wrong. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from '../../drop-ins/src/lines.ts';
import { applied } from './edits.ts';
import { install } from './install.ts';
import { forgetInstalled, withoutThem } from './lockfiles.ts';
import { isOurs, nameOf, originals, type Plan } from './plan.ts';
import type { Project } from './project.ts';
import { completed, removeRecord, restore, saveAll, writeRecord, writeWhole, type Record } from './record.ts';
import { placesOf, type Place } from './tree.ts';

/** Names to resolve again, with their major versions. */
export function chosenAnew(replaced: Record['replaced']): ReadonlyMap<string, readonly number[]> {
  const names = new Map<string, number[]>();
  for (const { original, major } of replaced) names.set(original, [...(names.get(original) ?? []), major]);
  return names;
}

const spelled = ({ original, version, name, dependent }: Place): string =>
  `${dependent} has ${name === original ? `${original} ${version}` : `${name} ${version} as ${original}`}`;

/** Throws if a place that was to be replaced has anything but ours, or is not there. Returns how many have ours. */
function check(project: Project, plan: Plan): number {
  const places = placesOf(project.root, project.members, originals);
  const strange = plan.replaced.flatMap(({ line, places: before }) => {
    const its = places.filter(
      ({ original, version }) => original === line.original && parseInt(version) === line.major,
    );
    const isRight = ({ name, version }: Place): boolean => name === nameOf(line) && version === versionOf(line);
    const missing = before.filter((place) => !its.some(({ dependent }) => dependent === place.dependent));
    return [...its.filter((place) => place.name === line.original || (isOurs(place) && !isRight(place))), ...missing];
  });
  if (strange.length > 0)
    throw new Error(`${project.manager} did not install what the lines say: ${strange.map(spelled).join('; ')}`);
  return places.filter(isOurs).length;
}

/** Restores the files of a record and installs from them. Returns the reason if that failed. */
export async function takeBack(project: Project, record: Record): Promise<string | undefined> {
  for (const [file, saved] of Object.entries(record.files)) restore(project.root, file, saved);
  try {
    forgetInstalled(project, chosenAnew(record.replaced));
    await install(project);
    // A manager may have written its lockfile in another way.
    for (const [file, saved] of Object.entries(record.files)) restore(project.root, file, saved);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Writes the lines, installs, and checks. Returns the number of places that have ours. */
export async function swap(project: Project, plan: Plan): Promise<number> {
  const { root, manager, lockfile } = project;
  const changed = [...new Set(plan.edits.map(({ file }) => file))];
  const replaced = plan.replaced.map(({ line: { original, major } }) => ({ original, major }));
  const record: Record = {
    format: 1,
    manager,
    files: saveAll(root, [...changed, lockfile]),
    edits: plan.edits,
    replaced,
  };
  const textOf = (file: string): string => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
  // All texts before the first is written: an unreadable file is an error while nothing has changed.
  const texts = changed.map((file) => [file, applied(file, textOf(file), plan.edits)] as const);
  const lock = /\.lockb$/.test(lockfile) ? undefined : withoutThem(project, textOf(lockfile), chosenAnew(replaced));
  writeRecord(root, record);
  try {
    for (const [file, text] of texts) writeWhole(join(root, file), text);
    if (lock !== undefined && lock !== textOf(lockfile)) writeWhole(join(root, lockfile), lock);
    forgetInstalled(project, chosenAnew(replaced));
    await install(project);
    const count = check(project, plan);
    writeRecord(root, completed(root, record));
    return count;
  } catch (error) {
    const reason = await takeBack(project, record);
    if (reason === undefined) removeRecord(root);
    const then =
      reason === undefined
        ? 'Nothing has changed: all files are as they were, and what they say is installed.'
        : `All files are as they were, but installing what they say failed as well: ${reason}\nRun npx @lanewise/swap --undo when that is mended.`;
    throw new Error(`${(error as Error).message}\n${then}`, { cause: error });
  }
}
