/** A folder of `node:fs`, or of a module with the same calls, as a store. */
import { typeOf } from '../values.ts';
import { isOfLock, lockFolder } from './folder-lock.ts';
import type { Store, StoredFile } from './store.ts';

/** The calls that a folder needs of `node:fs`; `fs` of `@zenfs/core` has them, too. */
export interface FileCalls {
  openSync(path: string, flags: string): number;
  closeSync(file: number): void;
  readSync(file: number, into: Uint8Array, offset: number, length: number, at: number): number;
  writeSync(file: number, bytes: Uint8Array, offset: number, length: number, at: number): number;
  ftruncateSync(file: number, size: number): void;
  fsyncSync(file: number): void;
  fstatSync(file: number): { readonly size: number | bigint };
  mkdirSync(path: string, options: { readonly recursive: true }): unknown;
  readdirSync(path: string): readonly unknown[];
}

/** A folder of a file system. */
export interface Folder {
  /** `node:fs`, or `fs` of `@zenfs/core` over a file system that answers at once. */
  readonly fs: FileCalls;
  /** The path of a folder for the encrypted files alone. It is made if there is none. */
  readonly folder: string;
}

const CALLS = ['openSync', 'closeSync', 'readSync', 'writeSync', 'ftruncateSync', 'fsyncSync', 'fstatSync'] as const;

export function checkCalls(fs: unknown): FileCalls {
  const its = fs as Partial<FileCalls> | null | undefined;
  for (const name of [...CALLS, 'mkdirSync', 'readdirSync'] as const)
    if (typeof its?.[name] !== 'function')
      throw new TypeError(`"fs" expected a module with the calls of node:fs, got ${typeOf(fs)} without ${name}`);
  return its as FileCalls;
}

class FolderFile implements StoredFile {
  readonly #fs: FileCalls;
  readonly #handle: number;

  constructor(fs: FileCalls, handle: number) {
    this.#fs = fs;
    this.#handle = handle;
  }

  read(into: Uint8Array, at: number): number {
    let done = 0;
    while (done < into.length) {
      const count = this.#fs.readSync(this.#handle, into, done, into.length - done, at + done);
      // Some file systems count bytes after the end as read.
      const left = this.size() - at - done;
      if (count <= 0 || left <= 0) break;
      done += Math.min(count, left);
    }
    return done;
  }

  write(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length;) {
      const count = this.#fs.writeSync(this.#handle, bytes, done, bytes.length - done, at + done);
      if (count <= 0) throw new Error('cannot write: the file system took no bytes');
      done += count;
    }
  }

  truncate(size: number): void {
    this.#fs.ftruncateSync(this.#handle, size);
  }

  size(): number {
    return Number(this.#fs.fstatSync(this.#handle).size);
  }

  flush(): void {
    this.#fs.fsyncSync(this.#handle);
  }

  close(): void {
    this.#fs.closeSync(this.#handle);
  }
}

export class FolderStore implements Store {
  readonly #fs: FileCalls;
  readonly #folder: string;
  /** The names in the folder. */
  readonly #names: Set<string>;
  readonly #lock: ReturnType<typeof lockFolder>;
  #isGrown = true;

  constructor(fs: FileCalls, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
    // Without a prototype: node:fs reads its other options from a polluted one.
    fs.mkdirSync(folder, Object.assign(Object.create(null) as object, { recursive: true as const }));
    this.#lock = lockFolder(fs, folder);
    try {
      const names = fs.readdirSync(folder).map(String);
      this.#names = new Set(names.filter((name) => !isOfLock(name)));
    } catch (error) {
      this.#lock?.close();
      throw error;
    }
  }

  open(name: string): FolderFile {
    const path = `${this.#folder}/${name}`;
    if (this.#names.has(name)) return new FolderFile(this.#fs, this.#fs.openSync(path, 'r+'));
    const file = new FolderFile(this.#fs, this.#fs.openSync(path, 'w+'));
    this.#names.add(name);
    this.#isGrown = true;
    return file;
  }

  filled(): readonly string[] {
    return [...this.#names].filter((name) => {
      const file = this.open(name);
      try {
        return file.size() > 0;
      } finally {
        file.close();
      }
    });
  }

  hasRoom(): boolean {
    return true;
  }

  reserve(): Promise<void> {
    return Promise.resolve();
  }

  flush(names: Iterable<string>): void {
    for (const name of names) {
      const file = this.open(name);
      try {
        file.flush();
      } finally {
        file.close();
      }
    }
    if (this.#isGrown) this.#flushFolder();
    this.#isGrown = false;
  }

  /** Where a system can't flush a folder, its names are on the medium when it says so. */
  #flushFolder(): void {
    let handle: number | undefined;
    try {
      handle = this.#fs.openSync(this.#folder, 'r');
      this.#fs.fsyncSync(handle);
    } catch {
      return;
    } finally {
      if (handle !== undefined) this.#fs.closeSync(handle);
    }
  }

  close(): void {
    // Each file was closed where it was opened.
    this.#lock?.close();
  }
}
