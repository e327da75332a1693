/** Files of Node that are put in their place when they are complete. */
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draftOf, removeDead } from './node-drafts.ts';
import type { FileTarget, WritableFile } from './handles.ts';
import { refuseSurplus, sizeOf, typeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';

const OPTIONS = { __proto__: null, mode: 1 } as const;

/** How a file is made. */
export interface NewFileOptions {
  /**
   * The permissions, as for `open` of Node: of these the umask takes some away. Unless given, those of the file that is replaced, or
   * 0o666 if there is none.
   */
  readonly mode?: number;
}

/** Until the file is complete, its plaintext is not known to be authentic, and only the owner reads it. */
const OWNER_ONLY = 0o600;

/** Puts a name on the medium. Windows opens no folders, and keeps names by itself. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  if (!folder) return;
  try {
    await folder.sync();
  } catch {
    // Some file systems do not sync folders.
  } finally {
    await folder.close();
  }
}

/** What the umask leaves of the mode of a new file. The file is removed: no other user may have it open when it holds plaintext. */
async function modeOf(name: string, mode: number): Promise<number> {
  const handle = await open(name, 'wx', mode);
  try {
    return (await handle.stat()).mode;
  } finally {
    await handle.close();
    await rm(name, { force: true });
  }
}

/** A file under a temporary name, beside its place. */
async function create(path: string, given: number | undefined): Promise<WritableFile> {
  // A symbolic link stays one.
  const place = await realpath(path).catch(() => path);
  const replaced = await stat(place).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  // A folder would be an error at the end only, and a device would be gone.
  if (replaced && !replaced.isFile()) throw new Error(`cannot replace ${path}: it is no regular file`);
  await removeDead(place);
  const name = draftOf(place);
  const mode = (given === undefined && replaced ? replaced.mode : await modeOf(name, given ?? 0o666)) & 0o777;
  const handle = await open(name, 'wx', OWNER_ONLY);
  /** The write that is under way. */
  let written: Promise<void> = Promise.resolve();
  return {
    write: (bytes) => (written = handle.appendFile(bytes)),
    async close() {
      // Some file systems have no modes.
      if (((await handle.stat()).mode & 0o777) === OWNER_ONLY) await handle.chmod(mode);
      await handle.sync();
      await handle.close();
      await rename(name, place);
      await syncFolder(dirname(place));
    },
    async abort() {
      await written.catch(() => undefined);
      // It may be closed already.
      await handle.close().catch(() => undefined);
      await rm(name, { force: true });
    },
  };
}

/**
 * A file of Node, as the `to` of `decryptWhole`. The bytes go to a temporary file in the same folder; when the stream is
 * known to be complete and authentic, that is put on the medium and renamed, so that at any time, also after a power cut, there is
 * either the old file or the new one. On failure it is removed; blocks that it had may still be on the medium. If the process is killed,
 * it stays, readable by its owner only, until the next file is written to that folder, or one of the next to a folder with thousands of
 * files: `NAME.lanewise-draft.IDENTITY`, where a long name is cut.
 * Machines that share a folder need a host name or an `/etc/machine-id` of their own, which copies of one virtual machine lack: one would
 * remove the drafts of the other.
 *
 * @param path - Of the file, as a string or a `file:` URL. A file that is there is replaced, where a symbolic link leads to.
 * @param options - `mode`.
 * @returns The place. Nothing is done before there is something to write.
 * @throws TypeError if an argument has the wrong type. `decryptWhole` is rejected with an Error if there is something else
 * than a regular file, and with those of the file system.
 * @example
 * ```ts
 * import { createReadStream, createWriteStream } from 'node:fs';
 * import { mkdtemp, readFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { pipeline } from 'node:stream/promises';
 * import { chunked } from 'lanewise/stream.js';
 * import { newFile } from 'lanewise/stream-node.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const folder = await mkdtemp(join(tmpdir(), 'example-'));
 * await pipeline(chunked(key).encrypt(new Uint8Array(1_000_000)), createWriteStream(join(folder, 'sealed')));
 *
 * const path = join(folder, 'plain');
 * await chunked(key).decryptWhole(createReadStream(join(folder, 'sealed')), { to: newFile(path) });
 * console.log((await readFile(path)).length); // 1000000
 * ```
 */
export function newFile(path: string | URL, options?: NewFileOptions): FileTarget {
  refuseSurplus(arguments, 2);
  const its: unknown = typeof path === 'object' && path !== null ? fileURLToPath(path) : path;
  if (typeof its !== 'string') throw new TypeError(`"path" expected string or URL, got ${typeOf(path)}`);
  const given = optionOf(optionsOf(options, OPTIONS), 'mode');
  const mode = given === undefined ? undefined : sizeOf(given, 'mode');
  if (mode && mode >= 2 ** 32) throw new RangeError(`"mode" expected integer below 2^32, got ${mode}`);
  return { createWritable: () => create(its, mode) };
}
