/** The options of an encrypted file system. */
import type { Costs } from '../keys/costs.ts';
import type { DatabaseKey } from '../keys/user-key.ts';
import { ownOptions, settingsOf, type EncryptOptions } from '../options.ts';
import { loadFor } from '../parts.ts';
import { checkText, typeOf } from '../values.ts';
import { checkCalls, FolderStore, type Folder } from './folder-store.ts';
import { OpfsStore } from './opfs-store.ts';
import type { Store } from './store.ts';
import { fixedNames, Volume } from './volume.ts';

/** The options of {@link encryptedFileSystem}. */
export interface FileSystemOptions {
  /** 32 bytes or a passphrase, which the library copies, or a box over a key ring: `createBox(ring)` of `lanewise/box.js`. */
  readonly key: DatabaseKey;
  /** Bytes that a page of a new file system holds: a power of two from 1024 to 65,536; 4096 unless given. It keeps them. */
  readonly pageSize?: number;
  /** The work of a guess where `key` is a passphrase, for new file systems: of Argon2id or scrypt, as for databases. */
  readonly costs?: Costs;
}

/** A folder of OPFS, in a dedicated worker, or one of a file system with the calls of `node:fs`. */
export type FileSystemBase = FileSystemDirectoryHandle | Folder;

const NAMES = ['key', 'pageSize', 'costs'];

function storeOf(base: unknown): () => Promise<Store> {
  if (typeof (base as Partial<FileSystemDirectoryHandle> | null | undefined)?.getFileHandle === 'function') {
    const folder = base as FileSystemDirectoryHandle;
    return async () => OpfsStore.of(folder);
  }
  const { fs, folder } = ownOptions(base, ['fs', 'folder'], 'base');
  const calls = checkCalls(fs);
  if (typeof folder !== 'string') throw new TypeError(`"folder" expected string, got ${typeOf(folder)}`);
  if (folder === '') throw new RangeError('"folder" expected a path, got length=0');
  const path = checkText(folder, 'folder');
  return () => Promise.resolve(new FolderStore(calls, path));
}

/** Opens or makes the volume of a base, with room for some files. */
export async function openVolume(base: unknown, options: unknown, pageSize: number, room: number): Promise<Volume> {
  const open = storeOf(base);
  const settings = settingsOf({ pageSize, ...ownOptions(options, NAMES) } as unknown as EncryptOptions);
  const user = settings.user();
  settings.destroy();
  let store: Store | undefined;
  let volume: Volume | undefined;
  try {
    await loadFor(settings);
    store = await open();
    // Stores that can't make a file at once: these are empty, so nothing is written before the key is known to be right.
    await store.reserve(fixedNames());
    volume = Volume.open(store, user, settings.pageSize);
    await volume.reserve(room);
    return volume;
  } catch (error) {
    volume?.destroy();
    user.destroy();
    store?.close();
    throw error;
  }
}
