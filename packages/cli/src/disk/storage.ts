/** What `lanewise disk` asks of a file system, so that tests can cut its power; and the one of the system. */
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../command.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';

/** Names of files are bytes, and need not be text. */
export type Path = string | Buffer;

export interface Information {
  readonly size: number;
  /** Neither a folder nor a device. */
  readonly regular: boolean;
  /** Who may read and write it. */
  readonly mode: number;
  /** Two names of one file have the same. */
  readonly identity: string;
}

export interface StoredFile {
  /** For complaints. */
  readonly name: string;
  /** @returns how many bytes were read: 0 at the end. */
  read(buffer: Uint8Array, at: number): Promise<number>;
  /** @returns how many bytes were written. */
  write(buffer: Uint8Array, at: number): Promise<number>;
  /** Until all that was written is on the medium. Times and the like need not be. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface Storage {
  /** @returns nothing if there is no such file. */
  look(path: Path): Promise<Information | undefined>;
  open(path: Path, how: 'read' | 'change'): Promise<StoredFile>;
  /** @returns nothing if there is a file of that name already. */
  create(path: Path, mode: number): Promise<StoredFile | undefined>;
  /** What has the new name already is replaced. */
  rename(from: Path, to: Path): Promise<void>;
  remove(path: Path): Promise<void>;
  /** Until the names of the files in a folder are on the medium. */
  flushFolder(path: Path): Promise<void>;
}

/** The same folder, the same name, and something behind it. */
export const behind = (path: Path, suffix: string): Path =>
  typeof path === 'string' ? path + suffix : Buffer.concat([path, Buffer.from(suffix)]);

/** Of bytes, each is a character of Latin 1: so nothing is lost. */
export const folderOf = (path: Path): Path =>
  typeof path === 'string' ? dirname(path) : Buffer.from(dirname(path.toString('latin1')), 'latin1');

export const nameOf = (path: Path): string => printable(path.toString());

/** Fills the buffer. */
export async function readAll(file: StoredFile, buffer: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < buffer.length;) {
    const length = await file.read(buffer.subarray(done), at + done);
    if (length === 0) throw new Failure(`${file.name}: ends at byte ${at + done}, and was longer`);
    done += length;
  }
}

export async function writeAll(file: StoredFile, buffer: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < buffer.length;) done += await file.write(buffer.subarray(done), at + done);
}

/** Errors of the system get the name of the file, and become failures of the command. */
async function named<Result>(path: Path, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isSystemError(error) ? new Failure(`${nameOf(path)}: ${systemMessage(error)}`, { cause: error }) : error;
  }
}

const causedBy = (error: unknown, code: string): boolean =>
  error instanceof Failure && isSystemError(error.cause) && error.cause.code === code;

function fileOf(path: Path, handle: FileHandle): StoredFile {
  return {
    name: nameOf(path),
    read: async (buffer, at) => (await named(path, handle.read(buffer, 0, buffer.length, at))).bytesRead,
    write: async (buffer, at) => (await named(path, handle.write(buffer, 0, buffer.length, at))).bytesWritten,
    flush: () => named(path, handle.datasync()),
    close: () => named(path, handle.close()),
  };
}

export const system: Storage = {
  async look(path) {
    try {
      const found = await named(path, stat(path, { bigint: true }));
      const { size, mode, dev, ino } = found;
      return {
        size: Number(size),
        regular: found.isFile(),
        mode: Number(mode) & 0o777,
        identity: `${dev}:${ino}`,
      };
    } catch (error) {
      if (causedBy(error, 'ENOENT')) return undefined;
      throw error;
    }
  },
  async open(path, how) {
    return fileOf(path, await named(path, open(path, how === 'read' ? 'r' : 'r+')));
  },
  async create(path, mode) {
    try {
      return fileOf(path, await named(path, open(path, 'wx', mode)));
    } catch (error) {
      if (causedBy(error, 'EEXIST')) return undefined;
      throw error;
    }
  },
  rename: (from, to) => named(to, rename(from, to)),
  remove: (path) => named(path, rm(path)),
  async flushFolder(path) {
    // Windows opens no folders, and writes names down by itself.
    if (process.platform === 'win32') return;
    const handle = await named(path, open(path, 'r'));
    try {
      await named(path, handle.sync());
    } catch (error) {
      // Some file systems, of networks for example, have nothing to write down.
      if (!causedBy(error, 'EINVAL') && !causedBy(error, 'ENOTSUP')) throw error;
    } finally {
      await handle.close();
    }
  },
};
