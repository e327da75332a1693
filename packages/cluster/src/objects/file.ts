/** Files that are read or written: how they are opened, their versions, and the meaning of the system's errors. */
import { constants, readlinkSync, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { allowed, realPath } from './allowed.ts';
import { NotAllowed, ObjectError, ObjectMissing } from './errors.ts';
import { inTime } from './retry.ts';
import type { Limits } from './settings.ts';

/** Errors of shared file systems and of busy machines, that may pass. */
const TEMPORARY = new Set([
  'EAGAIN',
  'EBUSY',
  'EINTR',
  'EIO',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOMEM',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EREMOTEIO',
  'ESTALE',
  'ETIMEDOUT',
]);

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'the system denies access',
  EDQUOT: 'the quota is used up',
  EISDIR: 'this is a folder',
  ELOOP: 'symbolic links lead in a circle, or were changed',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no folder',
  EPERM: 'the system denies access',
  EROFS: 'the file system is read-only',
};

/** An error of the system as an error of the object. */
export function fileError(url: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (error instanceof ObjectError || typeof code !== 'string') return error;
  const reason = `${MEANINGS[code] ?? 'the file system failed'} (${code})`;
  const details = { code, temporary: TEMPORARY.has(code) };
  if (code === 'ENOENT' || code === 'ENOTDIR') return new ObjectMissing(url, reason, details);
  if (code === 'EACCES' || code === 'EPERM') return new NotAllowed(url, reason, details);
  return new ObjectError(url, reason, details);
}

/**
 * Without the device, which has another number on each machine that mounts the file system. With the time of the last change of
 * attributes, because a program can set that of the bytes back, as `touch` and `rsync` do, and not this one.
 */
export const versionOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string =>
  `"${size}-${mtimeNs}-${ctimeNs}-${ino}"`;

/** The path of an open file, where the system says it. */
function placeOf({ fd }: FileHandle): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** A file, the limits of calls about it, and the paths that this process may use. */
export class SharedFile {
  readonly url: string;
  readonly path: string;
  readonly limits: Limits;
  readonly #prefixes: readonly string[] | undefined;

  /** @param prefixes - Of URLs that this process may use; any unless given. */
  constructor(url: string, path: string, limits: Limits, prefixes?: readonly string[]) {
    this.url = url;
    this.path = path;
    this.limits = limits;
    this.#prefixes = prefixes;
  }

  permits(url: string): boolean {
    return this.#prefixes === undefined || allowed(url, this.#prefixes);
  }

  /** A call of the file system; on a shared one whose server is away it may never come back. */
  async call<T>(promise: Promise<T>): Promise<T> {
    const { url } = this;
    const { timeout } = this.limits;
    let late: (() => void) | undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      const error = new ObjectError(url, `the file system gave no answer for ${timeout / 1000} s`, {
        temporary: true,
        code: 'ETIMEDOUT',
      });
      late = () => reject(error);
    });
    try {
      return await inTime(Promise.race([promise, expired]), timeout, () => late!());
    } catch (error) {
      throw fileError(url, error);
    }
  }

  /** Opens the file to read it. */
  open(): Promise<FileHandle> {
    return this.openAt(this.path, (real) => this.permits(pathToFileURL(real).href), constants.O_RDONLY);
  }

  /**
   * Opens a path without symbolic links, and asks the system where the open file is: links may change in between.
   * Opening also makes NFS ask its server for the file's present attributes.
   *
   * @param permits - Whether this process may use the file at a path without symbolic links.
   * @param mode - Of a file that the flags make.
   */
  async openAt(path: string, permits: (real: string) => boolean, flags: number, mode?: number): Promise<FileHandle> {
    const denied = (): NotAllowed =>
      new NotAllowed(this.url, 'this process may not use it: it lies under none of its prefixes');
    let real: string;
    try {
      real = realPath(path);
    } catch (error) {
      throw fileError(this.url, error);
    }
    if (!permits(real)) throw denied();
    // A pipe would wait for a writer.
    const opening = open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
    const handle = await this.call(opening).catch((error: unknown) => {
      // One that comes too late is closed.
      void opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    });
    try {
      if (![real, `${real} (deleted)`].includes(placeOf(handle) ?? real)) throw denied();
      if (!(await this.call(handle.stat())).isFile()) throw new ObjectError(this.url, 'this is no regular file');
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}
