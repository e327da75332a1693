/** Encrypted files with the calls of `node:fs`. */
import { isBytes } from 'lanewise/utils.js';
import { viewOf } from '../bytes.ts';
import { UserKey, type DatabaseKey } from '../keys/user-key.ts';
import { ownOptions } from '../options.ts';
import { load } from '../parts.ts';
import { refuseSurplus, typeOf, wellFormed } from '../values.ts';
import { checkWhole, partOf, textPath, wholePosition } from './arguments.ts';
import { exists, FileFailure, isFile, isFolder, missing } from './failure.ts';
import { statsOf, type FileStats } from './stats.ts';
import type { PageFile } from './page-file.ts';
import {
  FILE_TYPE,
  filesIn,
  findIn,
  modeOf,
  newFolder,
  partsOfPath,
  type FileNode,
  type FolderNode,
  type TreeNode,
} from './tree.ts';
import type { Volume } from './volume.ts';

/** A file that is open: how often, and whether it still has a name. */
interface Opened {
  readonly node: FileNode;
  readonly file: PageFile;
  uses: number;
  isNamed: boolean;
}

interface Descriptor {
  readonly opened: Opened;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly appends: boolean;
}

const FLAGS = ['r', 'r+', 'w', 'w+', 'wx', 'wx+', 'a', 'a+', 'ax', 'ax+'];

/**
 * Encrypted files of one key, with calls as those of `node:fs` that end in `Sync`: {@link encryptedFileSystem} makes it. Errors have the
 * codes of POSIX in `code`; a file that isn't authentic is an `EIO` that names it.
 */
export class EncryptedFileSystem {
  readonly #volume: Volume;
  readonly #open = new Map<FileNode, Opened>();
  readonly #descriptors = new Map<number, Descriptor>();
  /** Sizes of files that were open once: no one else changes them. */
  readonly #sizes = new WeakMap<FileNode, number>();
  #next = 1;
  #isUnmounted = false;

  /** @internal */
  constructor(volume: Volume) {
    this.#volume = volume;
  }

  #mounted(): Volume {
    if (this.#isUnmounted) throw new Error('cannot use an encrypted file system after unmount()');
    return this.#volume;
  }

  get #root(): FolderNode {
    return this.#mounted().root;
  }

  #find(path: string): TreeNode {
    const node = findIn(this.#root, partsOfPath(path));
    if (!node) throw missing(path);
    return node;
  }

  #file(path: string): FileNode {
    const node = this.#find(path);
    if (node.kind === 'folder') throw isFolder(path);
    return node;
  }

  /** The folder in which a path is, and its last name. */
  #place(path: string): readonly [FolderNode, string] {
    const parts = partsOfPath(path);
    const name = parts.pop();
    if (name === undefined) throw new FileFailure('EINVAL', `${path || 'this'} is the root`);
    const folder = findIn(this.#root, parts);
    if (!folder) throw missing(`/${parts.join('/')}`);
    if (folder.kind === 'file') throw isFile(`/${parts.join('/')}`);
    return [folder, name];
  }

  #changed(folder: FolderNode): void {
    folder.time = Date.now();
    this.#volume.isChanged = true;
  }

  #taken(node: FileNode, path: string): Opened {
    let opened = this.#open.get(node);
    if (!opened) {
      opened = { node, file: this.#volume.openFile(node, path), uses: 0, isNamed: true };
      this.#open.set(node, opened);
    }
    opened.uses++;
    return opened;
  }

  #release(opened: Opened): void {
    if (--opened.uses > 0) return;
    this.#sizes.set(opened.node, opened.file.size);
    this.#open.delete(opened.node);
    opened.file.destroy();
    if (!opened.isNamed) this.#volume.remove(opened.node);
  }

  #using<Result>(node: FileNode, path: string, use: (file: PageFile) => Result): Result {
    const opened = this.#taken(node, path);
    try {
      return use(opened.file);
    } finally {
      this.#release(opened);
    }
  }

  /** A file has lost its name. */
  #unname(node: FileNode): void {
    const opened = this.#open.get(node);
    if (opened) opened.isNamed = false;
    else this.#volume.remove(node);
  }

  #wrote(node: FileNode): void {
    node.time = Date.now();
    this.#volume.wrote(node);
  }

  #descriptor(fd: number): Descriptor {
    const found = this.#descriptors.get(fd);
    if (!found || this.#isUnmounted) throw new FileFailure('EBADF', `${fd} isn't open`);
    return found;
  }

  /**
   * Opens a file.
   *
   * @param flags - As in `node:fs`: `r`, `r+`, `w`, `w+`, `a`, `a+`, and with an `x` those that make a file. `r` unless given.
   * @returns A number for the other calls.
   */
  open(path: string, flags = 'r', mode?: number): number {
    textPath(path);
    if (mode !== undefined) checkWhole(mode, 'mode');
    if (!FLAGS.includes(flags)) throw new RangeError(`"flags" expected ${FLAGS.join(', ')}, got ${flags}`);
    const [folder, name] = this.#place(path);
    const node = folder.children.get(name);
    if (node?.kind === 'folder') throw isFolder(path);
    if (node && flags.includes('x')) throw exists(path);
    if (!node && flags.startsWith('r')) throw missing(path);
    const opened = node ? this.#taken(node, path) : this.#make(folder, name, path, mode);
    if (node && flags.startsWith('w')) this.#cutOff(opened);
    const fd = this.#next++;
    this.#descriptors.set(fd, {
      opened,
      reads: flags.startsWith('r') || flags.endsWith('+'),
      writes: flags !== 'r',
      appends: flags.startsWith('a'),
    });
    return fd;
  }

  #make(folder: FolderNode, name: string, path: string, mode: number | undefined): Opened {
    const [node, file] = this.#volume.newFile(modeOf(FILE_TYPE, mode, 0o644), path);
    const opened = { node, file, uses: 1, isNamed: true };
    this.#open.set(node, opened);
    folder.children.set(name, node);
    this.#changed(folder);
    return opened;
  }

  /** Removes the bytes of a file that was opened to be written anew. */
  #cutOff(opened: Opened): void {
    try {
      this.#wrote(opened.node);
      opened.file.truncate(0);
    } catch (error) {
      this.#release(opened);
      throw error;
    }
  }

  close(fd: number): void {
    const { opened } = this.#descriptor(fd);
    this.#descriptors.delete(fd);
    this.#release(opened);
  }

  /** Reads bytes into a part of a buffer. Returns how many there were. */
  read(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number {
    const { opened, reads } = this.#descriptor(fd);
    if (!reads) throw new FileFailure('EBADF', `${fd} isn't open for reading`);
    return opened.file.read(partOf(buffer, offset, length), wholePosition(position));
  }

  /** Writes a part of a buffer. Returns how many bytes it has. */
  write(fd: number, buffer: Uint8Array, offset: number, length: number, position: number): number {
    const { opened, writes, appends } = this.#descriptor(fd);
    if (!writes) throw new FileFailure('EBADF', `${fd} isn't open for writing`);
    const bytes = partOf(buffer, offset, length);
    const at = wholePosition(position);
    this.#wrote(opened.node);
    opened.file.write(bytes, appends ? opened.file.size : at);
    return length;
  }

  readFile(path: string): Uint8Array<ArrayBuffer> {
    const node = this.#file(textPath(path));
    return this.#using(node, path, (file) => {
      const bytes = new Uint8Array(file.size);
      file.read(bytes, 0);
      return bytes;
    });
  }

  /** Writes a file with these bytes, or this text in UTF-8, in the place of another or none. */
  writeFile(path: string, data: Uint8Array | string, options: { readonly mode?: number | undefined } = {}): void {
    textPath(path);
    const { mode } = ownOptions(options, ['mode']) as typeof options;
    if (typeof data !== 'string' && !isBytes(data))
      throw new TypeError(`"data" expected Uint8Array or string, got ${typeOf(data)}`);
    const bytes = typeof data === 'string' ? new TextEncoder().encode(wellFormed(data, 'data')) : viewOf(data);
    const fd = this.open(path, 'w', mode);
    try {
      this.write(fd, bytes, 0, bytes.length, 0);
    } finally {
      this.close(fd);
    }
  }

  lstat(path: string): FileStats {
    return this.#stats(this.#find(textPath(path)), path);
  }

  fstat(fd: number): FileStats {
    return this.#stats(this.#descriptor(fd).opened.node, String(fd));
  }

  #stats(node: TreeNode, path: string): FileStats {
    return statsOf(node, node.kind === 'folder' ? 0 : this.#sizeOf(node, path), this.#volume.pageSize);
  }

  #sizeOf(node: FileNode, path: string): number {
    return this.#open.get(node)?.file.size ?? this.#sizes.get(node) ?? this.#using(node, path, (file) => file.size);
  }

  /** The names in a folder. */
  readdir(path: string): string[] {
    const node = this.#find(textPath(path));
    if (node.kind === 'file') throw isFile(path);
    return [...node.children.keys()];
  }

  mkdir(path: string, options: { readonly recursive?: boolean; readonly mode?: number } = {}): void {
    textPath(path);
    const { recursive = false, mode } = ownOptions(options, ['recursive', 'mode']) as typeof options;
    const parts = partsOfPath(path);
    if (recursive && parts.length > 1 && !findIn(this.#root, parts.slice(0, -1)))
      this.mkdir(parts.slice(0, -1).join('/'), options);
    if (recursive && findIn(this.#root, parts)?.kind === 'folder') return;
    const [folder, name] = this.#place(path);
    if (folder.children.has(name)) throw exists(path);
    folder.children.set(name, newFolder(mode));
    this.#changed(folder);
  }

  rmdir(path: string): void {
    const [folder, name] = this.#place(textPath(path));
    const node = folder.children.get(name);
    if (!node) throw missing(path);
    if (node.kind === 'file') throw isFile(path);
    if (node.children.size > 0) throw new FileFailure('ENOTEMPTY', `${path} isn't empty`);
    folder.children.delete(name);
    this.#changed(folder);
  }

  /** Removes a file. One that is open can be used until it is closed. */
  unlink(path: string): void {
    const [folder, name] = this.#place(textPath(path));
    const node = folder.children.get(name);
    if (!node) throw missing(path);
    if (node.kind === 'folder') throw isFolder(path);
    folder.children.delete(name);
    this.#changed(folder);
    this.#unname(node);
  }

  /** Gives a file or folder another path, in the place of a file or an empty folder that may be there. */
  rename(from: string, to: string): void {
    const [source, name] = this.#place(textPath(from, 'from'));
    const [target, next] = this.#place(textPath(to, 'to'));
    const node = source.children.get(name);
    if (!node) throw missing(from);
    const former = target.children.get(next);
    if (former === node) return;
    const [inner, outer] = [partsOfPath(to), partsOfPath(from)];
    if (node.kind === 'folder' && outer.every((part, i) => inner[i] === part))
      throw new FileFailure('EINVAL', `${to} is within ${from}`);
    if (former && former.kind !== node.kind) throw former.kind === 'folder' ? isFolder(to) : isFile(to);
    if (former?.kind === 'folder' && former.children.size > 0) throw new FileFailure('ENOTEMPTY', `${to} isn't empty`);
    source.children.delete(name);
    target.children.set(next, node);
    this.#changed(source);
    this.#changed(target);
    if (former?.kind === 'file') this.#unname(former);
  }

  /** Cuts a file off, or lets it end with zeros. */
  truncate(path: string, length = 0): void {
    checkWhole(length, 'length');
    const node = this.#file(textPath(path));
    this.#using(node, path, (file) => {
      this.#wrote(node);
      file.truncate(length);
    });
  }

  chmod(path: string, mode: number): void {
    checkWhole(mode, 'mode');
    const node = this.#find(textPath(path));
    node.mode = modeOf(node.mode & ~0o7777, mode, 0);
    this.#volume.isChanged = true;
  }

  /** Sets the time when a file was changed, in milliseconds since 1970; that of its last use isn't kept. */
  utimes(path: string, _atime: number, mtime: number): void {
    const node = this.#find(textPath(path));
    if (!Number.isFinite(mtime)) throw new RangeError(`"mtime" expected a finite number, got ${String(mtime)}`);
    node.time = mtime;
    this.#volume.isChanged = true;
  }

  /** Brings all to the medium. A file that was made, renamed or removed since the last time is as it was then if the power is cut before. */
  sync(): void {
    refuseSurplus(arguments, 0);
    this.#mounted().sync();
  }

  /** In OPFS, where no file can be made at once: makes room for this many more. Elsewhere there is always room. */
  async reserve(count: number): Promise<void> {
    refuseSurplus(arguments, 1);
    checkWhole(count, 'count');
    await this.#mounted().reserve(count);
  }

  /** How many files can be made before {@link reserve}, or many more where there is always room. */
  get room(): number {
    return this.#mounted().room;
  }

  /** Reads every page of every file. Returns a line for each file that isn't authentic. */
  check(): string[] {
    refuseSurplus(arguments, 0);
    const problems: string[] = [];
    for (const [path, node] of filesIn(this.#root))
      try {
        this.#using(node, path, (file) => file.check());
      } catch (error) {
        problems.push((error as Error).message);
      }
    return problems;
  }

  /** From now on another key opens the files. They stay as they are: the key that encrypts them is wrapped anew. */
  async rekey(key: DatabaseKey): Promise<void> {
    refuseSurplus(arguments, 1);
    this.#mounted();
    const user = new UserKey(key);
    try {
      if (user.kind === 'passphrase') await load('passphrases');
      this.#mounted().rekey(user);
    } catch (error) {
      user.destroy();
      throw error;
    }
  }

  /** Stores everything, closes all files and wipes the keys. */
  unmount(): void {
    refuseSurplus(arguments, 0);
    if (this.#isUnmounted) return;
    try {
      for (const fd of [...this.#descriptors.keys()]) this.close(fd);
      this.#volume.sync();
    } finally {
      this.#isUnmounted = true;
      this.#volume.destroy();
    }
  }
}
