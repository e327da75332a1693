/** {@link encryptVFS}, with all modes and keys. */
import { encryptedClass, type BaseClass, type BaseVFS, type EncryptedClass } from './encrypt-vfs.ts';
import * as adiantum from './files/adiantum.ts';
import * as passphrases from './keys/passphrases.ts';
import * as multipleCiphers from './multiple-ciphers/part.ts';
import { settingsOf, type EncryptOptions } from './options.ts';
import { provide } from './parts.ts';
import { refuseSurplus, typeOf } from './values.ts';

/**
 * Wraps a VFS of wa-sqlite, so that all files of its databases are encrypted: the database, its journal or write-ahead log, super-journals
 * and temporary files.
 *
 * @param Base - A class that extends `FacadeVFS`: `AccessHandlePoolVFS`, `OPFSAnyContextVFS`, `IDBBatchAtomicVFS`, `MemoryVFS` or others of
 * wa-sqlite, or `NodeVFS` of `@lanewise/sqlite/node.js`.
 * @param options - {@link EncryptOptions}: the key, the mode, the page size of new databases.
 * @returns A class that is made, registered and used as `Base`.
 * @throws TypeError or RangeError if an option isn't of that form.
 * @example
 * ```ts
 * import { encryptVFS } from '@lanewise/sqlite';
 * import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
 * import { randomBytes } from 'lanewise/utils.js';
 * const Encrypted = encryptVFS(MemoryVFS, { key: randomBytes(32) });
 * ```
 */
export function encryptVFS<Base extends BaseClass>(Base: Base, options: EncryptOptions): EncryptedClass<Base> {
  refuseSurplus(arguments, 2);
  if (typeof Base !== 'function' || typeof (Base.prototype as Partial<BaseVFS> | undefined)?.jOpen !== 'function')
    throw new TypeError(`"Base" expected a class that extends FacadeVFS of wa-sqlite, got ${typeOf(Base)}`);
  provide({ adiantum, multipleCiphers, passphrases });
  return encryptedClass(Base, settingsOf(options));
}
