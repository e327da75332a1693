/**
 * The lock of an image or an output: one run changes it, or several read it.
 *
 * A run first makes its own lock file and then lists the folder. Each of two runs makes its file before it looks, so at least one
 * finds the other's file and gives up. No lock is ever taken over: the name of a lock file belongs to one run and is never used
 * again, and a process that has ended stays ended, so anyone can remove its files at any time. Locks need not survive a power
 * cut, because no process does.
 */
import { existsSync, rmSync } from 'node:fs';
import { Failure } from '../command.ts';
import { onSignals } from '../signals.ts';
import { processNumberOf } from './process-identity.ts';
import { isPermission, journalOf, removeIfAllowed, runFileOf, runFilesBeside, type RunFile } from './run-files.ts';
import { isSameFile, nameOf, type Path, type Storage } from './storage.ts';

/** The lock that a run asks for. */
interface Wanted {
  readonly storage: Storage;
  readonly file: Path;
  readonly kind: 'lock' | 'read-lock';
  /** Treats a process as ended if that cannot be determined. */
  readonly force: boolean;
}

/** Only the user of the command needs to see it. */
const MODE = 0o600;
/** How often a run tries again if others begin at the same moment. */
const ATTEMPTS = 10;

/** Files of other runs on the same file. */
interface Others {
  readonly conflict: RunFile | undefined;
  /** Whether another run ended before its journal or output was complete. */
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
    // Names that differ in case or Unicode normalisation may name one file.
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

function refusal({ storage, file }: Wanted, { kind, identity }: RunFile): Failure {
  const pid = processNumberOf(identity);
  const does = kind === 'read-lock' ? 'is reading it' : 'is at work on it';
  return new Failure(
    storage.processes.lifeOf(identity) === 'unknown'
      ? `${nameOf(file)}: process ${pid}, maybe of another machine or container, seems to be at work on it; say --force if it has ended`
      : `${nameOf(file)}: process ${pid} ${does}`,
  );
}

/** The lock of a file, held while `during` runs. */
export class Lock {
  /** The path under which this run makes a journal or an output. */
  readonly draft: Path;
  /** Whether another run on the same file ended before its journal or output was complete. */
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
      // A draft may hold a part of the plaintext.
      rmSync(this.draft, { force: true });
      // A process may write to the image until it has ended, so an image with a journal stays locked until then.
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
      // The first error says more than an error of the cleanup.
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
      // Both runs began at the same moment. The first to try again gets the lock.
      await storage.processes.pause();
    }
  }

  /** Whether the lock file still exists: a run with --force, or the user, can have removed it. */
  async isHeld(): Promise<boolean> {
    return (await this.#storage.look(this.#path)) !== undefined;
  }

  async #release(): Promise<void> {
    this.#offSignals();
    if (await this.isHeld()) await this.#storage.remove(this.#path);
  }
}
