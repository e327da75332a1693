/** {@link encryptedFileSystem}. */
import { refuseSurplus } from '../values.ts';
import { EncryptedFileSystem } from './file-system.ts';
import { openVolume, type FileSystemBase, type FileSystemOptions } from './options.ts';

/** Files that can be made at once in OPFS, unless a program reserves others. */
const ROOM = 64;
const PAGE_SIZE = 4096;

/**
 * Opens encrypted files, or makes a place for them: in a folder of a browser's own files (OPFS), in a dedicated worker; or in a folder of a
 * file system with the calls of `node:fs`, such as `fs` of `@zenfs/core` over any file system that answers at once.
 *
 * Their names are encrypted, too. Each page is authenticated at its place in its file, and so are sizes. One program has them at a time.
 *
 * @param base - A `FileSystemDirectoryHandle` of OPFS, or `{ fs, folder }`. The folder is for these files alone.
 * @param options - {@link FileSystemOptions}: `key`, and `pageSize` or `costs`.
 * @throws TypeError or RangeError if an argument isn't of that form; Error if the key is wrong, or the header or the names were changed. Then
 * nothing was written.
 * @example
 * ```ts
 * import { fs } from '@zenfs/core';
 * import { encryptedFileSystem } from '@lanewise/sqlite/files.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const files = await encryptedFileSystem({ fs, folder: '/vault' }, { key: randomBytes(32) });
 * files.writeFile('/letter.txt', 'remember the milk');
 * files.sync();
 * ```
 */
export async function encryptedFileSystem(
  base: FileSystemBase,
  options: FileSystemOptions,
): Promise<EncryptedFileSystem> {
  refuseSurplus(arguments, 2);
  return new EncryptedFileSystem(await openVolume(base, options, PAGE_SIZE, ROOM));
}
