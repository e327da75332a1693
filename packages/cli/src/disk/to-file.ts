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
export const BATCH_BYTES = 4 * 2 ** 20;

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
  /** Changes whole sectors in place; the first is at byte `at` of the image. The bytes may be in shared memory. */
  readonly convert: (bytes: Uint8Array, at: number) => void | Promise<void>;
  /** How many bytes are best converted at a time. */
  readonly most?: () => number;
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

export async function convertToFile(copy: Copy): Promise<void> {
  const { storage, image, size, output, force } = copy;
  await checkOutput(copy);
  await Lock.during({ storage, file: output, kind: 'lock', force }, ({ draft }) =>
    Lock.during({ storage, file: image, kind: 'read-lock', force }, async () => {
      for (const path of [image, output]) await refuseJournal(storage, path);
      await withImage(storage, image, size, 'read', async (from, { modified }) => {
        await writeDraft(copy, draft, from, async () => {
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
async function writeDraft(copy: Copy, draft: Path, from: StoredFile, publish: () => Promise<void>): Promise<void> {
  const { storage, mode } = copy;
  const to = await storage.create(draft, mode);
  if (!to) throw new Failure(`${nameOf(draft)}: is there`);
  try {
    await convert(copy, from, to).finally(() => to.close());
    await publish();
  } catch (error) {
    // The draft no longer exists if only the removal of its second name failed.
    if (await storage.look(draft)) await storage.remove(draft);
    throw error;
  }
}

/** A batch: its place in the image, and the memory that it has. */
interface Batch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** Converts batch by batch: the next one is read and the one before is written meanwhile. Flushes at the end. */
async function convert(copy: Copy, from: StoredFile, to: StoredFile): Promise<void> {
  const { size, sectorSize, most = () => BATCH_BYTES } = copy;
  const buffers: Uint8Array[] = [];
  let read = 0;
  const fill = async (): Promise<Batch | undefined> => {
    const at = read;
    const length = Math.min(size - at, most() - (most() % sectorSize));
    if (length <= 0) return undefined;
    read += length;
    // Of three buffers, the oldest was written before the one after it was begun to be written.
    let buffer = buffers.length < 3 ? undefined : buffers.shift();
    if (!buffer || buffer.length < length) {
      if (buffer) clean(buffer);
      buffer = new Uint8Array(new SharedArrayBuffer(length));
    }
    buffers.push(buffer);
    const bytes = buffer.subarray(0, length);
    await readAll(from, bytes, at);
    return { at, bytes };
  };
  const pending = { read: fill(), write: Promise.resolve() };
  try {
    for (let batch; (batch = await pending.read);) {
      const { at, bytes } = batch;
      pending.read = fill();
      // Errors of what is under way are thrown when it is awaited, or ignored after an earlier one.
      pending.read.catch(() => undefined);
      await copy.convert(bytes, at);
      await pending.write;
      pending.write = writeAll(to, bytes, at).then(() => copy.advance(bytes.length));
      pending.write.catch(() => undefined);
    }
    await pending.write;
    await to.flush();
  } finally {
    // Both must have ended before the files are closed.
    await Promise.allSettled([pending.read, pending.write]);
    clean(...buffers);
  }
}
