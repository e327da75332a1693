/** {@link encryptVFS}. */
import { encryptedClass, type BaseClass, type BaseVFS, type EncryptedClass } from './encrypt-vfs.ts';
import { settingsOf, type EncryptOptions } from './options.ts';
import { refuseSurplus, typeOf } from './values.ts';

/**
 * Wraps a VFS of wa-sqlite, so that all files of its databases are encrypted: the database, its journal or write-ahead log, super-journals
 * and temporary files.
 *
 * @param Base - A class that extends `FacadeVFS`: `AccessHandlePoolVFS`, `OPFSAnyContextVFS`, `IDBBatchAtomicVFS`, `MemoryVFS` or others of
 * wa-sqlite, or `NodeVFS` of `@lanewise/sqlite/node.js`.
 * @param options - {@link EncryptOptions}: the key, the mode, the page size of new databases.
 * @returns A class that is registered and used as `Base`. Make it by its static `create`, which loads the parts that its mode or a passphrase needs: `new`
 * throws an Error where these weren't loaded.
 * @throws TypeError or RangeError if an option isn't of that form.
 * @example
 * ```ts
 * import { encryptVFS } from '@lanewise/sqlite';
 * import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const Encrypted = encryptVFS(MemoryVFS, { key: randomBytes(32) });
 * // const vfs = await Encrypted.create('encrypted', module); sqlite3.vfs_register(vfs, true);
 * ```
 */
export function encryptVFS<Base extends BaseClass>(Base: Base, options: EncryptOptions): EncryptedClass<Base> {
  refuseSurplus(arguments, 2);
  if (typeof Base !== 'function' || typeof (Base.prototype as Partial<BaseVFS> | undefined)?.jOpen !== 'function')
    throw new TypeError(`"Base" expected a class that extends FacadeVFS of wa-sqlite, got ${typeOf(Base)}`);
  return encryptedClass(Base, settingsOf(options));
}
