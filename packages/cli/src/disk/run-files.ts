/**
 * The files of a run beside an image or an output. Their names say which run made them:
 *
 *     NAME.lanewise-journal               the journal of an in-place run, which another run can resume or undo
 *     NAME.lanewise-lock.IDENTITY         a run that changes NAME, and excludes all others
 *     NAME.lanewise-read-lock.IDENTITY    a run that reads NAME, as others may
 *     NAME.lanewise-draft.IDENTITY        a journal or an output that is not complete
 */
import { IDENTITY } from './process-identity.ts';
import { behind, folderOf, isCausedBy, lastNameOf, type Path, type Storage } from './storage.ts';

export interface RunFile {
  readonly path: Path;
  /** The image or output that the file belongs to. */
  readonly about: Path;
  readonly kind: 'lock' | 'read-lock' | 'draft';
  readonly identity: string;
}

const JOURNAL = '.lanewise-journal';
const RUN_FILE = new RegExp(`^(.+)\\.lanewise-(lock|read-lock|draft)\\.(${IDENTITY.source})$`, 's');

/** Whether a name is that of a run's file, which is refused as an image or an output. */
export const isRunFile = (path: Path): boolean => {
  const name = lastNameOf(path).toString('latin1');
  return RUN_FILE.test(name) || name.endsWith(JOURNAL);
};

export const journalOf = (image: Path): Path => behind(image, JOURNAL);

export const runFileOf = (about: Path, kind: RunFile['kind'], identity: string): Path =>
  behind(about, `.lanewise-${kind}.${identity}`);

/** A file in the same folder. */
function beside(path: Path, name: Buffer): Path {
  const bytes = Buffer.from(path);
  const sibling = Buffer.concat([bytes.subarray(0, bytes.length - lastNameOf(path).length), name]);
  return Buffer.from(sibling.toString()).equals(sibling) ? sibling.toString() : sibling;
}

/** @returns the files of all runs in the folder of a file, journals excepted. */
export async function runFilesBeside(storage: Storage, path: Path): Promise<RunFile[]> {
  const names = await storage.list(folderOf(path));
  return names.flatMap((name) => {
    const found = RUN_FILE.exec(name.toString('latin1'));
    if (!found) return [];
    const [, about, kind, identity] = found;
    const file = beside(path, Buffer.from(about, 'latin1'));
    return [{ path: beside(path, name), about: file, kind: kind as RunFile['kind'], identity }];
  });
}

export const isPermission = (error: unknown): boolean => isCausedBy(error, 'EACCES', 'EPERM', 'EROFS');

/**
 * Removes the file of an ended process. A failure is harmless: the file may belong to another user, be removed by another run, or be a
 * folder, which no run makes.
 */
export async function removeIfAllowed(storage: Storage, path: Path): Promise<void> {
  try {
    await storage.remove(path);
  } catch (error) {
    if (!isCausedBy(error, 'ENOENT', 'EBUSY', 'EISDIR', 'ERR_FS_EISDIR') && !isPermission(error)) throw error;
  }
}

/** Removes the leftovers of killed runs in the folder of a file: drafts, which may be plaintext, and locks. */
export async function sweep(storage: Storage, path: Path): Promise<void> {
  let files;
  try {
    files = await runFilesBeside(storage, path);
  } catch (error) {
    // A folder that can be written to, and not listed.
    if (isPermission(error)) return;
    throw error;
  }
  for (const { path: ended, identity } of files)
    if (storage.processes.lifeOf(identity) === 'dead') await removeIfAllowed(storage, ended);
}
