/** Files that are written in parts beside their name, and get the name when they are complete. */
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { allowed, realPath } from './allowed.ts';
import { NotAllowed, ObjectError, ObjectMissing } from './errors.ts';
import { call, fileError, openFile, versionOf } from './file.ts';
import type { Upload } from './object.ts';
import { attempted } from './retry.ts';
import { checkNumber, checkParts } from './s3-upload.ts';
import type { Limits } from './settings.ts';

/** An id of an upload names its draft, and the draft's inode, by which a completed file is recognized. */
function parseId(id: string): { name: string; inode: string } {
  const match = typeof id === 'string' ? /^([0-9a-f]{32})\.(\d{1,20})$/.exec(id) : null;
  if (match === null) throw new RangeError('"id" expected an id of begin()');
  return { name: match[1], inode: match[2] };
}

/** The entity tag of a part: where it lies, so that gaps are seen. */
const tagOf = (offset: number, length: number): string => `"${offset}-${length}"`;

/** Bytes of a call of the system, each of which has its limit of time: a part may have gigabytes, and a disk be slow. */
const SLICE = 8 << 20;

export class FileUpload implements Upload {
  readonly #url: string;
  readonly #path: string;
  readonly #limits: Limits;
  readonly #prefixes: readonly string[] | undefined;

  constructor(url: string, path: string, limits: Limits, prefixes?: readonly string[]) {
    this.#url = url;
    this.#path = path;
    this.#limits = limits;
    this.#prefixes = prefixes;
  }

  /** The target without symbolic links: it is replaced where it is, and not the link. */
  #target(): string {
    if (this.#prefixes !== undefined && !allowed(this.#url, this.#prefixes))
      throw new NotAllowed(this.#url, 'this process may not write it: it lies under none of its prefixes');
    try {
      return realPath(this.#path);
    } catch (error) {
      // The file itself need not be there.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new ObjectMissing(this.#url, 'there is no such folder (ENOENT)', { code: 'ENOENT' });
      throw fileError(this.#url, error);
    }
  }

  /** In the folder of the target, because a file is renamed within a file system only. */
  #draft(name: string): string {
    const target = this.#target();
    return join(dirname(target), `.${basename(target).slice(0, 100)}.lanewise-${name}`);
  }

  #call<T>(promise: Promise<T>): Promise<T> {
    return call(this.#url, this.#limits, promise);
  }

  /** A target that is replaced hands down who may read it. */
  async #mode(): Promise<number> {
    const before: Stats | undefined = await stat(this.#target()).catch(() => undefined);
    if (before?.isFile() === false) throw new ObjectError(this.#url, 'this is no regular file');
    return before === undefined ? 0o666 : before.mode & 0o777;
  }

  begin(signal?: AbortSignal): Promise<string> {
    return attempted(this.#limits, signal, async () => {
      const name = randomBytes(16).toString('hex');
      const handle = await this.#call(open(this.#draft(name), 'wx', await this.#mode()));
      try {
        const { ino } = await this.#call(handle.stat({ bigint: true }));
        return `${name}.${ino}`;
      } catch (error) {
        await unlink(this.#draft(name)).catch(() => undefined);
        throw error;
      } finally {
        await handle.close();
      }
    });
  }

  #open(name: string): Promise<FileHandle> {
    // O_DSYNC: a part is on the disk when its call ends. NFS then sends the bytes that were written and no more, where it would
    // otherwise send whole pages, and with them old bytes of a neighbour that another machine has written meanwhile.
    const flags = constants.O_RDWR | (constants.O_DSYNC ?? 0);
    // The target was checked, and the draft lies beside it.
    return openFile(this.#url, this.#draft(name), this.#limits, undefined, flags);
  }

  async part(id: string, number: number, offset: number, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
    const { name } = parseId(id);
    checkNumber(number);
    if (typeof offset !== 'number') throw new TypeError(`"offset" expected number, got ${typeof offset}`);
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new RangeError(`"offset" expected integer from 0, got ${offset}`);
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`"bytes" expected Uint8Array, got ${typeof bytes}`);
    return await attempted(this.#limits, signal, async () => {
      const handle = await this.#open(name);
      try {
        for (let written = 0; written < bytes.length;) {
          const { bytesWritten } = await this.#call(
            handle.write(bytes, written, Math.min(SLICE, bytes.length - written), offset + written),
          );
          written += bytesWritten;
        }
        return tagOf(offset, bytes.length);
      } finally {
        await this.#call(handle.close());
      }
    });
  }

  async complete(
    id: string,
    parts: readonly { readonly number: number; readonly etag: string }[],
    signal?: AbortSignal,
  ): Promise<string> {
    const { name, inode } = parseId(id);
    checkParts(parts);
    let end = 0;
    for (const { number, etag } of parts) {
      const [, offset, length] = /^"(\d+)-(\d+)"$/.exec(etag) ?? [];
      if (Number(offset) !== end)
        throw new RangeError(`"parts" expected part ${number} to begin at ${end}, got ${etag}`);
      end += Number(length);
    }
    return await attempted(this.#limits, signal, async () => {
      try {
        return await this.#publish(name, end);
      } catch (error) {
        // A worker that died after the rename, or an attempt whose answer did not come, may have completed it.
        const now = await stat(this.#target(), { bigint: true }).catch(() => undefined);
        if (!(error instanceof ObjectMissing) || now?.ino !== BigInt(inode)) throw error;
        return versionOf(now);
      }
    });
  }

  async #publish(name: string, size: number): Promise<string> {
    const handle = await this.#open(name);
    try {
      const draft = await this.#call(handle.stat());
      if (draft.size !== size)
        throw new ObjectError(this.#url, `the draft has ${draft.size} bytes, and its parts have ${size}`);
      await this.#call(handle.sync());
      await this.#call(rename(this.#draft(name), this.#target()));
      await this.#syncFolder();
      return versionOf(await this.#call(handle.stat({ bigint: true })));
    } finally {
      await this.#call(handle.close());
    }
  }

  /** The new name is on the disk, too. Systems that cannot do that for folders keep names by themselves. */
  async #syncFolder(): Promise<void> {
    const folder = await open(dirname(this.#target())).catch(() => undefined);
    await folder?.sync().catch(() => undefined);
    await folder?.close();
  }

  async abort(id: string): Promise<void> {
    const { name } = parseId(id);
    await attempted(this.#limits, undefined, async () => {
      await this.#call(unlink(this.#draft(name))).catch((error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
      });
    });
  }
}
