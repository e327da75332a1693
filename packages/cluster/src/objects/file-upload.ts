/** Files that are written in parts beside their name, and get the name when they are complete. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, open, rename, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { realPath } from './allowed.ts';
import { NotAllowed, ObjectError, ObjectMissing } from './errors.ts';
import { fileError, versionOf, type SharedFile } from './file.ts';
import type { Upload } from './object.ts';
import { attempted } from './retry.ts';
import { checkNumber, checkParts } from './s3-upload.ts';

/** An id of an upload names the folder of its draft. */
function nameOf(id: string): string {
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) throw new RangeError('"id" expected an id of begin()');
  return id;
}

/** The entity tag of a part: where it lies, so that gaps are seen, and the inode of the draft, by which a completed file is known. */
const tagOf = (offset: number, length: number, inode: bigint): string => `"${offset}-${length}-${inode}"`;

/** The bytes that parts have together, and the one draft that they are in. */
function whole(parts: readonly { readonly number: number; readonly etag: string }[]): { size: number; inode: bigint } {
  let size = 0;
  let inode: string | undefined;
  for (const { number, etag } of parts) {
    const [, offset, length, its] = /^"(\d+)-(\d+)-(\d+)"$/.exec(etag) ?? [];
    if (Number(offset) !== size)
      throw new RangeError(`"parts" expected part ${number} to begin at ${size}, got ${etag}`);
    if ((inode ??= its) !== its)
      throw new RangeError(`"parts" expected part ${number} in the draft ${inode} of the others, got ${etag}`);
    size += Number(length);
  }
  return { size, inode: BigInt(inode!) };
}

/** Gives a file the group and the owner of another, as far as this user may. */
async function handDown({ uid, gid }: Stats, give: (owner: number, group: number) => Promise<void>): Promise<void> {
  const same = -1;
  for (const [owner, group] of [
    [same, gid],
    [uid, same],
  ])
    await give(owner, group).catch(() => undefined);
}

/** Only the worker may read a draft: it may be plaintext that is not authentic. */
const OWNER_ONLY = 0o600;

/** Bytes of a call of the system. Each call has its limit of time: a part may have gigabytes, and a disk be slow. */
const SLICE = 8 << 20;

export class FileUpload implements Upload {
  readonly #file: SharedFile;

  constructor(file: SharedFile) {
    this.#file = file;
  }

  /** The target without symbolic links: it is replaced where it is, and not the link. */
  #target(): string {
    if (!this.#file.permits(this.#file.url))
      throw new NotAllowed(this.#file.url, 'this process may not write it: it lies under none of its prefixes');
    try {
      return realPath(this.#file.path);
    } catch (error) {
      // The file itself need not be there.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new ObjectMissing(this.#file.url, 'there is no such folder (ENOENT)', { code: 'ENOENT' });
      throw fileError(this.#file.url, error);
    }
  }

  /**
   * The folder of an upload, beside the target, because a file is renamed within a file system only. The caller makes it, and the
   * worker of a part the draft in it, which so belongs to the workers. When an upload has been given up, its folder is gone, and no
   * part that comes late makes a draft again.
   */
  #folder(id: string): string {
    const target = this.#target();
    return join(dirname(target), `.${basename(target).slice(0, 100)}.lanewise-${nameOf(id)}`);
  }

  #draft(id: string): string {
    return join(this.#folder(id), 'draft');
  }

  /** Looks at the file that is replaced, if there is one. A file in its place is to differ in its content only. */
  async #replaced(): Promise<Stats | undefined> {
    const found: Stats | undefined = await stat(this.#target()).catch(() => undefined);
    if (found === undefined) return undefined;
    if (!found.isFile()) throw new ObjectError(this.#file.url, 'this is no regular file');
    if (found.nlink > 1)
      throw new ObjectError(
        this.#file.url,
        `the file has ${found.nlink} names (hard links), of which an upload would replace one: remove this one first`,
      );
    await this.#file.call(access(this.#target(), constants.W_OK));
    return found;
  }

  begin(signal?: AbortSignal): Promise<string> {
    return attempted(this.#file.limits, signal, async () => {
      const id = randomBytes(16).toString('hex');
      await this.#replaced();
      const folder = this.#folder(id);
      await this.#file.call(mkdir(folder));
      try {
        // A folder of Windows has the rights of the one that it is in.
        if (process.platform !== 'win32') await this.#share(folder);
        return id;
      } catch (error) {
        await rmdir(folder).catch(() => undefined);
        throw error;
      }
    });
  }

  /** Only users who may make files beside the target may make the draft. */
  async #share(folder: string): Promise<void> {
    const parent = await this.#file.call(stat(dirname(folder)));
    // Not by its path: another user who may write there could put a link in its place, and so have the rights of anything changed.
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await this.#file.call(open(folder, flags)).catch((error: unknown) => {
      const { code } = error as ObjectError;
      if (code !== 'ELOOP' && code !== 'ENOTDIR') throw error;
      throw new NotAllowed(this.#file.url, `a symbolic link lies in place of the folder of its draft: ${folder}`);
    });
    try {
      await handDown(parent, (owner, group) => handle.chown(owner, group));
      const own = await this.#file.call(handle.stat());
      if (own.mode !== parent.mode) await this.#file.call(handle.chmod(parent.mode & 0o7777));
    } finally {
      await this.#file.call(handle.close());
    }
  }

  async #open(id: string, create: number): Promise<FileHandle> {
    // O_DSYNC: a part is on the disk when its call ends. NFS then sends the bytes that were written and no more, where it would
    // otherwise send whole pages, and with them old bytes of a neighbour that another machine has written meanwhile.
    const flags = constants.O_RDWR | create | (constants.O_DSYNC ?? 0);
    const draft = this.#draft(id);
    try {
      // The target was checked, and the draft lies beside it: unless it is a link, which another user who may write there could make.
      return await this.#file.openAt(draft, (real) => real === draft, flags, OWNER_ONLY);
    } catch (error) {
      if (!(error instanceof NotAllowed)) throw error;
      if (error.code !== undefined) throw await this.#denied(draft, error);
      throw new NotAllowed(this.#file.url, `a symbolic link lies in place of its draft: ${draft}`);
    }
  }

  /** The draft, and not the target, denies access: it was made by another user, or its folder is one's own no more than the target's. */
  async #denied(draft: string, { code }: NotAllowed): Promise<NotAllowed> {
    const place = (await stat(draft).catch(() => undefined)) ? draft : dirname(draft);
    const found = await stat(place).catch(() => undefined);
    const owner = found
      ? ` belongs to user ${found.uid}, group ${found.gid}, mode ${(found.mode & 0o7777).toString(8)}`
      : '';
    return new NotAllowed(
      this.#file.url,
      `the system denies user ${process.geteuid?.() ?? 'of this worker'} the draft (${code}): ${place}${owner}; all workers need one user, who may write to the folder of the target`,
      code === undefined ? {} : { code },
    );
  }

  async part(id: string, number: number, offset: number, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
    nameOf(id);
    checkNumber(number);
    if (typeof offset !== 'number') throw new TypeError(`"offset" expected number, got type=${typeof offset}`);
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new RangeError(`"offset" expected integer from 0, got ${offset}`);
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`"bytes" expected Uint8Array, got type=${typeof bytes}`);
    return await attempted(this.#file.limits, signal, async () => {
      const handle = await this.#open(id, constants.O_CREAT);
      try {
        for (let written = 0; written < bytes.length;) {
          const { bytesWritten } = await this.#file.call(
            handle.write(bytes, written, Math.min(SLICE, bytes.length - written), offset + written),
          );
          written += bytesWritten;
        }
        return tagOf(offset, bytes.length, (await this.#file.call(handle.stat({ bigint: true }))).ino);
      } finally {
        await this.#file.call(handle.close());
      }
    });
  }

  async complete(
    id: string,
    parts: readonly { readonly number: number; readonly etag: string }[],
    signal?: AbortSignal,
  ): Promise<string> {
    nameOf(id);
    checkParts(parts);
    const { size, inode } = whole(parts);
    return await attempted(this.#file.limits, signal, async () => {
      try {
        return await this.#publish(id, size);
      } catch (error) {
        // A worker that died after the rename, or an attempt whose answer did not come, may have completed it.
        const now = await stat(this.#target(), { bigint: true }).catch(() => undefined);
        if (!(error instanceof ObjectMissing) || now?.ino !== inode) throw error;
        await rmdir(this.#folder(id)).catch(() => undefined);
        return versionOf(now);
      }
    });
  }

  async #publish(id: string, size: number): Promise<string> {
    const handle = await this.#open(id, 0);
    try {
      const draft = await this.#file.call(handle.stat());
      if (draft.size !== size)
        throw new ObjectError(this.#file.url, `the draft has ${draft.size} bytes, and its parts have ${size}`);
      await this.#permit(handle, id);
      await this.#file.call(handle.sync());
      await this.#file.call(rename(this.#draft(id), this.#target()));
      await this.#syncFolder();
      // Where only owners remove their folders, that of the upload stays, empty, and its caller removes it.
      await rmdir(this.#folder(id)).catch(() => undefined);
      return versionOf(await this.#file.call(handle.stat({ bigint: true })));
    } finally {
      await this.#file.call(handle.close());
    }
  }

  /** A target that is replaced hands down its mode, and its owner and group if this user may give them. */
  async #permit(handle: FileHandle, id: string): Promise<void> {
    const replaced = await this.#replaced();
    if (replaced === undefined) {
      await this.#file.call(handle.chmod(await this.#usualMode(id)));
      return;
    }
    await handDown(replaced, (owner, group) => handle.chown(owner, group));
    await this.#file.call(handle.chmod(replaced.mode & 0o777));
  }

  /** The mode of a file that this user makes there: the system knows the mask, and the access control list of the folder. */
  async #usualMode(id: string): Promise<number> {
    const path = join(this.#folder(id), 'mode');
    // An attempt before this one may have left it.
    await unlink(path).catch(() => undefined);
    const probe = await this.#file.call(open(path, 'wx', 0o666));
    try {
      return (await this.#file.call(probe.stat())).mode & 0o777;
    } finally {
      await probe.close();
      await this.#file.call(unlink(path));
    }
  }

  /** The new name is on the disk, too. Systems that cannot do that for folders keep names by themselves. */
  async #syncFolder(): Promise<void> {
    const folder = await open(dirname(this.#target())).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  async abort(id: string): Promise<void> {
    const folder = this.#folder(id);
    await attempted(this.#file.limits, undefined, async () => {
      const found = await this.#file.call(lstat(folder)).catch((error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
      });
      // The target of a link in its place isn't the upload's.
      if (!found?.isDirectory()) return;
      for (const remove of [
        () => unlink(join(folder, 'draft')),
        () => unlink(join(folder, 'mode')),
        () => rmdir(folder),
      ])
        await this.#file.call(remove()).catch((error: unknown) => {
          if (!(error instanceof ObjectMissing)) throw this.#again(error);
        });
    });
  }

  /** A part that is being written can make the draft anew before the folder is gone; on NFS it stays until it is closed. */
  #again(error: unknown): unknown {
    const { code = '' } = error as ObjectError;
    if (!['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(code)) return error;
    return new ObjectError(this.#file.url, `its draft is still being written (${code})`, { code, temporary: true });
  }
}
