/** A VFS of this package in the official build of SQLite for WebAssembly. */
import * as codes from '../codes.ts';
import { encryptVFS } from '../encrypt.ts';
import type { EncryptedVFS } from '../encrypt-vfs.ts';
import type { FacadeCalls } from '../facade.ts';
import { ownOptions, type EncryptOptions } from '../options.ts';
import { checkText, refuseSurplus, typeOf } from '../values.ts';
import { officialOf, type Method, type OfficialSQLite } from './interface.ts';
import { StructVFS } from './struct-vfs.ts';

/** The options of {@link installEncryptedVFS}. */
export interface InstallOptions extends EncryptOptions {
  /** The name of the encrypted VFS, by which databases are opened: `lanewise` unless given. */
  readonly name?: string;
  /** The name of the VFS whose files it encrypts, `opfs-sahpool` for instance; SQLite's default one unless given. */
  readonly base?: string;
}

type Installed = FacadeCalls & EncryptedVFS;

/**
 * Installs a VFS in the official build of SQLite, `@sqlite.org/sqlite-wasm`, that encrypts all files of another of its VFS. It
 * has no shared memory, so `journal_mode=wal` needs `locking_mode=exclusive`.
 *
 * @param sqlite3 - The object that `sqlite3InitModule()` resolves to.
 * @param options - {@link InstallOptions}: `key`, and `mode`, `pageSize`, `costs`, `name`, `base`.
 * @returns A promise of the VFS: `failure` tells why its last call failed, `rekey(path, key)` changes a key, `destroy()` wipes it.
 * @throws TypeError or RangeError if an argument isn't of that form; Error if there is no such `base`, or another VFS has this name.
 * @example
 * ```js
 * import sqlite3InitModule from '@sqlite.org/sqlite-wasm';
 * import { installEncryptedVFS } from '@lanewise/sqlite/official.js';
 * const sqlite3 = await sqlite3InitModule();
 * await sqlite3.installOpfsSAHPoolVfs({}); // in a worker
 * await installEncryptedVFS(sqlite3, { key: 'five random words are enough', base: 'opfs-sahpool' });
 * const db = new sqlite3.oo1.DB({ filename: '/notes.db', vfs: 'lanewise' });
 * ```
 */
export async function installEncryptedVFS(sqlite3: object, options: InstallOptions): Promise<EncryptedVFS> {
  refuseSurplus(arguments, 2);
  const official = officialOf(sqlite3);
  const {
    name = 'lanewise',
    base,
    ...rest
  } = ownOptions(options, ['name', 'base', 'key', 'mode', 'pageSize', 'costs']);
  checkName(name, 'name');
  if (base !== undefined) checkName(base, 'base');
  const Encrypted = encryptVFS(StructVFS, rest as unknown as EncryptOptions);
  const { capi } = official;
  const found = capi.sqlite3_vfs_find(base ?? null);
  if (!found)
    throw new Error(
      `there is no VFS ${JSON.stringify(base)}: install it before; if OPFS refuses, close the tab that has its files`,
    );
  const under = new capi.sqlite3_vfs(found);
  const vfs = (await Encrypted.create(name, official, under)) as Installed;
  if (capi.sqlite3_vfs_find(name)) {
    vfs.destroy();
    throw new Error(`there is a VFS ${JSON.stringify(name)} already`);
  }
  install(official, vfs, under);
  return vfs;
}

function checkName(value: unknown, option: string): asserts value is string {
  if (typeof value !== 'string' || value === '')
    throw new TypeError(`"${option}" expected a name, got ${value === '' ? 'length=0' : typeOf(value)}`);
  checkText(value, option);
}

function install(
  { capi, wasm, vfs: { installVfs } }: OfficialSQLite,
  vfs: Installed,
  base: InstanceType<OfficialSQLite['capi']['sqlite3_vfs']>,
) {
  const view = (address: number, length: number): DataView => new DataView(wasm.heap8u().buffer, address, length);
  const bytes = (address: number, length: number): Uint8Array => wasm.heap8u().subarray(address, address + length);
  /** An exception would go through SQLite, which doesn't expect one. */
  const caught = (otherwise: number, work: () => number | Promise<number>): number => {
    try {
      return work() as number;
    } catch {
      return otherwise;
    }
  };
  const io = new capi.sqlite3_io_methods();
  io.$iVersion = 1;
  const struct = new capi.sqlite3_vfs();
  struct.$iVersion = 1;
  struct.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  struct.$mxPathname = base.$mxPathname;
  // They have no part in encryption.
  for (const member of ['$xRandomness', '$xSleep', '$xCurrentTime'] as const) struct[member] = base[member];

  /** A call about names, which stay as they are. */
  const ofBase = (member: `$x${string}`): Method => {
    const call = wasm.functionEntry(base[member]);
    return (_, ...values) => call(base.pointer, ...values);
  };

  const methods = {
    xOpen(_: number, name: number, file: number, flags: number, out: number): number {
      // Parameters of a URI stay with SQLite: names have none.
      const path = name ? wasm.cstrToJs(name) : null;
      const code = caught(codes.CANTOPEN, () =>
        vfs.jOpen(path, file, flags & ~codes.OPEN_URI, out ? view(out, 4) : new DataView(new ArrayBuffer(4))),
      );
      new capi.sqlite3_file(file).$pMethods = code === codes.OK ? io.pointer : 0;
      return code;
    },
    xDelete: ofBase('$xDelete'),
    xAccess: ofBase('$xAccess'),
    xFullPathname: ofBase('$xFullPathname'),
    xGetLastError: (_: number, length: number, out: number) =>
      caught(codes.OK, () => vfs.jGetLastError(bytes(out, length))),
  };
  const ioMethods = {
    xClose: (file: number) => caught(codes.IOERR_CLOSE, () => vfs.jClose(file)),
    xRead: (file: number, into: number, length: number, at: bigint) =>
      caught(codes.IOERR_READ, () => vfs.jRead(file, bytes(into, length), Number(at))),
    xWrite: (file: number, from: number, length: number, at: bigint) =>
      caught(codes.IOERR_WRITE, () => vfs.jWrite(file, bytes(from, length), Number(at))),
    xTruncate: (file: number, size: bigint) => caught(codes.IOERR_TRUNCATE, () => vfs.jTruncate(file, Number(size))),
    xSync: (file: number, flags: number) => caught(codes.IOERR_FSYNC, () => vfs.jSync(file, flags)),
    xFileSize: (file: number, out: number) => caught(codes.IOERR_FSTAT, () => vfs.jFileSize(file, view(out, 8))),
    xLock: (file: number, level: number) => caught(codes.IOERR_LOCK, () => vfs.jLock(file, level)),
    xUnlock: (file: number, level: number) => caught(codes.IOERR_LOCK, () => vfs.jUnlock(file, level)),
    xCheckReservedLock: (file: number, out: number) =>
      caught(codes.IOERR_LOCK, () => vfs.jCheckReservedLock(file, view(out, 4))),
    xFileControl: (file: number, operation: number, argument: number) =>
      caught(codes.IOERR, () => vfs.jFileControl(file, operation, new DataView(wasm.heap8u().buffer, argument))),
    xSectorSize: (file: number) => caught(4096, () => vfs.jSectorSize(file)),
    xDeviceCharacteristics: (file: number) => caught(0, () => vfs.jDeviceCharacteristics(file)),
  };
  installVfs({
    io: { struct: io, methods: ioMethods as never },
    vfs: { struct, methods: methods as never, name: vfs.name },
  });
}
