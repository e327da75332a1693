/** Modules of Node, in hosts that have them. */
import { Bytes, hosted, toNumber } from '../engine/intrinsics.ts';
import { has } from './handles.ts';
import type { SharedFile } from '../work/threads.ts';

interface NodeProcess {
  getBuiltinModule?(name: string): unknown;
  readonly versions?: { readonly node?: string };
}

const process = /* @__PURE__ */ hosted<NodeProcess>('process');

/** A module of Node, Bun or Deno. Undefined elsewhere, and in a Node that gives modules to `import` only, which bundlers would follow. */
export const builtin = (name: string): unknown => process()?.getBuiltinModule?.(name);

/** Whether this is Node, or claims to be. */
export const isNode = (): boolean => process()?.versions?.node !== undefined;

/** As far as it is used, `node:fs`. */
interface FileSystem {
  fstatSync(fd: number, options: object): { size: bigint; dev: bigint; ino: bigint };
  readFileSync(path: string, encoding: 'latin1'): string;
  readSync(fd: number, into: Uint8Array, offset: number, length: number, position: number): number;
  writeSync(fd: number, from: Uint8Array, offset: number, length: number, position: number): number;
}

export const fileSystem = (): FileSystem | undefined => builtin('node:fs') as FileSystem | undefined;

/** The error for a file such as a device or one of /proc, which would count as empty. */
export const withoutSize = (): Error =>
  new Error('"source" expected file that tells its size, got one that has bytes and says 0: read it as a stream');

/** An open file. */
export interface StatedFile {
  readonly size: number;
  readonly dev: bigint;
  readonly ino: bigint;
  /** The file as other threads reach it: undefined if none can. */
  readonly file: SharedFile | undefined;
}

/** The open file of a `FileHandle` of Node, and its size; undefined for all else. */
export function openFileOf(source: object): StatedFile | undefined {
  const { fd } = source as { fd?: unknown };
  // An object with a size reads in a way of its own.
  if (typeof fd !== 'number' || !has(source, 'stat', 'read') || 'size' in source || 'getSize' in source)
    return undefined;
  checkOpen(fd, 'source');
  const system = fileSystem();
  if (!system) return undefined;
  const file = stated(system, fd);
  if (!file.size && system.readSync(fd, new Bytes(1), 0, 1, 0)) throw withoutSize();
  return file;
}

/** A `FileHandle` that was closed has no descriptor. */
function checkOpen(fd: number, name: string): void {
  if (fd < 0) throw new Error(`"${name}" expected FileHandle that is open, got one that was closed`);
}

function stated(system: FileSystem, fd: number): StatedFile {
  const { size, dev, ino } = system.fstatSync(fd, { bigint: true });
  // In Deno, such a number means another file in another thread.
  return { size: toNumber(size), file: 'Deno' in globalThis ? undefined : { fd, dev, ino }, dev, ino };
}

/** The open file of a `FileHandle` of Node that is only written; undefined for all else. */
export function targetFileOf(target: object): StatedFile | undefined {
  const { fd } = target as { fd?: unknown };
  const system = fileSystem();
  if (typeof fd !== 'number' || !has(target, 'write') || !system) return undefined;
  checkOpen(fd, 'to');
  if (appends(system, fd))
    throw new Error('"to" expected file that is not open for appending: Linux writes at its end');
  return stated(system, fd);
}

const O_APPEND = 0o2000;

/** Whether the position of a write is ignored, as Linux does. Systems without /proc write where they are told. */
function appends(system: FileSystem, fd: number): boolean {
  try {
    const [, flags] = system.readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1').split(/flags:\s*/);
    return (parseInt(flags, 8) & O_APPEND) !== 0;
  } catch {
    return false;
  }
}
