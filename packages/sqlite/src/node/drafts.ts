/**
 * Drafts: a copy is written beside its place under another name, and gets its own when it is whole and on the medium. A process
 * that is killed so leaves nothing under the name of the copy. The name of a draft says who makes it, so that the next copy removes
 * those of processes that were killed:
 *
 *     NAME.draft-HOST-PROCESS-RANDOM
 */
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Names of processes are those of one machine or container. */
const host = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Creates an empty draft, which those may read who may read the copy. */
export function newDraft(path: string): string {
  const draft = `${path}.draft-${host()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  closeSync(openSync(draft, 'wx'));
  return draft;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: a process of another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A draft's process, and the folder of locks that SQLite's files here have beside them. */
const REST = /^(\d+)-[0-9a-f]{8}(?:-locks)?$/;

/** Removes the drafts of a copy that killed processes of this machine left. */
export function sweepDrafts(path: string): void {
  const [folder, own] = [dirname(path), `${basename(path)}.draft-${host()}-`];
  for (const name of namesIn(folder)) {
    const pid = name.startsWith(own) ? REST.exec(name.slice(own.length))?.[1] : undefined;
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // A folder that can be written to, and not listed.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return [];
    throw error;
  }
}

/**
 * Gives a draft its name, if there is no file of that name.
 *
 * @throws Error with the code EEXIST if there is one: it stays.
 */
export function renameToNew(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // File systems without hard links: the name is taken first, and the draft replaces what took it.
    closeSync(openSync(path, 'wx'));
    renameSync(draft, path);
    return;
  }
  rmSync(draft);
}
