/** {@link encryptVFS}. */
import { encryptedClass, FILE_CALLS, type BaseClass, type EncryptedClass } from './encrypt-vfs.ts';
import { settingsOf, type EncryptOptions } from './options.ts';
import { refuseSurplus, typeOf } from './values.ts';

/** Refuses a base whose own call SQLite would reach in place of the one that encrypts. */
function refuseAround(name: string | undefined): void {
  if (name !== undefined) throw new TypeError(`"Base" expected no own ${name}: it avoids encryption`);
}

/**
 * Wraps a VFS of wa-sqlite, so that all files of its databases are encrypted: the database, its journal or write-ahead log, super-journals
 * and temporary files.
 *
 * @param Base - A class that extends `FacadeVFS`: `AccessHandlePoolVFS`, `OPFSAnyContextVFS`, `IDBBatchAtomicVFS`, `MemoryVFS` or others of
 * wa-sqlite, or `NodeVFS` of `@lanewise/sqlite/node.js`.
 * @param options - {@link EncryptOptions}: the key, the mode, the page size of new databases.
 * @returns A class that is registered and used as `Base`. Make it by its static `create`, which loads the parts that its mode or a passphrase needs: `new`
 * throws an Error where these weren't loaded.
 * @throws TypeError or RangeError if an option isn't of that form, or a call of `Base` would avoid encryption. Making a VFS throws a TypeError if `Base` has
 * calls as fields.
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
  const prototype = (typeof Base === 'function' ? Base.prototype : undefined) as
    Readonly<Record<string, unknown>> | undefined;
  if (typeof prototype?.['jOpen'] !== 'function' || typeof prototype['hasAsyncMethod'] !== 'function')
    throw new TypeError(`"Base" expected subclass of FacadeVFS, got ${typeOf(Base)}`);
  // FacadeVFS turns SQLite's calls such as xWrite into those that are encrypted, such as jWrite. It is the first class that has the latter.
  let facade = prototype;
  for (let its = prototype; its; its = Object.getPrototypeOf(its) as typeof prototype)
    if (Object.hasOwn(its, 'jOpen')) facade = its;
  refuseAround(FILE_CALLS.find((name) => prototype[name] !== facade[name]));
  const Encrypted = encryptedClass(Base, settingsOf(options)) as unknown as new (...args: unknown[]) => object;
  class Checked extends Encrypted {
    constructor(...args: unknown[]) {
      super(...args);
      // A field hides the method that encrypts.
      const calls = [...FILE_CALLS, ...Object.getOwnPropertyNames(Encrypted.prototype)];
      refuseAround(calls.find((name) => Object.hasOwn(this, name)));
    }
  }
  return Checked as unknown as EncryptedClass<Base>;
}
