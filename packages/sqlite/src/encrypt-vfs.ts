/** A VFS of wa-sqlite whose files are encrypted. */
import * as codes from './codes.ts';
import { BLOCK_BYTES } from './files/blocks.ts';
import type { EncryptedFile } from './files/encrypted-file.ts';
import type { DatabaseKey } from './keys/user-key.ts';
import { OpenFiles, type OpenCalls } from './open-files.ts';
import type { Settings } from './options.ts';
import { load, loadFor } from './parts.ts';
import { run, type Steps } from './steps.ts';

type Code = number | Promise<number>;

/** The calls of a VFS that this one wraps: `FacadeVFS` of wa-sqlite has all of them. */
export interface BaseVFS extends OpenCalls {
  readonly name: string;
  /** Why the last call failed: most VFS of wa-sqlite keep it. */
  lastError?: Error | null | undefined;
  hasAsyncMethod(name: string): boolean;
  isReady(): boolean | Promise<boolean>;
  jGetLastError(into: Uint8Array): Code;
  jLock(file: number, level: number): Code;
  jUnlock(file: number, level: number): Code;
  jSectorSize(file: number): Code;
  jDeviceCharacteristics(file: number): Code;
}

/** A class of wa-sqlite that extends `FacadeVFS`. Its types don't list the calls of {@link BaseVFS}, so these are checked when it is given. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- constructors of mixins take any arguments
export type BaseClass = new (...args: any[]) => Pick<BaseVFS, 'name'>;

/** The members of an encrypted VFS beside the calls of its base. */
export interface EncryptedVFS {
  /** Why the last call failed; SQLite's own message tells only the kind. */
  readonly failure: string | undefined;
  /** @internal From now on `failure` is that of later calls. */
  forgetFailure(): void;
  /** Lets an open database be opened by another key from now on. */
  rekey(path: string, key: DatabaseKey): void | Promise<void>;
  /** Wipes the key as soon as the files that are open are closed. They go on until then; no other can be opened. */
  destroy(): void;
}

/** The class that `encryptVFS` makes, with the static members of its base. */
export type EncryptedClass<Base extends BaseClass> = (new (
  ...args: ConstructorParameters<Base>
) => InstanceType<Base> & EncryptedVFS) &
  Omit<Base, 'prototype' | 'create'> & {
    /** Makes an encrypted VFS, and waits until it is ready and the parts of its mode are loaded. */
    create(...args: ConstructorParameters<Base>): Promise<InstanceType<Base> & EncryptedVFS>;
  };

/** Calls that answer later where the file system does. */
export const FILE_CALLS = ['xOpen', 'xClose', 'xRead', 'xWrite', 'xTruncate', 'xSync', 'xFileSize'];

/** The class of checked settings. */
export function encryptedClass<Base extends BaseClass>(Base: Base, settings: Settings): EncryptedClass<Base> {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  const Facade = Base as unknown as new (...args: any[]) => BaseVFS;
  const prototype = Facade.prototype as BaseVFS;
  const isAsync = FILE_CALLS.some((name) => prototype.hasAsyncMethod(name));
  /** SQLite waits for all calls or for none: a VFS may have some that answer at once. */
  const inTime = (code: Code): Code => (isAsync && typeof code === 'number' ? Promise.resolve(code) : code);
  // A journal that was in memory comes in parts of any size, in which this mode doesn't find the pages.
  const safe = settings.mode === 'sqlite3mc' ? SAFE & ~codes.IOCAP_BATCH_ATOMIC : SAFE;

  class Encrypted extends Facade implements EncryptedVFS {
    /** The classes of wa-sqlite name themselves in their own `create`, which would make a VFS that encrypts nothing. */
    static async create(...args: unknown[]): Promise<Encrypted> {
      await Promise.all([loadFor(settings), load('temporary')]);
      const vfs = new this(...args);
      try {
        await vfs.isReady();
      } catch (error) {
        throw await (await import('./held.ts')).held(vfs, error);
      }
      return vfs;
    }

    #failure: string | undefined;
    /** Files that could not be opened: SQLite's build closes them all the same, and not every base knows them. */
    readonly #unopened = new Set<number>();
    readonly #files = new OpenFiles(settings, {
      jOpen: (name, file, flags, outFlags) => super.jOpen(name, file, flags, outFlags),
      jClose: (file) => super.jClose(file),
      jRead: (file, into, at) => super.jRead(file, into, at),
      jWrite: (file, bytes, at) => super.jWrite(file, bytes, at),
      jTruncate: (file, size) => super.jTruncate(file, size),
      jSync: (file, flags) => super.jSync(file, flags),
      jFileSize: (file, size) => super.jFileSize(file, size),
      jFileControl: (file, operation, argument) => super.jFileControl(file, operation, argument),
      reason: () => this.lastError?.message,
    });

    get failure(): string | undefined {
      return this.#failure ?? this.lastError?.message;
    }

    forgetFailure(): void {
      this.#failure = this.lastError = undefined;
    }

    rekey(path: string, key: DatabaseKey): void | Promise<void> {
      return run(this.#files.rekey(path, key));
    }

    destroy(): void {
      this.#files.destroy();
    }

    /** Runs steps for a number of SQLite's. */
    #code(steps: Steps<unknown>, otherwise: number): Code {
      try {
        const outcome = run(steps);
        return outcome instanceof Promise
          ? outcome.then(codeOf, (error: unknown) => this.#failed(error, otherwise))
          : inTime(codeOf(outcome));
      } catch (error) {
        return inTime(this.#failed(error, otherwise));
      }
    }

    #failed(error: unknown, otherwise: number): number {
      this.#failure = (error as Error | undefined)?.message;
      return error instanceof codes.SQLiteFailure ? error.code : otherwise;
    }

    override hasAsyncMethod(name: string): boolean {
      return FILE_CALLS.includes(name) ? isAsync : prototype.hasAsyncMethod(name);
    }

    override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): Code {
      return this.#code(this.#opened(file, this.#files.open(name, file, flags, outFlags)), codes.CANTOPEN);
    }

    *#opened(file: number, steps: Steps<number>): Steps<number> {
      this.#unopened.add(file);
      const code = yield* steps;
      if (code === codes.OK) this.#unopened.delete(file);
      return code;
    }

    override jClose(file: number): Code {
      if (this.#unopened.delete(file)) return inTime(codes.OK);
      if (!this.#files.get(file)) return inTime(super.jClose(file));
      return this.#code(this.#files.close(file), codes.IOERR_CLOSE);
    }

    override jRead(file: number, into: Uint8Array, at: number): Code {
      const open = this.#files.get(file);
      if (!open) return inTime(super.jRead(file, into, at));
      return this.#code(isAsync ? readLater(open, into, at) : open.read(into.subarray(), at), codes.IOERR_READ);
    }

    override jWrite(file: number, bytes: Uint8Array, at: number): Code {
      const open = this.#files.get(file);
      if (!open) return inTime(super.jWrite(file, bytes, at));
      return this.#changed(open, open.write(isAsync ? bytes.slice() : bytes.subarray(), at), codes.IOERR_WRITE);
    }

    override jTruncate(file: number, size: number): Code {
      const open = this.#files.get(file);
      if (!open) return inTime(super.jTruncate(file, size));
      return this.#changed(open, open.truncate(size), codes.IOERR_TRUNCATE);
    }

    /** Runs the steps that change a file, and before them those for bytes of other files: a journal comes before its database. */
    #changed(file: EncryptedFile, steps: Steps<void>, otherwise: number): Code {
      return this.#code(this.#files.waiting(file) ? this.#flushed(file, steps) : steps, otherwise);
    }

    *#flushed(file: EncryptedFile, steps: Steps<void>): Steps<void> {
      for (let other; (other = this.#files.waiting(file));) yield* other.flush();
      yield* steps;
    }

    override jSync(file: number, flags: number): Code {
      const open = this.#files.get(file);
      if (!open) return inTime(super.jSync(file, flags));
      return this.#changed(open, open.sync(flags), codes.IOERR_FSYNC);
    }

    override jLock(file: number, level: number): Code {
      if (level === codes.LOCK_SHARED) this.#files.release(file);
      return super.jLock(file, level);
    }

    override jUnlock(file: number, level: number): Code {
      this.#files.release(file);
      return super.jUnlock(file, level);
    }

    override jFileSize(file: number, size: DataView): Code {
      const open = this.#files.get(file);
      if (!open) return inTime(super.jFileSize(file, size));
      return this.#code(tellSize(open, size), codes.IOERR_FSTAT);
    }

    override jFileControl(file: number, operation: number, argument: DataView): Code {
      // Sizes that SQLite hints at are those of plaintext.
      if (this.#files.get(file) && (operation === codes.FCNTL_SIZE_HINT || operation === codes.FCNTL_CHUNK_SIZE))
        // 0 isn't an operation of SQLite: the base answers at once or later, as it does.
        return mapped(super.jFileControl(file, 0, argument), () => codes.OK);
      // The file has its former size again.
      if (operation === codes.FCNTL_ROLLBACK_ATOMIC_WRITE) this.#files.release(file);
      return super.jFileControl(file, operation, argument);
    }

    /** A write of less than a block replaces all of it, so SQLite goes on in another block after each flush. */
    override jSectorSize(file: number): Code {
      return mapped(super.jSectorSize(file), (size) => Math.max(size, BLOCK_BYTES));
    }

    override jDeviceCharacteristics(file: number): Code {
      return mapped(super.jDeviceCharacteristics(file), (its) => its & safe);
    }

    override jGetLastError(into: Uint8Array): Code {
      const { failure } = this;
      if (failure === undefined || into.length === 0) return super.jGetLastError(into);
      into.fill(0);
      into.set(new TextEncoder().encode(failure).subarray(0, into.length - 1));
      return codes.OK;
    }
  }
  return Encrypted as unknown as EncryptedClass<Base>;
}

const mapped = (code: Code, work: (code: number) => number): Code =>
  typeof code === 'number' ? work(code) : code.then(work);

/** Characteristics that encrypted files have if their bytes on the medium do. */
const SAFE =
  codes.IOCAP_SEQUENTIAL | codes.IOCAP_IMMUTABLE | codes.IOCAP_UNDELETABLE_WHEN_OPEN | codes.IOCAP_BATCH_ATOMIC;

/** Steps end with a number of SQLite's, or whether all bytes were read, or nothing. */
const codeOf = (outcome: unknown): number =>
  typeof outcome === 'number' ? outcome : outcome === false ? codes.IOERR_SHORT_READ : codes.OK;

function* tellSize(file: EncryptedFile, into: DataView): Steps<void> {
  into.setBigInt64(0, BigInt(yield* file.size()), true);
}

/** SQLite's memory may grow, and its views with it, while a file system answers: bytes go there in one step. */
function* readLater(file: EncryptedFile, into: Uint8Array, at: number): Steps<boolean> {
  const bytes = new Uint8Array(into.length);
  try {
    const isWhole = yield* file.read(bytes, at);
    into.set(bytes);
    return isWhole;
  } finally {
    bytes.fill(0);
  }
}
