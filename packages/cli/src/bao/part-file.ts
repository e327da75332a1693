/**
 * The file that a fetch is written to until all of it is there. It stays when the fetch is interrupted, and the next one goes on after
 * the bytes in it that are proven. Every byte is proven before it is written, so two runs at once write the same bytes.
 */
import { ftruncate, lstatSync } from 'node:fs';
import { promisify } from 'node:util';
import type { RandomAccess } from 'lanewise/stream.js';
import { Failure } from '../command.ts';
import {
  behind,
  folderOf,
  nameOf,
  readAll,
  renameToNew,
  system as storage,
  writeAll,
  type Information,
  type Path,
  type StoredFile,
} from '../disk/storage.ts';
import { checkReplaceable } from '../output/draft.ts';
import { EarlyFlush } from '../output/early-flush.ts';
import type { Output } from '../output/output.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';

/** As far as the user's mask allows: the bytes are proven, and are those of a file that others serve. */
const MODE = 0o666;
/** The digits of the hash in the name: parts of two files that get one name are two files. */
const DIGITS = 16;

/** A part that is open. */
export interface Part extends RandomAccess {
  readonly size: number;
  /** Writes from this offset on. */
  from(offset: number): Output;
}

/** @throws Failure if the file isn't one that an earlier run of this user has made. */
async function openPart(path: Path): Promise<StoredFile> {
  const made = await storage.create(path, MODE);
  if (made) return made;
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const file = await storage.open(path, 'change');
  const its = await file.look();
  // Another user could write to a file of their own when it has its name, and a link leads to any file.
  const isOwn = process.getuid === undefined || its.owner === process.getuid();
  if (found && its.regular && its.links === 1 && isOwn && its.inode === String(found.ino)) return file;
  await file.close();
  throw new Failure(`${nameOf(path)}: isn't a part that an earlier run of this user has written; remove it first`);
}

async function give(file: StoredFile, target: Path, replaced: Information, instead: string): Promise<void> {
  const made = await file.look();
  if (made.owner === replaced.owner && made.group === replaced.group) return;
  if (!(await file.give(replaced.owner, replaced.group)))
    throw new Failure(
      `${nameOf(target)}: belongs to another user or group, and an output in its place would be yours; remove it first, or ${instead}`,
    );
}

const cut = promisify(ftruncate);

/**
 * Makes or continues a part, and gives it its name when `use` has ended. If that fails, the part stays with the bytes that it has.
 *
 * @param use - Returns the length of the file.
 * @param replace - Whether a file that is there may be replaced.
 */
export async function withPart(
  target: Path,
  hash: Uint8Array,
  use: (part: Part) => Promise<number>,
  replace: boolean,
): Promise<void> {
  const instead = `redirect standard output into it: > ${nameOf(target)}`;
  const found = await checkReplaceable(storage, target, instead);
  if (found && !replace) throw new Failure(`${nameOf(target)}: is there; -o ${nameOf(target)} replaces it`);
  const path = behind(target, `.${Buffer.from(hash).toString('hex').slice(0, DIGITS)}.part`);
  const file = await openPart(path);
  const flush = new EarlyFlush(file);
  let end = 0;
  try {
    if (found) await give(file, target, found, instead);
    const { size } = await file.look();
    const length = await use({
      size,
      read: async (from, to) => {
        const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
        await readAll(file, bytes, from);
        return bytes;
      },
      from(offset) {
        end = offset;
        return {
          async write(bytes) {
            await writeAll(file, bytes, end);
            end += bytes.length;
            flush.wrote(bytes.length);
          },
        };
      },
    });
    await cut(file.descriptor!, length);
    if (found) await file.permit(found.mode);
    await flush.finish();
  } catch (error) {
    await flush.settled();
    await file.close();
    throw await kept(path, end, error);
  }
  await file.close();
  if (replace) await storage.rename(path, target);
  else if (!(await renameToNew(storage, path, target)))
    throw new Failure(`${nameOf(target)}: is there meanwhile; the file is in ${nameOf(path)}`);
  await storage.flushFolder(folderOf(target));
}

/** Says that a part is left, or removes an empty one. */
async function kept(path: Path, proven: number, error: unknown): Promise<unknown> {
  if (!proven) {
    const { size } = (await storage.look(path)) ?? { size: 1 };
    if (!size) await storage.remove(path);
    return error;
  }
  if (!(error instanceof Failure) && !isSystemError(error)) return error;
  const message = isSystemError(error) ? systemMessage(error) : error.message;
  return new Failure(`${message}; ${proven} bytes are in ${nameOf(path)}, and the same command goes on after them`, {
    cause: error,
  });
}
