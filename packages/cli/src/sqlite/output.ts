/** A database as an output: SQLite writes it under another name, and it gets its own when it is whole and on the medium. */
import { rmSync } from 'node:fs';
import { Failure, UsageError } from '../command.ts';
import { sweep } from '../disk/run-files.ts';
import { folderOf, isSameFile, nameOf, renameToNew, system as storage } from '../disk/storage.ts';
import { checkReplaceable, Draft, draftOf } from '../output/draft.ts';
import { placeOf } from '../output/place.ts';
import { onSignals } from '../signals.ts';
import { call } from './library.ts';

/** Advice for the user where a new file can't take the place of the old one. */
const INSTEAD = 'choose another output';

type Sides = Parameters<typeof call<'copyDatabase'>>[2];

/** Where an output goes. */
export interface Target {
  readonly path: string;
  readonly force: boolean;
}

/**
 * Looks at an output before keys are asked for.
 *
 * @throws UsageError if it is the input, isn't a file, or is there and may not be replaced; Failure if it can't be.
 */
export async function targetOf(output: string, input: string, force: boolean): Promise<Target> {
  const place = placeOf(output);
  if (place.kind !== 'file' || typeof place.path !== 'string')
    throw new UsageError(`${nameOf(output)}: not a regular file`);
  const target = { path: place.path, force };
  const found = await check(target);
  const its = await storage.look(input);
  if (found && its && isSameFile(found, its))
    throw new UsageError(`${nameOf(output)}: input and output file are the same`);
  if (found && !force) throw isThere(target);
  return target;
}

const isThere = ({ path }: Target): UsageError => new UsageError(`${nameOf(path)} exists; --force replaces it`);

/** @returns undefined if there is no such file. */
async function check({ path }: Target) {
  const found = await checkReplaceable(storage, path, INSTEAD);
  if (found && !found.regular) throw new UsageError(`${nameOf(path)}: not a regular file`);
  for (const name of [`${path}-journal`, `${path}-wal`])
    if (await storage.look(name))
      throw new Failure(`${nameOf(name)} is there: SQLite would play it back into the output; remove it first`);
  return found;
}

/**
 * Copies a database into the output.
 *
 * @param from - The database.
 * @param to - How the output is encrypted.
 * @param mode - Who may read and write it, if it replaces none.
 */
export async function copyInto(
  target: Target,
  from: Sides['from'],
  to: Omit<Sides['to'], 'file'>,
  mode: number,
): Promise<void> {
  const { path, force } = target;
  await sweep(storage, path);
  const draft = draftOf(path, storage.processes.newIdentity());
  if (typeof draft !== 'string') throw new UsageError(`${nameOf(path)}: a name that is too long`);
  const off = onSignals(() => rmSync(draft, { force: true }));
  try {
    const made = await Draft.create(storage, draft, path, await check(target), { mode, instead: INSTEAD });
    try {
      await call(from.file, 'copyDatabase', { from, to: { ...to, file: draft } });
      await made.complete();
      await made.file.flush();
    } finally {
      await made.file.close();
    }
    await check(target);
    if (force) await storage.rename(draft, path);
    else if (!(await renameToNew(storage, draft, path))) throw isThere(target);
    await storage.flushFolder(folderOf(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    off();
  }
}
