/** {@link encryptVFS}. */
import { encryptedClass, FILE_CALLS, type BaseClass, type BaseVFS, type EncryptedClass } from './encrypt-vfs.ts';
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
 * @throws TypeError or RangeError if an option isn't of that form, or a call of `Base` goes around encryption.
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
  // FacadeVFS owns this method, and turns SQLite's calls such as xTruncate into those that are encrypted, such as jTruncate.
  for (
    let its: object = Base.prototype as object;
    !Object.hasOwn(its, 'hasAsyncMethod');
    its = Object.getPrototypeOf(its) as object
  )
    for (const name of FILE_CALLS)
      if (Object.hasOwn(its, name))
        throw new TypeError(`"Base" expected the ${name} of FacadeVFS, got its own, which goes around encryption`);
  return encryptedClass(Base, settingsOf(options));
}
