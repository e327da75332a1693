/**
 * A folder of a browser's own files (OPFS) as a store, in a dedicated worker. Handles that answer at once have to be opened before, so all
 * files are open from the start, and some that are empty wait for files to come.
 */
import type { SyncHandle } from '../browser/files.ts';
import type { Store, StoredFile } from './store.ts';

interface WorkersFile {
  readonly name: string;
  readonly kind: 'file' | 'directory';
  createSyncAccessHandle(): Promise<SyncHandle>;
}

class HandleFile implements StoredFile {
  readonly #handle: SyncHandle;

  constructor(handle: SyncHandle) {
    this.#handle = handle;
  }

  read(into: Uint8Array, at: number): number {
    return this.#handle.read(into, { at });
  }

  write(bytes: Uint8Array, at: number): void {
    let count: number;
    try {
      count = this.#handle.write(bytes, { at });
    } catch (error) {
      if ((error as DOMException).name !== 'QuotaExceededError') throw error;
      count = -1;
    }
    if (count !== bytes.length)
      throw new Error('cannot write: the space that the browser gives to this site is used up');
  }

  truncate(size: number): void {
    this.#handle.truncate(size);
  }

  size(): number {
    return this.#handle.getSize();
  }

  close(): void {
    // The handle stays open: it can't be opened again at once.
  }
}

export class OpfsStore implements Store {
  readonly #folder: FileSystemDirectoryHandle;
  readonly #handles = new Map<string, SyncHandle>();
  #isClosed = false;

  private constructor(folder: FileSystemDirectoryHandle) {
    this.#folder = folder;
  }

  /** Opens all files of a folder. */
  static async of(folder: FileSystemDirectoryHandle): Promise<OpfsStore> {
    const store = new OpfsStore(folder);
    try {
      const entries = (folder as unknown as { values(): AsyncIterable<WorkersFile> }).values();
      const names: string[] = [];
      for await (const { name, kind } of entries) if (kind === 'file') names.push(name);
      await store.reserve(names);
    } catch (error) {
      store.close();
      throw new Error(
        `cannot open the files in OPFS, which another tab or worker may have open: ${(error as Error).message}`,
        { cause: error },
      );
    }
    return store;
  }

  open(name: string): StoredFile {
    return new HandleFile(this.#handles.get(name)!);
  }

  filled(): readonly string[] {
    return [...this.#handles].flatMap(([name, handle]) => (handle.getSize() > 0 ? [name] : []));
  }

  hasRoom(name: string): boolean {
    return this.#handles.has(name);
  }

  /** Waits for every handle, also after one was refused: a handle that comes later would hold a file that others open meanwhile. */
  async reserve(names: readonly string[]): Promise<void> {
    const all = await Promise.allSettled(
      names.map(async (name) => {
        if (this.#handles.has(name)) return;
        const file = (await this.#folder.getFileHandle(name, { create: true })) as unknown as WorkersFile;
        const handle = await file.createSyncAccessHandle();
        if (this.#isClosed) handle.close();
        else this.#handles.set(name, handle);
      }),
    );
    for (const each of all) if (each.status === 'rejected') throw each.reason;
  }

  flush(names: Iterable<string>): void {
    for (const name of names) this.#handles.get(name)?.flush();
  }

  close(): void {
    this.#isClosed = true;
    for (const handle of this.#handles.values()) handle.close();
    this.#handles.clear();
  }
}
