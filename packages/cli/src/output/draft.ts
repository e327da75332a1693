/**
 * Drafts: an output is written beside its place under another name, and renamed when all of it is there. Until then only its owner
 * may read it, because it may be plaintext that is not authentic. It inherits the owner, the group and the mode of the file that it replaces.
 *
 * The name of a draft says which process makes it (`disk/run-files.ts`), so that the next run in the folder removes those of processes
 * that were killed.
 */
import { Failure } from '../command.ts';
import { runFileOf } from '../disk/run-files.ts';
import {
  folderOf,
  isCausedBy,
  lastNameOf,
  nameOf,
  type Information,
  type Path,
  type Storage,
  type StoredFile,
} from '../disk/storage.ts';

/** Only the owner may read and write it. */
const OWNER_ONLY = 0o600;
/** The longest name of a file on most systems, in bytes. */
const LONGEST_NAME = 255;

/**
 * Examines the file that an output would replace, before any work.
 *
 * @param instead - Advice for the user where a new file can't take the place of the old one.
 * @returns undefined if there is no such file.
 * @throws Failure if it may not be written, or if a file in its place would differ in more than its content.
 */
export async function checkReplaceable(
  storage: Storage,
  target: Path,
  instead: string,
): Promise<Information | undefined> {
  const found = await storage.look(target);
  if (found) {
    await storage.checkWritable(target);
    if (!found.regular) throw new Failure(`${nameOf(target)}: Is a directory (os error 21)`);
    if (found.links > 1)
      throw new Failure(
        `${nameOf(target)}: has ${found.links} names (hard links), of which an output would replace one; remove this one first, or ${instead}`,
      );
  }
  try {
    await storage.checkWritable(folderOf(target));
  } catch (error) {
    if (!found || !isCausedBy(error, 'EACCES', 'EPERM', 'EROFS')) throw error;
    throw new Failure(
      `${nameOf(target)}: an output is made in its folder first, which cannot be written to; ${instead}`,
      { cause: error },
    );
  }
  return found;
}

/** The path of a draft; the name of its output is cut where both would be too long. */
export function draftOf(target: Path, identity: string): Path {
  const [whole, name] = [Buffer.from(target), lastNameOf(target)];
  const draft = runFileOf(target, 'draft', identity);
  const over = lastNameOf(draft).length - LONGEST_NAME;
  if (over <= 0 || over >= name.length) return draft;
  let end = whole.length - over;
  // Some file systems take whole characters only.
  while ((whole[end] & 0xc0) === 0x80) end--;
  return runFileOf(whole.subarray(0, end), 'draft', identity);
}

/**
 * The mode of a new file under the user's mask and the folder's access control list. The file that shows it is removed:
 * no other user may have it open when there is plaintext in the draft.
 */
async function modeLeft(storage: Storage, path: Path, mode: number): Promise<number> {
  const file = await createNew(storage, path, mode);
  try {
    return (await file.look()).mode;
  } finally {
    await file.close();
    await storage.remove(path);
  }
}

async function createNew(storage: Storage, path: Path, mode: number): Promise<StoredFile> {
  const file = await storage.create(path, mode);
  if (!file) throw new Failure(`${nameOf(path)}: is there`);
  return file;
}

/** A draft that is being written. */
export class Draft {
  readonly file: StoredFile;
  readonly #mode: number;
  readonly #hasModes: boolean;

  private constructor(file: StoredFile, mode: number, hasModes: boolean) {
    this.file = file;
    this.#mode = mode;
    this.#hasModes = hasModes;
  }

  /**
   * Makes a draft, which is empty.
   *
   * @param replaced - The file that it will replace.
   * @param options - `instead`: see `checkReplaceable`; `mode`: who may read and write a file that replaces none, as far as the user's mask allows.
   * @throws Failure if owner and group of the file to be replaced cannot be had. The draft is to be removed then.
   */
  static async create(
    storage: Storage,
    path: Path,
    target: Path,
    replaced: Information | undefined,
    { mode, instead }: { readonly mode: number; readonly instead: string },
  ): Promise<Draft> {
    const final = replaced?.mode ?? (await modeLeft(storage, path, mode));
    // From its start: who opens it once may read all that is written to it later.
    const file = await createNew(storage, path, OWNER_ONLY);
    try {
      const made = await file.look();
      if (replaced && (made.owner !== replaced.owner || made.group !== replaced.group)) {
        if (!(await file.give(replaced.owner, replaced.group)))
          throw new Failure(
            `${nameOf(target)}: belongs to another user or group, and an output in its place would be yours; remove it first, or ${instead}`,
          );
      }
      const hasModes = made.mode === OWNER_ONLY || (await file.permit(OWNER_ONLY));
      return new Draft(file, final, hasModes);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** All is there, and authentic: who is to read the output may read it. */
  async complete(): Promise<void> {
    if (this.#hasModes) await this.file.permit(this.#mode);
  }
}
