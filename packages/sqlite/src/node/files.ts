/** The files of databases that calls are given, looked at before they are opened. */
import { closeSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { Mode } from '../options.ts';
import { checkText, typeOf } from '../values.ts';

/** The option of a call that names a file, checked, as a whole path. */
export function pathOf(file: unknown, name: string): string {
  if (typeof file !== 'string' || file === '')
    throw new TypeError(`"${name}" expected a path, got ${file === '' ? 'length=0' : typeOf(file)}`);
  return resolve(checkText(file, name));
}

/** Undefined if there is no such file. */
export const look = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** The first bytes of a file, as many as there are. */
export function headOf(path: string, length: number): Uint8Array {
  const head = new Uint8Array(length);
  const handle = openSync(path, 'r');
  try {
    return head.subarray(0, readSync(handle, head, 0, length, 0));
  } finally {
    closeSync(handle);
  }
}

/** @throws Error if there is no such file, or another thing of that name. */
export function requireFile(path: string): void {
  const found = look(path);
  if (!found) throw new Error(`there is no file ${path}`);
  if (!found.isFile()) throw new Error(`not a file: ${path}`);
}

/** SQLite takes a journal whose first byte is zero for one that has ended (sqlite.org/fileformat2.html §3). */
const isHot = (path: string): boolean => headOf(path, 1).some((byte) => byte !== 0);

/**
 * Databases that other programs write, too, are locked by the system there, and by files here: neither sees the other. A journal or log says
 * that a program is at work or has crashed.
 *
 * @throws Error if there is one.
 */
export function refuseForeignJournal(path: string, mode: Mode | undefined): void {
  if (mode === 'authenticated') return;
  for (const name of [`${path}-journal`, `${path}-wal`])
    if (look(name) && isHot(name))
      throw new Error(`${name} is there: a program has the database open, or crashed; open and close it there first`);
}
