/** Takes a swap back: byte for byte where nothing was changed since, and otherwise its lines alone. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withdrawn } from './edits.ts';
import { install } from './install.ts';
import { forgetInstalled, withoutOurs } from './lockfiles.ts';
import { dependentsOf, isOurs, originals } from './plan.ts';
import type { Project } from './project.ts';
import { changedSince, removeRecord, restore, saveAll, writeWhole, type Record } from './record.ts';
import { chosenAnew, takeBack } from './swap.ts';
import { placesOf } from './tree.ts';

export interface Undone {
  /** The files that were changed since the swap, and kept these changes. */
  readonly kept: readonly string[];
  /** The packages that are installed again: `@noble/ciphers 2.4.0`. */
  readonly back: readonly string[];
}

/** The files that the undoing writes: as they were, or as they are without the swap's lines. */
function restoreFiles(project: Project, record: Record, changed: readonly string[]): void {
  const { root, lockfile } = project;
  for (const [file, saved] of Object.entries(record.files)) {
    const path = join(root, file);
    // The old lockfile doesn't belong to other manifests.
    const isKept = changed.includes(file) || (file === lockfile && changed.length > 0);
    if (!isKept) restore(root, file, saved);
    else if (existsSync(path) && !/\.lockb$/.test(file)) {
      const text = readFileSync(path, 'utf8');
      const its =
        file === lockfile
          ? withoutOurs(project, text, chosenAnew(record.replaced))
          : withdrawn(file, text, record.edits);
      if (its !== text) writeWhole(path, its);
    }
  }
}

/** Undoes the swap of a record. */
export async function undo(project: Project, record: Record): Promise<Undone> {
  const { root, members } = project;
  const changed = changedSince(root, record);
  const names = chosenAnew(record.replaced);
  const now: Record = { ...record, files: saveAll(root, Object.keys(record.files)) };
  try {
    restoreFiles(project, record, changed);
    forgetInstalled(project, names);
    await install(project);
    // A manager may have written its lockfile in another way.
    if (changed.length === 0) for (const [file, saved] of Object.entries(record.files)) restore(root, file, saved);
    const places = placesOf(root, members, originals);
    const ours = places.filter(
      (place) => isOurs(place) && names.get(place.original)?.includes(parseInt(place.version)),
    );
    if (ours.length > 0)
      throw new Error(
        `${project.manager} did not install the originals: ours are still there for ${dependentsOf(ours)}`,
      );
    removeRecord(root);
    const back = places.filter(({ original, version }) => names.get(original)?.includes(parseInt(version)));
    return { kept: changed, back: [...new Set(back.map(({ original, version }) => `${original} ${version}`))] };
  } catch (error) {
    const reason = await takeBack(project, now);
    const then =
      reason === undefined
        ? 'Nothing has changed: the swap is as it was.'
        : `All files are as they were, but installing what they say failed as well: ${reason}`;
    throw new Error(`${(error as Error).message}\n${then}`, { cause: error });
  }
}
