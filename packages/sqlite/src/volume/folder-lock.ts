/**
 * One program has the files of a folder of Node: the lock of `NodeVFS`, whose files a program that was killed doesn't leave to block others.
 * Other file systems with the calls of `node:fs` are within this process, as those of ZenFS, and have none.
 */
import { LOCK_RESERVED } from '../codes.ts';
import { FileLock, type LockCalls } from '../node/locks.ts';
import type { FileCalls } from './folder-store.ts';

/** Its folder is `volume-locks`, as that of a database named `volume`. */
const LOCKED = 'volume';
export const isOfLock = (name: string): boolean => name === `${LOCKED}-locks`;

/** `node:fs` of Node 20.16 and later, Bun and Deno, if these calls are of it. */
function nodesOwn(fs: FileCalls): LockCalls | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const own = process?.getBuiltinModule?.('node:fs');
  return own?.openSync === fs.openSync ? own : undefined;
}

/** @throws Error if another program, or another call in this one, has the files. */
export function lockFolder(fs: FileCalls, folder: string): FileLock | undefined {
  const own = nodesOwn(fs);
  if (!own) return undefined;
  const lock = new FileLock(`${folder}/${LOCKED}`, own);
  let isOurs = false;
  try {
    isOurs = lock.lock(LOCK_RESERVED);
  } finally {
    if (!isOurs) lock.close();
  }
  if (isOurs) return lock;
  throw new Error(
    `cannot open the files in ${folder}: this or another program has them open, and one at a time can; close them there`,
  );
}
