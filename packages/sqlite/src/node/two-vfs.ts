/** Two VFS in one connection: that of a database, and another for one file, which `VACUUM INTO` writes. */
import * as codes from '../codes.ts';
import type { EncryptedVFS } from '../encrypt-vfs.ts';
import { Facade, type FacadeCalls } from '../facade.ts';

/** A VFS of one side. A plain one has the same members. */
export type SideVFS = FacadeCalls & Pick<EncryptedVFS, 'failure' | 'destroy'>;

/** The calls for an open file. */
type FileCalls = Pick<
  SideVFS,
  | 'jClose'
  | 'jRead'
  | 'jWrite'
  | 'jTruncate'
  | 'jSync'
  | 'jFileSize'
  | 'jLock'
  | 'jUnlock'
  | 'jCheckReservedLock'
  | 'jFileControl'
  | 'jSectorSize'
  | 'jDeviceCharacteristics'
>;

const OK = (): number => codes.OK;

/** The journal of a copy, which is dropped: a copy that fails is removed, so nothing is ever played back into it. */
const DROPPED: FileCalls = {
  jClose: OK,
  jRead: (_file, into) => {
    into.fill(0);
    return codes.IOERR_SHORT_READ;
  },
  jWrite: OK,
  jTruncate: OK,
  jSync: OK,
  jFileSize: (_file, size) => {
    size.setBigInt64(0, 0n, true);
    return codes.OK;
  },
  jLock: OK,
  jUnlock: OK,
  jCheckReservedLock: OK,
  jFileControl: () => codes.NOTFOUND,
  jSectorSize: () => 4096,
  jDeviceCharacteristics: () => 0,
};

export class TwoVFS extends Facade {
  readonly #source: SideVFS;
  readonly #target: SideVFS;
  readonly #path: string;
  readonly #written: { any: boolean };
  readonly #open = new Map<number, FileCalls>();
  override mxPathname = 4096;

  /**
   * @param path - Of the file that `target` writes.
   * @param written - Hears whether it was.
   */
  constructor(name: string, module: object, source: SideVFS, target: SideVFS, path: string, written: { any: boolean }) {
    super(name, module);
    this.#source = source;
    this.#target = target;
    this.#path = path;
    this.#written = written;
  }

  get failure(): string | undefined {
    return this.#target.failure ?? this.#source.failure;
  }

  #named(name: string | null): SideVFS {
    return name === this.#path ? this.#target : this.#source;
  }

  #of(file: number): FileCalls {
    return this.#open.get(file) ?? this.#source;
  }

  override jOpen(name: string | null, file: number, flags: number, outFlags: DataView): number | Promise<number> {
    if (name === `${this.#path}-journal`) {
      this.#open.set(file, DROPPED);
      outFlags.setInt32(0, flags, true);
      return codes.OK;
    }
    const vfs = this.#named(name);
    const code = vfs.jOpen(name, file, flags, outFlags);
    if (code === codes.OK) this.#open.set(file, vfs);
    return code;
  }

  override jClose(file: number): number | Promise<number> {
    const vfs = this.#of(file);
    this.#open.delete(file);
    return vfs.jClose(file);
  }

  override jRead(file: number, into: Uint8Array, at: number): number | Promise<number> {
    return this.#of(file).jRead(file, into, at);
  }

  override jWrite(file: number, bytes: Uint8Array, at: number): number | Promise<number> {
    const vfs = this.#of(file);
    if (vfs === this.#target) this.#written.any = true;
    return vfs.jWrite(file, bytes, at);
  }

  override jTruncate(file: number, size: number): number | Promise<number> {
    return this.#of(file).jTruncate(file, size);
  }

  override jSync(file: number, flags: number): number | Promise<number> {
    return this.#of(file).jSync(file, flags);
  }

  override jFileSize(file: number, size: DataView): number | Promise<number> {
    return this.#of(file).jFileSize(file, size);
  }

  /** No other connection knows of the copy before it is whole. */
  override jLock(file: number, level: number): number | Promise<number> {
    const vfs = this.#of(file);
    return vfs === this.#target ? codes.OK : vfs.jLock(file, level);
  }

  override jUnlock(file: number, level: number): number | Promise<number> {
    const vfs = this.#of(file);
    return vfs === this.#target ? codes.OK : vfs.jUnlock(file, level);
  }

  override jCheckReservedLock(file: number, isReserved: DataView): number | Promise<number> {
    return this.#of(file).jCheckReservedLock(file, isReserved);
  }

  override jFileControl(file: number, operation: number, argument: DataView): number | Promise<number> {
    return this.#of(file).jFileControl(file, operation, argument);
  }

  override jSectorSize(file: number): number | Promise<number> {
    return this.#of(file).jSectorSize(file);
  }

  override jDeviceCharacteristics(file: number): number | Promise<number> {
    return this.#of(file).jDeviceCharacteristics(file);
  }

  override jDelete(name: string, syncFolder: number): number | Promise<number> {
    return this.#named(name).jDelete(name, syncFolder);
  }

  override jAccess(name: string, flags: number, found: DataView): number | Promise<number> {
    return this.#named(name).jAccess(name, flags, found);
  }

  override jFullPathname(name: string, into: Uint8Array): number | Promise<number> {
    return this.#source.jFullPathname(name, into);
  }

  override async close(): Promise<void> {
    this.#source.destroy();
    this.#target.destroy();
    try {
      await this.#source.close();
    } finally {
      await this.#target.close();
    }
  }
}
