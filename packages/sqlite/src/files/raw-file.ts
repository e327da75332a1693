/** The encrypted bytes of a file, as a VFS keeps them. */
import { FCNTL_SYNC, IOERR_SHORT_READ, NOTFOUND, OK, SQLiteFailure } from '../codes.ts';
import type { Steps } from '../steps.ts';

/** The bytes of a file on its medium. */
export interface RawFile {
  /** Fills `into` with the bytes from `at` on. Returns whether there were that many: zeros stand for those after the end. */
  read(into: Uint8Array, at: number): Steps<boolean>;
  write(bytes: Uint8Array, at: number): Steps<void>;
  truncate(size: number): Steps<void>;
  /** @param flags - SQLite's, if it asks for this. Otherwise the bytes are of no transaction of its. */
  sync(flags?: number): Steps<void>;
  size(): Steps<number>;
}

type Code = number | Promise<number>;

/** The calls of a VFS for one kind of file: those of `FacadeVFS` in wa-sqlite. */
export interface FileCalls {
  jRead(file: number, into: Uint8Array, at: number): Code;
  jWrite(file: number, bytes: Uint8Array, at: number): Code;
  jTruncate(file: number, size: number): Code;
  jSync(file: number, flags: number): Code;
  jFileSize(file: number, size: DataView): Code;
  jFileControl(file: number, operation: number, argument: DataView): Code;
  /** Why the last call failed, as far as the VFS tells. */
  reason?(): string | undefined;
}

/** `SQLITE_SYNC_FULL`: the header of a file goes to the medium before its first page. */
const SYNC_FULL = 3;

/** A file of a VFS that holds encrypted bytes. */
export class BaseFile implements RawFile {
  readonly #calls: FileCalls;
  readonly #file: number;
  readonly #size = new DataView(new ArrayBuffer(8));

  constructor(calls: FileCalls, file: number) {
    this.#calls = calls;
    this.#file = file;
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    const answer = this.#calls.jRead(this.#file, into, at);
    const code = typeof answer === 'number' ? answer : yield answer;
    if (code === IOERR_SHORT_READ) return false;
    this.#check(code, 'read');
    return true;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const answer = this.#calls.jWrite(this.#file, bytes, at);
    this.#check(typeof answer === 'number' ? answer : yield answer, 'write');
  }

  *truncate(size: number): Steps<void> {
    this.#check(yield this.#calls.jTruncate(this.#file, size), 'truncate');
  }

  *sync(flags?: number): Steps<void> {
    // SQLite says so before it flushes a database, and a VFS may take that for the end of a transaction.
    if (flags === undefined) {
      const code = yield this.#calls.jFileControl(this.#file, FCNTL_SYNC, this.#size);
      if (code !== NOTFOUND) this.#check(code, 'commit');
    }
    this.#check(yield this.#calls.jSync(this.#file, flags ?? SYNC_FULL), 'flush');
  }

  *size(): Steps<number> {
    this.#check(yield this.#calls.jFileSize(this.#file, this.#size), 'tell the size');
    return Number(this.#size.getBigInt64(0, true));
  }

  #check(code: unknown, verb: string): void {
    const number = code as number;
    if (number !== OK) throw new SQLiteFailure(number, `cannot ${verb}: ${this.#calls.reason?.() ?? `code ${number}`}`);
  }
}
