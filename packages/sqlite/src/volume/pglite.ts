/** A file system for PGlite whose files are encrypted. */
import { BaseFilesystem, type FsStats } from '@electric-sql/pglite/basefs';
import { refuseSurplus } from '../values.ts';
import { FileFailure, type FailureCode } from './failure.ts';
import { EncryptedFileSystem } from './file-system.ts';
import { openVolume, type FileSystemBase, type FileSystemOptions } from './options.ts';

/** Numbers of errors as PGlite's build has them (WASI, `errno`). */
const NUMBERS: Readonly<Record<FailureCode, number>> = {
  EBADF: 8,
  EEXIST: 20,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ENFILE: 41,
  ENOENT: 44,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
};

/** Pages of PostgreSQL. */
const PAGE_SIZE = 8192;
/** A new database has about a thousand files, and a transaction may make some. */
const ROOM = 1200;
const LEAST_ROOM = 100;

/** PGlite gives the memory of its build: views of any type, or its buffer. */
function bytesOf(memory: Uint8Array | ArrayBuffer): Uint8Array {
  if (ArrayBuffer.isView(memory)) return new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
  return new Uint8Array(memory);
}

/** The file system that {@link encryptedPGlite} makes: `PGlite.create({ fs })` calls it. */
export class EncryptedPGlite extends BaseFilesystem {
  /** The encrypted files themselves: `check()` and `rekey()` are there. */
  readonly files: EncryptedFileSystem;
  #failure: string | undefined;

  /** @internal */
  constructor(files: EncryptedFileSystem) {
    super();
    this.files = files;
  }

  /** Why the last call failed that did so for another reason than a missing file; PostgreSQL's message tells only the kind. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Does a call, whose errors get the numbers of PGlite's build. */
  #call<Result>(call: () => Result): Result {
    try {
      return call();
    } catch (error) {
      const { message } = error as Error;
      const code = error instanceof FileFailure ? error.code : 'EIO';
      if (code !== 'ENOENT') this.#failure = message;
      throw Object.assign(new Error(message, { cause: error }), { code: NUMBERS[code] });
    }
  }

  override async syncToFs(): Promise<void> {
    this.files.sync();
    if (this.files.room < LEAST_ROOM) await this.files.reserve(2 * LEAST_ROOM);
  }

  override closeFs(): Promise<void> {
    this.files.unmount();
    return Promise.resolve();
  }

  chmod(path: string, mode: number): void {
    this.#call(() => this.files.chmod(path, mode & 0o7777));
  }

  close(fd: number): void {
    this.#call(() => this.files.close(fd));
  }

  fstat(fd: number): FsStats {
    return this.#call(() => this.files.fstat(fd));
  }

  lstat(path: string): FsStats {
    return this.#call(() => this.files.lstat(path));
  }

  mkdir(path: string, options?: { recursive?: boolean; mode?: number }): void {
    this.#call(() => this.files.mkdir(path, options));
  }

  open(path: string): number {
    return this.#call(() => this.files.open(path, 'r+'));
  }

  readdir(path: string): string[] {
    return this.#call(() => this.files.readdir(path));
  }

  read(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number {
    return this.#call(() => this.files.read(fd, bytesOf(buffer), offset, length, position));
  }

  rename(from: string, to: string): void {
    this.#call(() => this.files.rename(from, to));
  }

  rmdir(path: string): void {
    this.#call(() => this.files.rmdir(path));
  }

  truncate(path: string, length: number): void {
    this.#call(() => this.files.truncate(path, length));
  }

  unlink(path: string): void {
    this.#call(() => this.files.unlink(path));
  }

  utimes(path: string, atime: number, mtime: number): void {
    this.#call(() => this.files.utimes(path, atime, mtime));
  }

  writeFile(path: string, data: string | Uint8Array, options?: { mode?: number }): void {
    this.#call(() => this.files.writeFile(path, data, { mode: options?.mode }));
  }

  write(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number {
    return this.#call(() => this.files.write(fd, bytesOf(buffer), offset, length, position));
  }
}

/**
 * Makes a file system for [PGlite](https://pglite.dev) whose files are encrypted: in a folder of OPFS, in a dedicated worker, or in one of a
 * file system with the calls of `node:fs`.
 *
 * @param base - As for `encryptedFileSystem` of `@lanewise/sqlite/files.js`. The folder is for this database alone.
 * @param options - {@link FileSystemOptions}: `key`, and `pageSize` (8192 unless given) or `costs`.
 * @throws TypeError or RangeError if an argument isn't of that form; Error if the key is wrong, or the header or the names were changed. Then
 * nothing was written.
 * @example
 * ```ts
 * import * as node from 'node:fs';
 * import { PGlite } from '@electric-sql/pglite';
 * import { encryptedPGlite } from '@lanewise/sqlite/pglite.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const fs = await encryptedPGlite({ fs: node, folder: 'database' }, { key: randomBytes(32) });
 * const db = await PGlite.create({ fs });
 * await db.exec("create table notes(text text); insert into notes values ('remember the milk')");
 * await db.close();
 * node.rmSync('database', { recursive: true });
 * ```
 */
export async function encryptedPGlite(base: FileSystemBase, options: FileSystemOptions): Promise<EncryptedPGlite> {
  refuseSurplus(arguments, 2);
  return new EncryptedPGlite(new EncryptedFileSystem(await openVolume(base, options, PAGE_SIZE, ROOM)));
}
