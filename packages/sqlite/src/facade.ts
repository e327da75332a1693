/** `FacadeVFS` of wa-sqlite with its types: its calls get texts and arrays of bytes where SQLite's have addresses. */
import { FacadeVFS } from '@journeyapps/wa-sqlite/src/FacadeVFS.js';
import type { BaseVFS } from './encrypt-vfs.ts';

/** The calls that the VFS of this package have of their own. */
export interface FacadeCalls extends BaseVFS {
  mxPathname: number;
  close(): void | Promise<void>;
  jDelete(name: string, syncFolder: number): number | Promise<number>;
  jAccess(name: string, flags: number, found: DataView): number | Promise<number>;
  jFullPathname(name: string, into: Uint8Array): number | Promise<number>;
  jCheckReservedLock(file: number, isReserved: DataView): number | Promise<number>;
}

export class Facade extends (FacadeVFS as new (name: string, module: object) => FacadeCalls) {
  /** A function that wa-sqlite calls for each call, if there is one: it would take one of a polluted Object.prototype. */
  log: ((...values: unknown[]) => void) | undefined = undefined;
}
