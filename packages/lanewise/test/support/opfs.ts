/** The files that browsers keep for a page (OPFS). */
import type { AsynchronousHandle, SynchronousHandle } from '../../src/disk.ts';

/** The part of the File System standard that is used here. */
export type Handle = AsynchronousHandle & {
  createSyncAccessHandle?(): Promise<SynchronousHandle & { close(): void }>;
};
interface Directory {
  getFileHandle(name: string, options: { create: boolean }): Promise<Handle>;
  removeEntry(name: string): Promise<void>;
}

const { storage } =
  (globalThis as { navigator?: { storage?: { getDirectory?(): Promise<Directory> } } }).navigator ?? {};

/** Does something with a new file, and removes it. Returns why there is none, if the host has no such files. */
export async function withFile(work: (handle: Handle) => Promise<void>): Promise<string | undefined> {
  let root: Directory;
  try {
    if (!storage?.getDirectory) return 'this host has no files of its own (OPFS)';
    root = await storage.getDirectory();
  } catch (error) {
    return `this host gives no files of its own (OPFS): ${(error as Error).name}`;
  }
  const name = `lanewise-${Math.random()}`;
  try {
    await work(await root.getFileHandle(name, { create: true }));
  } finally {
    await root.removeEntry(name);
  }
  return undefined;
}
