/** Encryption or decryption of an image into another file, which gets its name when it is complete. */
import type { PageFiles } from 'lanewise/pool.js';
import { clean } from 'lanewise/utils.js';
import { Failure, UsageError } from '../command.ts';
import { checkReplaceable, Draft } from '../output/draft.ts';
import { refuseJournal, withImage } from './image.ts';
import { Lock } from './lock.ts';
import {
  folderOf,
  isSameFile,
  nameOf,
  readAll,
  renameToNew,
  writeAll,
  type Information,
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
  /** Who may read and write an output that replaces no other. */
  readonly mode: number;
  /** `--force`: replaces an existing output, and overrides other locks. */
  readonly force: boolean;
  readonly sectorSize: number;
  /** Changes whole sectors in place; the first is at byte `at` of the image. */
  readonly convert: (bytes: Uint8Array, at: number) => void | Promise<void>;
  /** Converts all on several threads, which read and write by themselves. False if one thread has to go on after the last progress. */
  readonly convertFile?: (files: PageFiles, onProgress: (done: number) => void) => Promise<boolean>;
  /** How many bytes are converted at a time. */
  readonly most?: number;
  readonly advance: (bytes: number) => void;
}

const isThere = (output: Path): UsageError => new UsageError(`${nameOf(output)} exists; --force replaces it`);

/** Advice for the user where a new file can't take the place of the old one. */
const INSTEAD = 'choose another output';

/**
 * Examines the file that the output would replace.
 *
 * @throws UsageError if the output is the image, or exists and may not be replaced; Failure if it cannot be.
 */
async function checkOutput({ storage, image, output, force }: Copy): Promise<Information | undefined> {
  const found = await storage.look(output);
  if (!found) return undefined;
  const name = nameOf(output);
  if (isSameFile(found, await storage.look(image)))
    throw new UsageError(`${name}: the output is the image; --in-place changes it`);
  if (!found.regular) throw new UsageError(`${name}: not a regular file`);
  if (!force) throw isThere(output);
  return await checkReplaceable(storage, output, INSTEAD);
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
  const { storage, output, mode } = copy;
  try {
    const made = await Draft.create(storage, draft, output, await checkOutput(copy), { mode, instead: INSTEAD });
    await convert(copy, from, made).finally(() => made.file.close());
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

/** The files as a pool takes them; undefined if they are not the system's. */
function filesFor(from: StoredFile, to: StoredFile): PageFiles | undefined {
  if (from.descriptor === undefined || to.descriptor === undefined) return undefined;
  return {
    from: {
      fd: from.descriptor,
      read: async (buffer, offset, length, at) => ({
        bytesRead: await from.read(buffer.subarray(offset, offset + length), at),
      }),
      stat: () => from.look(),
    },
    to: {
      fd: to.descriptor,
      write: async (buffer, offset, length, at) => ({
        bytesWritten: await to.write(buffer.subarray(offset, offset + length), at),
      }),
    },
  };
}

/** Converts on several threads if possible, and the rest on one. Flushes at the end. */
async function convert(copy: Copy, from: StoredFile, draft: Draft): Promise<void> {
  const to = draft.file;
  const files = filesFor(from, to);
  let done = 0;
  const onProgress = (now: number): void => {
    copy.advance(now - done);
    done = now;
  };
  const isDone = files && (await copy.convertFile?.(files, onProgress));
  if (!isDone) await convertBatches(copy, from, to, done);
  await draft.complete();
  await to.flush();
}

/** Converts batch by batch: the next one is read and the one before is written meanwhile. */
async function convertBatches(copy: Copy, from: StoredFile, to: StoredFile, begin: number): Promise<void> {
  const { size, sectorSize, most = BATCH_BYTES } = copy;
  const buffers: Uint8Array[] = [];
  let read = begin;
  const fill = async (): Promise<Batch | undefined> => {
    const at = read;
    const length = Math.min(size - at, most - (most % sectorSize));
    if (length <= 0) return undefined;
    read += length;
    // Of three buffers, the oldest was written before the one after it was begun to be written.
    const buffer = (buffers.length < 3 ? undefined : buffers.shift()) ?? new Uint8Array(length);
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
      // Errors of pending work are thrown when it is awaited, or ignored after an earlier one.
      pending.read.catch(() => undefined);
      await copy.convert(bytes, at);
      await pending.write;
      pending.write = writeAll(to, bytes, at).then(() => copy.advance(bytes.length));
      pending.write.catch(() => undefined);
    }
    await pending.write;
  } finally {
    // Both must have ended before the files are closed.
    await Promise.allSettled([pending.read, pending.write]);
    clean(...buffers);
  }
}
