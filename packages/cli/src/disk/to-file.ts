/** Encryption or decryption of an image into another file, which gets its name when it is complete. */
import { clean } from 'lanewise/utils.js';
import { Failure, UsageError } from '../command.ts';
import { refuseJournal, withImage } from './image.ts';
import { Lock } from './lock.ts';
import {
  folderOf,
  isSameFile,
  nameOf,
  readAll,
  renameToNew,
  writeAll,
  type Path,
  type Storage,
  type StoredFile,
} from './storage.ts';

/** The most that is read and written at a time, rounded down to whole sectors. */
const BATCH_BYTES = 4 * 2 ** 20;

export interface Copy {
  readonly storage: Storage;
  readonly image: Path;
  readonly size: number;
  readonly output: Path;
  /** Who may read and write the output. */
  readonly mode: number;
  /** `--force`: replaces an existing output, and overrides other locks. */
  readonly force: boolean;
  readonly sectorSize: number;
  /** Changes whole sectors in place; the first is at byte `at` of the image. */
  readonly convert: (bytes: Uint8Array, at: number) => void;
  readonly advance: (bytes: number) => void;
}

const isThere = (output: Path): UsageError => new UsageError(`${nameOf(output)} exists; --force replaces it`);

/** @throws UsageError if the output is the image, or exists and may not be replaced. */
async function checkOutput({ storage, image, output, force }: Copy): Promise<void> {
  const found = await storage.look(output);
  if (!found) return;
  const name = nameOf(output);
  if (isSameFile(found, await storage.look(image)))
    throw new UsageError(`${name}: the output is the image; --in-place changes it`);
  if (!found.regular) throw new UsageError(`${name}: not a regular file`);
  if (!force) throw isThere(output);
}

export async function convertToFile(copy: Copy, most = BATCH_BYTES): Promise<void> {
  const { storage, image, size, output, force } = copy;
  await checkOutput(copy);
  await Lock.during({ storage, file: output, kind: 'lock', force }, ({ draft }) =>
    Lock.during({ storage, file: image, kind: 'read-lock', force }, async () => {
      for (const path of [image, output]) await refuseJournal(storage, path);
      await withImage(storage, image, size, 'read', async (from, { modified }) => {
        await writeDraft(copy, draft, from, most, async () => {
          const now = await from.look();
          if (now.modified !== modified || now.size !== size)
            throw new Failure(`${from.name}: was changed while it was read; there is no output`);
          // Other programs do not respect the locks, and can have changed the image meanwhile.
          await checkOutput(copy);
          if (force) await storage.rename(draft, output);
          else if (!(await renameToNew(storage, draft, output))) throw isThere(output);
        });
      });
      await storage.flushFolder(folderOf(output));
    }),
  );
}

/** Writes the output under another name, gives it its name by `publish`, and removes it if something fails. */
async function writeDraft(
  copy: Copy,
  draft: Path,
  from: StoredFile,
  most: number,
  publish: () => Promise<void>,
): Promise<void> {
  const { storage, mode, sectorSize } = copy;
  const to = await storage.create(draft, mode);
  if (!to) throw new Failure(`${nameOf(draft)}: is there`);
  try {
    await convert(copy, from, to, most - (most % sectorSize)).finally(() => to.close());
    await publish();
  } catch (error) {
    // The draft no longer exists if only the removal of its second name failed.
    if (await storage.look(draft)) await storage.remove(draft);
    throw error;
  }
}

/** Converts batch by batch, reading the next one while the current one is converted and written; flushes at the end. */
async function convert(copy: Copy, from: StoredFile, to: StoredFile, batchBytes: number): Promise<void> {
  const { size } = copy;
  let [filling, filled] = [0, 0].map(() => new Uint8Array(Math.min(size, batchBytes)));
  const fill = async (at: number): Promise<Uint8Array> => {
    const bytes = filling.subarray(0, Math.max(0, size - at));
    await readAll(from, bytes, at);
    return bytes;
  };
  let next = fill(0);
  try {
    for (let at = 0; at < size; at += batchBytes) {
      const bytes = await next;
      [filling, filled] = [filled, filling];
      next = fill(at + batchBytes);
      // If writing fails, an error of the read ahead is ignored.
      next.catch(() => undefined);
      copy.convert(bytes, at);
      await writeAll(to, bytes, at);
      copy.advance(bytes.length);
    }
    await to.flush();
  } finally {
    // The read must have ended before the file is closed.
    await next.catch(() => undefined);
    clean(filling, filled);
  }
}
