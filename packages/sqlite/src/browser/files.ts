/** The files of a database in OPFS (fs.spec.whatwg.org §2), held by exclusive handles. */

import { checkText, typeOf } from '../values.ts';

/** A `FileSystemSyncAccessHandle`, which TypeScript knows in workers only. */
export interface SyncHandle {
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

interface FileHandle {
  createSyncAccessHandle(): Promise<SyncHandle>;
}

/** The database, its journal and its write-ahead log. A file that is empty isn't there for SQLite. */
const SUFFIXES = ['', '-journal', '-wal'];

/** The files of one database. */
export interface HeldFiles {
  /** Of the database, from the root of OPFS on: SQLite's name for it. */
  readonly path: string;
  /** By SQLite's names. */
  readonly handles: ReadonlyMap<string, SyncHandle>;
  /**
   * Closes the handles, and removes files that are empty.
   *
   * @throws Error if the database isn't there any more.
   */
  release(): Promise<void>;
}

/** The parts of a path in OPFS. */
export function partsOfPath(file: unknown): readonly string[] {
  const form = '"file" expected a path in OPFS, such as notes.db or folder/notes.db, got';
  if (typeof file !== 'string') throw new TypeError(`${form} ${typeOf(file)}`);
  const parts = checkText(file, 'file').split('/');
  if (parts[0] === '') parts.shift();
  if (parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new TypeError(`${form} ${file === '' ? 'length=0' : file}`);
  return parts;
}

/** @throws Error where there is no OPFS, or no exclusive handles, which only dedicated workers have. */
export async function requireWorker(): Promise<void> {
  const { navigator, FileSystemFileHandle: File } = globalThis as {
    readonly navigator?: { readonly storage?: Partial<StorageManager> };
    readonly FileSystemFileHandle?: { readonly prototype: object };
  };
  const hasFiles = typeof navigator?.storage?.getDirectory === 'function';
  if (!(hasFiles && File && 'createSyncAccessHandle' in File.prototype)) throw (await failures()).unfit(hasFiles);
}

/** How long another tab may take to let go of its files after it was closed. */
const ATTEMPTS = 20;
const PAUSE = 50;
const failures = () => import('../held.ts');

/** Opens the files of a database, of which others have none open then. */
export async function holdFiles(parts: readonly string[]): Promise<HeldFiles> {
  const path = `/${parts.join('/')}`;
  const folder = await folderOf(parts.slice(0, -1));
  const handles = new Map<string, SyncHandle>();
  const release = async (): Promise<void> => {
    let isLost = false;
    for (const [name, handle] of handles) {
      const entry = name.slice(name.lastIndexOf('/') + 1);
      // When the storage of a site was cleared, Chromium's close() of a handle there never returns.
      if (!(await isThere(folder, entry))) {
        isLost ||= name === path;
        continue;
      }
      const isEmpty = sizeOf(handle) === 0;
      handle.close();
      // Another tab may have opened it meanwhile.
      if (isEmpty) await folder.removeEntry(entry).catch(() => undefined);
    }
    handles.clear();
    if (isLost) throw (await failures()).lost(path);
  };
  try {
    for (const suffix of SUFFIXES) handles.set(path + suffix, await hold(folder, parts[parts.length - 1] + suffix));
  } catch (error) {
    await release();
    throw (await failures()).unopened(path, error);
  }
  return { path, handles, release };
}

async function folderOf(names: readonly string[]): Promise<FileSystemDirectoryHandle> {
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of names) folder = await folder.getDirectoryHandle(name, { create: true });
    return folder;
  } catch (error) {
    throw (await failures()).unavailable(`/${names.join('/')}`, error);
  }
}

async function hold(folder: FileSystemDirectoryHandle, name: string): Promise<SyncHandle> {
  for (let attempt = 1; ; attempt++)
    try {
      const file = (await folder.getFileHandle(name, { create: true })) as unknown as FileHandle;
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (attempt === ATTEMPTS || !(await failures()).mayPass(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
}

const isThere = (folder: FileSystemDirectoryHandle, name: string): Promise<boolean> =>
  folder.getFileHandle(name).then(
    () => true,
    (error: unknown) => (error as DOMException).name !== 'NotFoundError',
  );

/** A handle whose file was taken away has no size, and isn't empty. */
function sizeOf(handle: SyncHandle): number {
  try {
    return handle.getSize();
  } catch {
    return -1;
  }
}
