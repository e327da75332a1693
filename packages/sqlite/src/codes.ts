/** Constants of SQLite's C interface (sqlite.org/c3ref/constlist.html), as far as they are used. */

export const OK = 0;
export const ERROR = 1;
export const BUSY = 5;
export const READONLY = 8;
export const FULL = 13;
export const CANTOPEN = 14;
export const NOTFOUND = 12;
export const NOTADB = 26;
export const IOERR = 10;
export const IOERR_READ = 266;
export const IOERR_SHORT_READ = 522;
export const IOERR_WRITE = 778;
export const IOERR_FSYNC = 1034;
export const IOERR_TRUNCATE = 1546;
export const IOERR_FSTAT = 1802;
export const IOERR_DELETE = 2570;
export const IOERR_ACCESS = 3338;
export const IOERR_CLOSE = 4106;
export const IOERR_LOCK = 3850;
/** Bytes that aren't those which were written. */
export const IOERR_DATA = 8202;

export const OPEN_READONLY = 0x1;
export const OPEN_READWRITE = 0x2;
export const OPEN_CREATE = 0x4;
export const OPEN_DELETEONCLOSE = 0x8;
export const OPEN_EXCLUSIVE = 0x10;
export const OPEN_URI = 0x40;
export const OPEN_MEMORY = 0x80;
export const OPEN_MAIN_DB = 0x100;
export const OPEN_TEMP_DB = 0x200;
export const OPEN_TRANSIENT_DB = 0x400;
export const OPEN_MAIN_JOURNAL = 0x800;
export const OPEN_TEMP_JOURNAL = 0x1000;
export const OPEN_SUBJOURNAL = 0x2000;
export const OPEN_SUPER_JOURNAL = 0x4000;
export const OPEN_WAL = 0x80000;
/** Files beside a database that belong to it. */
export const OPEN_OF_A_DATABASE = OPEN_MAIN_JOURNAL | OPEN_WAL | OPEN_SUPER_JOURNAL;

export const ACCESS_EXISTS = 0;

export const LOCK_NONE = 0;
export const LOCK_SHARED = 1;
export const LOCK_RESERVED = 2;
export const LOCK_PENDING = 3;
export const LOCK_EXCLUSIVE = 4;

export const FCNTL_SIZE_HINT = 5;
export const FCNTL_CHUNK_SIZE = 6;
export const FCNTL_PRAGMA = 14;
export const FCNTL_HAS_MOVED = 20;
export const FCNTL_SYNC = 21;
export const FCNTL_ROLLBACK_ATOMIC_WRITE = 33;
export const FCNTL_RESERVE_BYTES = 38;

export const IOCAP_ATOMIC4K = 0x10;
export const IOCAP_SEQUENTIAL = 0x400;
export const IOCAP_UNDELETABLE_WHEN_OPEN = 0x800;
export const IOCAP_IMMUTABLE = 0x2000;
export const IOCAP_BATCH_ATOMIC = 0x4000;

/** An error that SQLite has a number for. Its message goes to SQLite's user, and holds no secret. */
export class SQLiteFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
