/** Outputs: a file that is there whole or not at all, or a stream, which gets bytes as they come. */
import { constants, rmSync, write } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Failure, UsageError } from '../command.ts';
import { sweep } from '../disk/run-files.ts';
import {
  folderOf,
  isCausedBy,
  isSameFile,
  nameOf,
  renameToNew,
  system as storage,
  writeAll,
  type Path,
} from '../disk/storage.ts';
import { onSignals } from '../signals.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { checkReplaceable, Draft, draftOf } from './draft.ts';
import { EarlyFlush } from './early-flush.ts';
import { placeOf } from './place.ts';

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

/** Advice for the user where a new file can't take the place of the old one. */
const insteadOf = (path: Path): string => `redirect standard output into it: > ${nameOf(path)}`;

/**
 * Looks at an output before keys are read and passphrases asked for.
 *
 * @throws Failure if it cannot be written, or not be replaced.
 */
export async function checkOutput(path: Path): Promise<void> {
  const place = placeOf(path);
  if (place.kind === 'file') await checkReplaceable(storage, place.path, insteadOf(path));
}

/**
 * Writes a file under another name and gives it its own when `use` has ended: a failure, an interrupt or a power cut leaves what
 * was there before. A stream is written as it comes.
 *
 * @param mode - Who may read and write the file, if it replaces none.
 * @param replace - Whether a file that is there may be replaced.
 */
export async function withFile<Result>(
  path: Path,
  mode: number,
  use: (output: Output) => Promise<Result>,
  replace = true,
): Promise<Result> {
  const place = placeOf(path);
  if (place.kind === 'descriptor')
    return await use(place.descriptor === 1 ? standardOutput : toDescriptor(place.descriptor, path));
  if (place.kind === 'device') return await toDevice(place.path, use);
  const target = place.path;
  const instead = insteadOf(path);
  const found = await checkReplaceable(storage, target, instead);
  await sweep(storage, target);
  const draft = draftOf(target, storage.processes.newIdentity());
  // Before the draft is made: a signal may come as soon as it is there. No other process has a file of such a name.
  const off = onSignals(() => rmSync(draft, { force: true }));
  try {
    const made = await Draft.create(storage, draft, target, found, { mode, instead });
    const result = await fill(made, use);
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

/** Writes all of a draft, and closes it. */
async function fill<Result>(draft: Draft, use: (output: Output) => Promise<Result>): Promise<Result> {
  const { file } = draft;
  const flush = new EarlyFlush(file);
  let at = 0;
  try {
    const result = await use({
      async write(bytes) {
        const from = at;
        at += bytes.length;
        await writeAll(file, bytes, from);
        flush.wrote(bytes.length);
      },
    });
    await draft.complete();
    await flush.finish();
    return result;
  } finally {
    await flush.settled();
    await file.close();
  }
}

const writeTo = promisify(write) as (descriptor: number, bytes: Uint8Array) => Promise<{ bytesWritten: number }>;

/** How long a reader of a pipe gets that another process has made non-blocking. */
const PAUSE_MILLISECONDS = 5;

/** An open file of this process. Waiting for a slow reader blocks no signal. */
const toDescriptor = (descriptor: number, path: Path): Output => ({
  async write(bytes) {
    for (let done = 0; done < bytes.length;) {
      try {
        done += (await writeTo(descriptor, bytes.subarray(done))).bytesWritten;
      } catch (error) {
        if (!isSystemError(error)) throw error;
        if (error.code !== 'EAGAIN') throw new Failure(`${nameOf(path)}: ${systemMessage(error)}`, { cause: error });
        await sleep(PAUSE_MILLISECONDS);
      }
    }
  },
});

async function toDevice<Result>(path: Path, use: (output: Output) => Promise<Result>): Promise<Result> {
  let handle;
  try {
    // Nothing is made, and nothing cut off: it may be an open file of another process.
    handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
  } catch (error) {
    throw isSystemError(error) ? new Failure(`${nameOf(path)}: ${systemMessage(error)}`, { cause: error }) : error;
  }
  try {
    return await use(toDescriptor(handle.fd, path));
  } finally {
    await handle.close();
  }
}

/** Standard output, which gets bytes as they come. */
export const standardOutput: Output = {
  write: (bytes) =>
    new Promise((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
    }),
};
