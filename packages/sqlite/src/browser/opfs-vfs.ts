/** One database in a browser's own files as a VFS of wa-sqlite: SQLite doesn't wait, so all handles are open before it begins. */
import * as codes from '../codes.ts';
import { Facade } from '../facade.ts';
import type { HeldFiles, SyncHandle } from './files.ts';

export class OpfsVFS extends Facade {
  readonly #files: HeldFiles;
  readonly #open = new Map<number, SyncHandle>();
  override mxPathname = 4096;

  constructor(name: string, module: object, files: HeldFiles) {
    super(name, module);
    this.#files = files;
  }

  #file(file: number): SyncHandle {
    const found = this.#open.get(file);
    if (!found) throw new codes.SQLiteFailure(codes.IOERR, `file ${file} isn't open`);
    return found;
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number {
    if (!name)
      throw new codes.SQLiteFailure(
        codes.CANTOPEN,
        'temporary files stay in memory in a browser: leave pragma temp_store as it is',
      );
    const handle = this.#files.handles.get(name);
    if (!handle)
      throw new codes.SQLiteFailure(
        codes.CANTOPEN,
        `cannot open ${name}: in a browser a connection has one database, ${this.#files.path}; open others by openDatabase()`,
      );
    const size = attempt('open', codes.CANTOPEN, () => handle.getSize());
    if (!(flags & codes.OPEN_CREATE) && size === 0) return codes.CANTOPEN;
    this.#open.set(file, handle);
    outFlags.setInt32(0, flags, true);
    return codes.OK;
  }

  override jClose(file: number): number {
    this.#open.delete(file);
    return codes.OK;
  }

  override jRead(file: number, into: Uint8Array, at: number): number {
    const handle = this.#file(file);
    const view = into.subarray();
    const count = attempt('read', codes.IOERR_READ, () => handle.read(view, { at }));
    if (count === view.length) return codes.OK;
    view.fill(0, count);
    return codes.IOERR_SHORT_READ;
  }

  override jWrite(file: number, bytes: Uint8Array, at: number): number {
    const handle = this.#file(file);
    const view = bytes.subarray();
    const count = attempt('write', codes.IOERR_WRITE, () => handle.write(view, { at }));
    if (count !== view.length) throw new codes.SQLiteFailure(codes.FULL, NO_SPACE);
    return codes.OK;
  }

  override jTruncate(file: number, size: number): number {
    const handle = this.#file(file);
    attempt('truncate', codes.IOERR_TRUNCATE, () => handle.truncate(size));
    return codes.OK;
  }

  override jSync(file: number): number {
    const handle = this.#file(file);
    attempt('flush', codes.IOERR_FSYNC, () => handle.flush());
    return codes.OK;
  }

  override jFileSize(file: number, size: DataView): number {
    const handle = this.#file(file);
    size.setBigInt64(0, BigInt(attempt('tell the size', codes.IOERR_FSTAT, () => handle.getSize())), true);
    return codes.OK;
  }

  /** The file stays, empty: its handle is needed for the next journal. */
  override jDelete(name: string, syncFolder: number): number {
    const handle = this.#files.handles.get(name);
    try {
      handle?.truncate(0);
      if (syncFolder) handle?.flush();
    } catch (error) {
      return this.#failed('remove', codes.IOERR_DELETE, error);
    }
    return codes.OK;
  }

  override jAccess(name: string, _flags: number, found: DataView): number {
    const handle = this.#files.handles.get(name);
    try {
      found.setInt32(0, handle && handle.getSize() > 0 ? 1 : 0, true);
    } catch (error) {
      return this.#failed('look for', codes.IOERR_ACCESS, error);
    }
    return codes.OK;
  }

  #failed(verb: string, code: number, error: unknown): number {
    this.lastError = failureOf(verb, code, error);
    return code;
  }

  /** Its handles are the lock: no other connection has any. */
  override jCheckReservedLock(_file: number, isReserved: DataView): number {
    isReserved.setInt32(0, 0, true);
    return codes.OK;
  }

  override async close(): Promise<void> {
    this.#open.clear();
    await this.#files.release();
  }
}

const NO_SPACE = 'cannot write: the space that the browser gives to this site is used up';

/** Does work on a handle, whose exceptions get a number of SQLite's. */
function attempt<Result>(verb: string, code: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw failureOf(verb, code, error);
  }
}

function failureOf(verb: string, code: number, error: unknown): codes.SQLiteFailure {
  const { name, message } = error as DOMException;
  if (name === 'QuotaExceededError') return new codes.SQLiteFailure(codes.FULL, NO_SPACE);
  // The browser or other code has closed the handle.
  const hint = name === 'InvalidStateError' ? '; close the database and open it again' : '';
  return new codes.SQLiteFailure(code, `cannot ${verb} a file in OPFS: ${message}${hint}`);
}
