/** Opens an image, and refuses one that could have a second lock or journal under another name. */
import { Failure, UsageError } from '../command.ts';
import { journalOf } from './run-files.ts';
import { isSameFile, nameOf, type Information, type Path, type Storage, type StoredFile } from './storage.ts';

/** An image that has a journal is partly plaintext and partly ciphertext. */
export async function refuseJournal(storage: Storage, image: Path): Promise<void> {
  if (await storage.look(journalOf(image)))
    throw new Failure(
      `${nameOf(journalOf(image))} is there: a run in place was interrupted; lanewise disk resume finishes it, lanewise disk undo takes it back`,
    );
}

/**
 * Opens an image that is locked.
 *
 * @param size - Its length when it was first looked at.
 * @throws UsageError if the file has hard links: each name could have its own lock and journal.
 */
export async function withImage<Result>(
  storage: Storage,
  image: Path,
  size: number,
  how: 'read' | 'change',
  work: (file: StoredFile, about: Information) => Promise<Result>,
): Promise<Result> {
  const file = await storage.open(image, how);
  try {
    const about = await file.look();
    if (!isSameFile(about, await storage.look(image)) || about.size !== size)
      throw new Failure(`${file.name}: is another file, or of another length, than a moment ago`);
    if (about.links > 1)
      throw new UsageError(
        `${file.name}: has ${about.links} names (hard links), and another one may have a journal; copy it, or remove the other names`,
      );
    return await work(file, about);
  } finally {
    await file.close();
  }
}
