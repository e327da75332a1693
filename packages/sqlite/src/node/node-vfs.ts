/** Files of Node, Bun and Deno as a VFS of wa-sqlite. */
import * as nodeFiles from 'node:fs';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as codes from '../codes.ts';
import { Facade } from '../facade.ts';
import { pathIn } from '../names.ts';
import { FileLock } from './locks.ts';

interface OpenFile {
  readonly handle: number;
  /** Which file it is: other code may close the handle, whose number then becomes that of another file. */
  readonly identity: string;
  readonly path: string;
  readonly lock: FileLock | undefined;
  readonly isTemporary: boolean;
  /** Whether the folder is to be flushed with the file: it doesn't have the name yet. */
  isNew: boolean;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const identityOf = ({ dev, ino }: Stats): string => `${dev}-${ino}`;

/** Flushes a folder, where the system can. */
function flushFolder(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Files of Node, Bun and Deno as a VFS of wa-sqlite's synchronous build, with locks between processes: files in a folder `NAME-locks` beside
 * the database. All processes that use a database have to use this VFS, on one machine. It has no shared memory, so `journal_mode=WAL` needs
 * `locking_mode=exclusive`.
 */
export class NodeVFS extends Facade {
  readonly #files = new Map<number, OpenFile>();
  override mxPathname = 4096;
  /** Why the last call failed. */
  override lastError: Error | undefined = undefined;

  /** Keeps the reason of a call that failed. */
  #failed(error: unknown, code: number): number {
    const { message } = error as Error;
    this.lastError =
      codeOf(error) === 'EBADF' ? new Error(`${message}; ${OPEN_AGAIN}`, { cause: error }) : (error as Error);
    return code;
  }

  /** @throws Error if a file isn't open, which is an error of the caller. */
  #file(file: number): OpenFile {
    const found = this.#files.get(file);
    if (!found) throw new Error(`NodeVFS: file ${file} isn't open`);
    return found;
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
    const isTemporary = name === null || name === '';
    const path = isTemporary ? join(tmpdir(), `lanewise-sqlite-${randomUUID()}`) : resolve(pathIn(name, flags));
    const opened = openAs(path, isTemporary ? flags | codes.OPEN_EXCLUSIVE : flags);
    if (!opened) return codes.CANTOPEN;
    this.#files.set(file, {
      handle: opened.handle,
      identity: opened.identity,
      path,
      isTemporary: isTemporary || (flags & codes.OPEN_DELETEONCLOSE) !== 0,
      isNew: opened.isNew,
      lock: flags & codes.OPEN_MAIN_DB ? new FileLock(path, nodeFiles) : undefined,
    });
    outFlags.setInt32(0, isTemporary ? flags : opened.flags, true);
    return codes.OK;
  }

  override jClose(file: number): number {
    const found = this.#files.get(file);
    if (!found) return codes.OK;
    this.#files.delete(file);
    let code: number = codes.OK;
    for (const work of [
      () => found.lock?.close(),
      () => {
        if (identityOf(fstatSync(found.handle)) === found.identity) closeSync(found.handle);
      },
      () => {
        if (found.isTemporary) unlinkSync(found.path);
      },
    ])
      try {
        work();
      } catch (error) {
        code = this.#failed(error, codes.IOERR_CLOSE);
      }
    return code;
  }

  override jRead(file: number, into: Uint8Array, at: number): number {
    const { handle } = this.#file(file);
    const view = into.subarray();
    let done = 0;
    try {
      while (done < view.length) {
        const count = readSync(handle, view, done, view.length - done, at + done);
        if (count === 0) break;
        done += count;
      }
    } catch (error) {
      return this.#failed(error, codes.IOERR_READ);
    }
    if (done === view.length) return codes.OK;
    view.fill(0, done);
    return codes.IOERR_SHORT_READ;
  }

  override jWrite(file: number, bytes: Uint8Array, at: number): number {
    const { handle } = this.#file(file);
    const view = bytes.subarray();
    try {
      for (let done = 0; done < view.length;) done += writeSync(handle, view, done, view.length - done, at + done);
    } catch (error) {
      return this.#failed(error, codes.IOERR_WRITE);
    }
    return codes.OK;
  }

  override jTruncate(file: number, size: number): number {
    try {
      ftruncateSync(this.#file(file).handle, size);
    } catch (error) {
      return this.#failed(error, codes.IOERR_TRUNCATE);
    }
    return codes.OK;
  }

  override jSync(file: number): number {
    const found = this.#file(file);
    try {
      fsyncSync(found.handle);
      if (found.isNew) flushFolder(dirname(found.path));
    } catch (error) {
      return this.#failed(error, codes.IOERR_FSYNC);
    }
    found.isNew = false;
    return codes.OK;
  }

  override jFileSize(file: number, size: DataView): number {
    try {
      size.setBigInt64(0, BigInt(fstatSync(this.#file(file).handle).size), true);
    } catch (error) {
      return this.#failed(error, codes.IOERR_FSTAT);
    }
    return codes.OK;
  }

  override jDelete(name: string, syncFolder: number): number {
    const path = resolve(name);
    try {
      unlinkSync(path);
      if (syncFolder) flushFolder(dirname(path));
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? codes.OK : this.#failed(error, codes.IOERR_DELETE);
    }
    return codes.OK;
  }

  override jAccess(name: string, _flags: number, found: DataView): number {
    found.setInt32(0, existsSync(resolve(name)) ? 1 : 0, true);
    return codes.OK;
  }

  override jFullPathname(name: string, into: Uint8Array): number {
    return super.jFullPathname(resolve(name), into) as number;
  }

  override jLock(file: number, level: number): number {
    const { lock } = this.#file(file);
    try {
      return !lock || lock.lock(level) ? codes.OK : codes.BUSY;
    } catch (error) {
      return this.#failed(error, codes.IOERR_LOCK);
    }
  }

  override jFileControl(file: number, operation: number, argument: DataView): number {
    if (operation !== codes.FCNTL_HAS_MOVED) return codes.NOTFOUND;
    try {
      const moved = this.#moved(this.#file(file));
      if (moved) this.lastError = new Error(`${moved}; ${OPEN_AGAIN}`);
      argument.setInt32(0, moved ? 1 : 0, true);
    } catch (error) {
      return this.#failed(error, codes.IOERR_FSTAT);
    }
    return codes.OK;
  }

  /** SQLite asks before it writes. Undefined if the file of a database is where it was. */
  #moved({ handle, identity, path }: OpenFile): string | undefined {
    if (identityOf(fstatSync(handle)) !== identity) return `the handle of ${path} was closed`;
    const there = statSync(path, { throwIfNoEntry: false });
    return there && identityOf(there) === identity ? undefined : `${path} was removed or replaced while it was open`;
  }

  override jUnlock(file: number, level: number): number {
    this.#file(file).lock?.unlock(level);
    return codes.OK;
  }

  override jCheckReservedLock(file: number, isReserved: DataView): number {
    isReserved.setInt32(0, this.#file(file).lock?.isReserved ? 1 : 0, true);
    return codes.OK;
  }

  override close(): void {
    for (const file of [...this.#files.keys()]) this.jClose(file);
  }
}

const OPEN_AGAIN = 'close the database and open it again';

interface Opened {
  readonly identity: string;
  readonly handle: number;
  readonly flags: number;
  readonly isNew: boolean;
}

/** Opens a file as SQLite's flags say; undefined if that isn't possible. */
function openAs(path: string, flags: number): Opened | undefined {
  const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = constants;
  const attempts = [];
  // Whether the file is new decides whether its folder has to be flushed.
  if (flags & codes.OPEN_CREATE) attempts.push({ mode: O_RDWR | O_CREAT | O_EXCL, flags, isNew: true });
  if (flags & codes.OPEN_READWRITE && !(flags & codes.OPEN_EXCLUSIVE))
    attempts.push({ mode: O_RDWR, flags, isNew: false });
  if (!(flags & codes.OPEN_EXCLUSIVE))
    attempts.push({
      mode: O_RDONLY,
      flags: (flags & ~(codes.OPEN_READWRITE | codes.OPEN_CREATE)) | codes.OPEN_READONLY,
      isNew: false,
    });
  for (const attempt of attempts)
    try {
      const handle = openSync(path, attempt.mode, 0o600);
      const found = fstatSync(handle);
      if (found.isFile()) return { handle, identity: identityOf(found), flags: attempt.flags, isNew: attempt.isNew };
      closeSync(handle);
      return undefined;
    } catch (error) {
      if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) {
        if (codeOf(error) === 'ENOENT') continue;
        return undefined;
      }
    }
  return undefined;
}
