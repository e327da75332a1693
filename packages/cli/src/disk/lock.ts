/**
 * The lock of an image or an output: one run changes it, or several read it.
 *
 * A run makes a lock file of its own first, and lists the folder afterwards. Of two runs each has made its file before it
 * looks, so at least one of them finds the other's, and gives up. No lock is ever taken over: the name of a lock file is
 * that of one run and never used again, and a process that has ended stays ended, so anyone can remove its files at any
 * time. Locks need not outlast a power cut, since no process does.
 */
import { existsSync, rmSync } from 'node:fs';
import { Failure } from '../command.ts';
import { processNumberOf } from './process-identity.ts';
import { journalOf, runFileOf, runFilesBeside, type RunFile } from './run-files.ts';
import { onSignals } from './signals.ts';
import { isCausedBy, isSameFile, nameOf, type Path, type Storage } from './storage.ts';

/** What a run wants to have for itself. */
interface Wanted {
  readonly storage: Storage;
  readonly file: Path;
  readonly kind: 'lock' | 'read-lock';
  /** Takes a process for ended if it cannot be found out whether it has. */
  readonly force: boolean;
}

/** Only the user of the command needs to see it. */
const MODE = 0o600;
/** How often a run tries that begins at the same moment as others. */
const ATTEMPTS = 10;

/** What a run finds of others that have to do with the same file. */
interface Others {
  readonly conflict: RunFile | undefined;
  /** Whether a run had ended before its journal or output was whole. */
  readonly endedDraft: boolean;
}

/** Looks for the files of other runs, and removes those of processes that have ended. */
async function lookForOthers(wanted: Wanted, ownIdentity: string | undefined): Promise<Others> {
  const { storage, file, kind, force } = wanted;
  const about = await storage.look(file);
  let conflict: RunFile | undefined;
  let endedDraft = false;
  for (const found of (await ifPermitted(wanted, runFilesBeside(storage, file))) ?? []) {
    if (found.identity === ownIdentity) continue;
    // Names that differ in case or in their Unicode form may be one file.
    const same =
      Buffer.from(found.about).equals(Buffer.from(file)) || isSameFile(about, await storage.look(found.about));
    const life = storage.processes.lifeOf(found.identity);
    if (life === 'dead' || (life === 'unknown' && same && force)) {
      await removeIfAllowed(storage, found.path);
      endedDraft ||= same && found.kind === 'draft';
    } else if (same && (kind === 'lock' || found.kind !== 'read-lock')) conflict ??= found;
  }
  return { conflict, endedDraft };
}

const isPermission = (error: unknown): boolean => isCausedBy(error, 'EACCES', 'EPERM', 'EROFS');

/**
 * For a file that is only read, in a folder that cannot be listed or written to: `convertToFile` looks for changes in the
 * end.
 */
async function ifPermitted<Result>({ kind }: Wanted, work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (kind === 'read-lock' && isPermission(error)) return undefined;
    throw error;
  }
}

/** What a process that has ended has left does no harm: neither if it is another user's, nor if another run removes it. */
async function removeIfAllowed(storage: Storage, path: Path): Promise<void> {
  try {
    await storage.remove(path);
  } catch (error) {
    if (!isCausedBy(error, 'ENOENT') && !isPermission(error)) throw error;
  }
}

function refusal({ storage, file }: Wanted, { kind, identity }: RunFile): Failure {
  const pid = processNumberOf(identity);
  const does = kind === 'read-lock' ? 'is reading it' : 'is at work on it';
  return new Failure(
    storage.processes.lifeOf(identity) === 'unknown'
      ? `${nameOf(file)}: process ${pid}, maybe of another machine or container, seems to be at work on it; say --force if it has ended`
      : `${nameOf(file)}: process ${pid} ${does}`,
  );
}

/** The lock of a file, for as long as `during` takes. */
export class Lock {
  /** Where this run makes a journal or an output. */
  readonly draft: Path;
  /** Whether a run on the same file had ended before its journal or output was whole. */
  readonly endedDraft: boolean;
  readonly #storage: Storage;
  readonly #path: Path;
  readonly #offSignals: () => void;

  private constructor({ storage, file }: Wanted, path: Path, identity: string, endedDraft: boolean) {
    this.#storage = storage;
    this.#path = path;
    this.endedDraft = endedDraft;
    this.draft = runFileOf(file, 'draft', identity);
    this.#offSignals = onSignals(() => {
      // Half a plaintext must not be left behind.
      rmSync(this.draft, { force: true });
      // Until the process has ended it may write to the image: an image with a journal stays locked for so long.
      if (!existsSync(journalOf(file))) rmSync(path, { force: true });
    });
  }

  /**
   * Does something while no other run changes the file, or uses it at all if this one is to change it.
   *
   * @throws Failure at once if another run has a lock.
   */
  static async during<Result>(wanted: Wanted, work: (lock: Lock) => Promise<Result>): Promise<Result> {
    const lock = await Lock.#take(wanted);
    let result: Result;
    try {
      result = await work(lock);
    } catch (error) {
      // What went wrong first says more than what goes wrong now.
      await lock.#release().catch(() => undefined);
      throw error;
    }
    await lock.#release();
    return result;
  }

  static async #take(wanted: Wanted): Promise<Lock> {
    const { storage, file, kind } = wanted;
    let endedDraft = false;
    for (let attempt = 1; ; attempt++) {
      const before = await lookForOthers(wanted, undefined);
      if (before.conflict) throw refusal(wanted, before.conflict);
      endedDraft ||= before.endedDraft;
      const identity = storage.processes.newIdentity();
      const path = runFileOf(file, kind, identity);
      const lock = new Lock(wanted, path, identity, endedDraft);
      let after: Others;
      try {
        await (await ifPermitted(wanted, storage.create(path, MODE)))?.close();
        after = await lookForOthers(wanted, identity);
      } catch (error) {
        await lock.#release().catch(() => undefined);
        throw error;
      }
      if (!after.conflict) return lock;
      await lock.#release();
      if (attempt === ATTEMPTS) throw refusal(wanted, after.conflict);
      // Both have begun at the same moment. Who comes back first gets the lock.
      await storage.processes.pause();
    }
  }

  /** Whether the lock is still there: a run with --force or a person can have removed it. */
  async isHeld(): Promise<boolean> {
    return (await this.#storage.look(this.#path)) !== undefined;
  }

  async #release(): Promise<void> {
    this.#offSignals();
    if (await this.isHeld()) await this.#storage.remove(this.#path);
  }
}
