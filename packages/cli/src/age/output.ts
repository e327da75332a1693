/** Outputs: a file that is there whole or not at all, or standard output as it comes. */
import { closeSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { Failure, UsageError } from '../command.ts';
import { EarlyFlush } from './early-flush.ts';
import { onSignals } from '../disk/signals.ts';
import {
  behind,
  folderOf,
  isCausedBy,
  isSameFile,
  nameOf,
  renameToNew,
  system as storage,
  writeAll,
  type Path,
} from '../disk/storage.ts';

/** Where bytes go. The bytes of a write may change when its promise is settled. */
export interface Output {
  write(bytes: Uint8Array): Promise<void>;
}

/** @throws UsageError if the output is one of the inputs. */
export async function refuseSame(output: Path, inputs: readonly Path[]): Promise<void> {
  const found = await storage.look(output);
  for (const input of inputs)
    if (input !== '-' && found && isSameFile(found, await storage.look(input)))
      throw new UsageError(`${nameOf(output)}: input and output file are the same`);
}

/** Whether a folder is at this path. */
export async function isFolder(path: Path): Promise<boolean> {
  try {
    await storage.list(path);
    return true;
  } catch (error) {
    if (isCausedBy(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** The file behind symbolic links, which stay. */
function behindLinks(path: Path): Path {
  try {
    return realpathSync.native(path, { encoding: 'buffer' });
  } catch {
    return path;
  }
}

/**
 * Writes a file under another name and gives it its own when `use` has ended: a failure, an interrupt or a power cut leaves what
 * was there before. A pipe or a device is written as it comes.
 *
 * @param mode - Who may read and write the file.
 * @param replace - Whether a file that is there may be replaced.
 */
export async function withFile<Result>(
  path: Path,
  mode: number,
  use: (output: Output) => Promise<Result>,
  replace = true,
): Promise<Result> {
  const target = behindLinks(path);
  const found = await storage.look(target);
  if (found && !found.regular) return toDevice(target, use);
  const draft = behind(target, `.${randomBytes(6).toString('hex')}.part`);
  // Before the draft is made: a signal may come as soon as it is there. No other program has a file of such a name.
  const off = onSignals(() => rmSync(draft, { force: true }));
  let at = 0;
  try {
    const file = await storage.create(draft, found ? found.mode : mode);
    if (!file) throw new Failure(`${nameOf(draft)}: is there`);
    const flush = new EarlyFlush(file);
    let result: Result;
    try {
      result = await use({
        async write(bytes) {
          const from = at;
          at += bytes.length;
          await writeAll(file, bytes, from);
          flush.wrote(bytes.length);
        },
      });
      await flush.finish();
    } finally {
      await flush.settled();
      await file.close();
    }
    if (replace) await storage.rename(draft, target);
    else if (!(await renameToNew(storage, draft, target))) throw new Failure(`${nameOf(target)}: is there`);
    await storage.flushFolder(folderOf(target));
    return result;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    off();
  }
}

async function toDevice<Result>(path: Path, use: (output: Output) => Promise<Result>): Promise<Result> {
  const descriptor = openSync(path, 'w');
  try {
    return await use({
      write(bytes) {
        for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
        return Promise.resolve();
      },
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Standard output, which gets bytes as they come. */
export const standardOutput: Output = {
  write: (bytes) =>
    new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    }),
};
