/** Files of Node that are put in their place when they are complete. */
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileTarget, WritableFile } from './whole.ts';
import { bytesToHex } from '../calls/bytes.ts';
import { refuseExtra, typeOf } from '../calls/checks.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { randomBytes } from '../calls/random.ts';

const OPTIONS = { __proto__: null, mode: 1 } as const;

/** How a file is made. */
export interface NewFileOptions {
  /**
   * The permissions, as for `open` of Node: of these the umask takes some away. Unless given, those of the file that is replaced, or
   * 0o666 if there is none.
   */
  readonly mode?: number;
}

/** A file under a temporary name, beside its place. */
class TemporaryFile implements WritableFile {
  readonly #handle: FileHandle;
  readonly #name: string;
  readonly #place: string;
  /** The write that is under way. */
  #written: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(handle: FileHandle, name: string, place: string) {
    this.#handle = handle;
    this.#name = name;
    this.#place = place;
  }

  write(bytes: Uint8Array): Promise<void> {
    this.#written = this.#handle.appendFile(bytes);
    return this.#written;
  }

  async close(): Promise<void> {
    await this.#handle.sync();
    await this.#release();
    await rename(this.#name, this.#place);
    await syncFolder(dirname(this.#place));
  }

  async abort(): Promise<void> {
    await this.#written.catch(() => undefined);
    try {
      await this.#release();
    } finally {
      await rm(this.#name, { force: true });
    }
  }

  async #release(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#handle.close();
  }
}

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

/** Undefined if there is no such file. */
const orNone = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });

async function create(path: string, mode: number | undefined): Promise<WritableFile> {
  // A symbolic link stays one.
  const place = (await orNone(realpath(path))) ?? path;
  const replaced = await orNone(stat(place));
  // A folder would be an error at the end only, and a device would be gone.
  if (replaced && !replaced.isFile()) throw new Error(`cannot replace ${path}: it is no regular file`);
  const name = join(dirname(place), `.${bytesToHex(randomBytes(12))}.tmp`);
  const handle = await open(name, 'wx', mode ?? 0o666);
  const file = new TemporaryFile(handle, name, place);
  try {
    if (replaced && mode === undefined) await handle.chmod(replaced.mode & 0o777);
  } catch (error) {
    await file.abort();
    throw error;
  }
  return file;
}

/**
 * A file of Node, as the `to` of `decryptWhole`. What is written goes to a temporary file in the same folder; when the stream is
 * known to be complete and authentic, that is put on the medium and renamed, so that at any time, also after a power cut, there is
 * either the old file or the new one. On failure it is removed; blocks that it had may still be on the medium.
 *
 * @param path - Of the file, as a string or a `file:` URL. A file that is there is replaced, where a symbolic link leads to.
 * @param options - `mode`.
 * @returns The place. Nothing is done before there is something to write.
 * @throws TypeError if an argument is not of that form. `decryptWhole` is rejected with an Error if there is something else than a
 * regular file, and with those of the file system.
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs';
 * import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { chunked } from 'lanewise/stream.js';
 * import { newFile } from 'lanewise/stream-node.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const key = randomBytes(32);
 * const folder = await mkdtemp(join(tmpdir(), 'example-'));
 * const sealer = await chunked.sealer(key);
 * await writeFile(join(folder, 'sealed'), [sealer.header, sealer.push(new Uint8Array(1_000_000)), sealer.end()]);
 *
 * const path = join(folder, 'plain');
 * await chunked.decryptWhole(createReadStream(join(folder, 'sealed')), key, { to: newFile(path) });
 * console.log((await readFile(path)).length); // 1000000
 * ```
 */
export function newFile(path: string | URL, options?: NewFileOptions): FileTarget;
export function newFile(path: string | URL, options?: NewFileOptions, extra?: unknown): FileTarget {
  refuseExtra(extra, 2);
  const its: unknown = typeof path === 'object' && path !== null ? fileURLToPath(path) : path;
  if (typeof its !== 'string') throw new TypeError(`"path" expected string or URL, got ${typeOf(path)}`);
  const mode = optionOf(optionsOf(options, OPTIONS), 'mode');
  if (mode !== undefined && typeof mode !== 'number')
    throw new TypeError(`"mode" expected integer, got ${typeOf(mode)}`);
  return { createWritable: () => create(its, mode) };
}
