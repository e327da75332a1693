/** The operations of a file system that `lanewise disk` uses, as an interface that tests can simulate; and the system's own. */
import { constants, type BigIntStats } from 'node:fs';
import { access, link, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Failure } from '../command.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';
import { processes, type Processes } from './process-identity.ts';

/** File names are bytes and need not be valid UTF-8. */
export type Path = string | Buffer;

export interface Information {
  readonly size: number;
  /** Whether it is a regular file: neither a folder nor a device. */
  readonly regular: boolean;
  /** Who may read and write it. */
  readonly mode: number;
  /** Whose it is: the numbers of a user and of a group. */
  readonly owner: number;
  readonly group: number;
  /** Two names of one file have the same device and inode. */
  readonly device: string;
  readonly inode: string;
  /** How many names the file has. */
  readonly links: number;
  /** When the content was last changed, in nanoseconds. */
  readonly modified: bigint;
}

export interface StoredFile {
  /** For messages. */
  readonly name: string;
  /** The number by which the threads of this process reach it; undefined if it is none of the system's. */
  readonly descriptor?: number;
  /** @returns how many bytes were read: 0 at the end. */
  read(buffer: Uint8Array, at: number): Promise<number>;
  /** @returns how many bytes were written. */
  write(buffer: Uint8Array, at: number): Promise<number>;
  /** Resolves when all written content is on the medium; metadata such as times need not be. */
  flush(): Promise<void>;
  look(): Promise<Information>;
  /** Gives the file to a user and a group. @returns false if this user may not do that. */
  give(owner: number, group: number): Promise<boolean>;
  /** Sets who may read and write it. @returns false if the file system cannot do that. */
  permit(mode: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface Storage {
  readonly processes: Processes;
  /** @returns undefined if there is no such file. */
  look(path: Path): Promise<Information | undefined>;
  /** @throws Failure if this user may not write to a file or folder. */
  checkWritable(path: Path): Promise<void>;
  open(path: Path, how: 'read' | 'change'): Promise<StoredFile>;
  /** @returns undefined if a file of that name exists. */
  create(path: Path, mode: number): Promise<StoredFile | undefined>;
  /** Replaces a file that has the new name. */
  rename(from: Path, to: Path): Promise<void>;
  /** @returns whether `from` has a second name now; `taken` if a file of that name exists. */
  link(from: Path, to: Path): Promise<'linked' | 'taken' | 'unsupported'>;
  remove(path: Path): Promise<void>;
  /** @returns the names in a folder. */
  list(folder: Path): Promise<Buffer[]>;
  /** Resolves when the names of the files in a folder are on the medium. */
  flushFolder(path: Path): Promise<void>;
}

/** The path with a suffix appended to the name. */
export const behind = (path: Path, suffix: string): Path =>
  typeof path === 'string' ? path + suffix : Buffer.concat([path, Buffer.from(suffix)]);

/** Bytes become Latin-1 characters, which loses nothing. */
export const folderOf = (path: Path): Path =>
  typeof path === 'string' ? dirname(path) : Buffer.from(dirname(path.toString('latin1')), 'latin1');

/** The name without its folder. */
export const lastNameOf = (path: Path): Buffer => Buffer.from(basename(Buffer.from(path).toString('latin1')), 'latin1');

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

export const isSameFile = (one: Information | undefined, other: Information | undefined): boolean =>
  one !== undefined && one.device === other?.device && one.inode === other.inode;

/** @returns false if a file of the new name exists, which is not replaced. */
export async function renameToNew(storage: Storage, from: Path, to: Path): Promise<boolean> {
  switch (await storage.link(from, to)) {
    case 'linked':
      await storage.remove(from);
      return true;
    case 'taken':
      return false;
    case 'unsupported':
      // FAT has no hard links. The lock keeps other runs away from the new name.
      if (await storage.look(to)) return false;
      await storage.rename(from, to);
      return true;
  }
}

/** Errors of the system get the name of the file, and become failures of the command. */
async function named<Result>(path: Path, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isSystemError(error) ? new Failure(`${nameOf(path)}: ${systemMessage(error)}`, { cause: error }) : error;
  }
}

export const isCausedBy = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Failure && isSystemError(error.cause) && codes.includes(error.cause.code ?? '');

const informationOf = (found: BigIntStats): Information => ({
  size: Number(found.size),
  regular: found.isFile(),
  mode: Number(found.mode) & 0o777,
  owner: Number(found.uid),
  group: Number(found.gid),
  device: String(found.dev),
  inode: String(found.ino),
  links: Number(found.nlink),
  modified: found.mtimeNs,
});

/** @returns false if the file system, or the user's permissions, are not made for that. */
async function isPossible(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isCausedBy(error, 'EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP')) return false;
    throw error;
  }
}

function fileOf(path: Path, handle: FileHandle): StoredFile {
  return {
    name: nameOf(path),
    descriptor: handle.fd,
    read: async (buffer, at) => (await named(path, handle.read(buffer, 0, buffer.length, at))).bytesRead,
    write: async (buffer, at) => (await named(path, handle.write(buffer, 0, buffer.length, at))).bytesWritten,
    flush: () => named(path, handle.datasync()),
    look: async () => informationOf(await named(path, handle.stat({ bigint: true }))),
    give: (owner, group) => isPossible(named(path, handle.chown(owner, group))),
    permit: (mode) => isPossible(named(path, handle.chmod(mode))),
    close: () => named(path, handle.close()),
  };
}

export const system: Storage = {
  processes,
  async look(path) {
    try {
      return informationOf(await named(path, stat(path, { bigint: true })));
    } catch (error) {
      if (isCausedBy(error, 'ENOENT')) return undefined;
      throw error;
    }
  },
  checkWritable: (path) => named(path, access(path, constants.W_OK)),
  async open(path, how) {
    return fileOf(path, await named(path, open(path, how === 'read' ? 'r' : 'r+')));
  },
  async create(path, mode) {
    try {
      return fileOf(path, await named(path, open(path, 'wx', mode)));
    } catch (error) {
      if (isCausedBy(error, 'EEXIST')) return undefined;
      throw error;
    }
  },
  rename: (from, to) => named(to, rename(from, to)),
  async link(from, to) {
    try {
      await named(to, link(from, to));
      return 'linked';
    } catch (error) {
      if (isCausedBy(error, 'EEXIST')) return 'taken';
      if (isCausedBy(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) return 'unsupported';
      throw error;
    }
  },
  list: (folder) => named(folder, readdir(folder, { encoding: 'buffer' })),
  remove: (path) => named(path, rm(path)),
  async flushFolder(path) {
    // Windows cannot open folders, and flushes names by itself.
    if (process.platform === 'win32') return;
    const handle = await named(path, open(path, 'r'));
    try {
      await named(path, handle.sync());
    } catch (error) {
      // Some file systems, network file systems for example, cannot flush folders.
      if (!isCausedBy(error, 'EINVAL', 'ENOTSUP')) throw error;
    } finally {
      await handle.close();
    }
  },
};
