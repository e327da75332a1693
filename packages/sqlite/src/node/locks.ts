/**
 * SQLite's five states of a lock between processes (sqlite.org/lockingv3.html §3), by files in a folder beside the database: Node has no
 * locks of the system.
 *
 * | file | held by |
 * |---|---|
 * | `shared-ID` | each connection that reads |
 * | `reserved` | the one that is going to write |
 * | `pending` | the one that waits for readers to end, then writes |
 *
 * `reserved` and `pending` hold the ID of their owner: process, start of the process, random bytes for the connection. Files of processes that have
 * ended are removed by those whom they would block.
 */
import { bytesToHex, randomBytes } from 'lanewise/utils.js';
import { LOCK_EXCLUSIVE, LOCK_NONE, LOCK_PENDING, LOCK_RESERVED, LOCK_SHARED } from '../codes.ts';

/** `node:fs`, which is given: encrypted files are also for browsers, whose bundlers don't know it. */
export type LockCalls = Pick<
  typeof import('node:fs'),
  'mkdirSync' | 'readdirSync' | 'readFileSync' | 'renameSync' | 'rmdirSync' | 'unlinkSync' | 'writeFileSync'
>;

/** Options without a prototype: functions of Node read others from Object.prototype, which may be polluted. */
const own = <Options extends object>(options: Options): Options =>
  Object.assign(Object.create(null) as Options, options);

/** When a process began, where the system tells: a number of a process may be given again. */
function startOf(process: number, fs: LockCalls): string {
  try {
    const stat = fs.readFileSync(`/proc/${process}/stat`, own({ encoding: 'latin1' as const }));
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return '0';
  }
}

/** The lock of one connection. */
export class FileLock {
  readonly #folder: string;
  readonly #fs: LockCalls;
  readonly #id: string;
  #level = LOCK_NONE;

  constructor(path: string, fs: LockCalls) {
    this.#folder = `${path}-locks`;
    this.#fs = fs;
    // Threads of a process share no counter of connections.
    this.#id = `${process.pid}.${startOf(process.pid, fs)}.${bytesToHex(randomBytes(8))}`;
  }

  get level(): number {
    return this.#level;
  }

  #file(name: string): string {
    return `${this.#folder}/${name}`;
  }

  #unlink(path: string): void {
    try {
      this.#fs.unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  #read(path: string): string | undefined {
    try {
      return this.#fs.readFileSync(path, own({ encoding: 'utf8' as const }));
    } catch {
      return undefined;
    }
  }

  /** Whether the process of an ID still runs. */
  #isAlive(id: string): boolean {
    const [number, began] = id.split('.');
    const pid = Number(number);
    if (!Number.isSafeInteger(pid) || pid <= 0) return false;
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    }
    const now = startOf(pid, this.#fs);
    return now === '0' || began === '0' || now === began;
  }

  /** Whether the owner of a file still runs. One that made it and has written nothing yet, or was killed then, has one as a reader, too. */
  #isOwned(owner: string): boolean {
    return owner === '' ? this.#hasReaders() : this.#isAlive(owner);
  }

  /** Makes a file that one connection can have; false if another has it. */
  #claim(name: string): boolean {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        this.#fs.writeFileSync(this.#file(name), this.#id, own({ flag: 'wx' }));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const owner = this.#read(this.#file(name));
      if (owner === this.#id) return true;
      if (owner === undefined) continue;
      if (this.#isOwned(owner)) return false;
      this.#removeStale(name, owner);
    }
    return false;
  }

  /** Removes the file of a process that has ended, unless another connection has done so and made its own. */
  #removeStale(name: string, owner: string): void {
    const aside = this.#file(`stale-${this.#id}`);
    try {
      this.#fs.renameSync(this.#file(name), aside);
    } catch {
      return;
    }
    if (this.#read(aside) === owner) this.#unlink(aside);
    else this.#fs.renameSync(aside, this.#file(name));
  }

  /** Whether another connection that still runs reads. */
  #hasReaders(): boolean {
    return this.#fs.readdirSync(this.#folder, own({ encoding: 'utf8' as const })).some((name) => {
      if (!name.startsWith('shared-') || name === `shared-${this.#id}`) return false;
      if (this.#isAlive(name.slice('shared-'.length))) return true;
      this.#unlink(this.#file(name));
      return false;
    });
  }

  /** Whether another connection that still runs has this file. */
  #isTaken(name: string): boolean {
    const owner = this.#read(this.#file(name));
    if (owner === undefined || owner === this.#id) return false;
    if (this.#isOwned(owner)) return true;
    this.#removeStale(name, owner);
    return false;
  }

  /** Whether any connection is going to write. */
  get isReserved(): boolean {
    return this.#level >= LOCK_RESERVED || this.#isTaken('reserved') || this.#isTaken('pending');
  }

  /** @returns Whether the lock is held now. */
  lock(level: number): boolean {
    if (level <= this.#level) return true;
    if (this.#level === LOCK_NONE && !this.#share()) return false;
    if (level >= LOCK_RESERVED && this.#level < LOCK_RESERVED && level === LOCK_RESERVED) {
      if (!this.#claim('reserved')) return false;
      this.#level = LOCK_RESERVED;
    }
    if (level === LOCK_EXCLUSIVE) {
      if (this.#level < LOCK_PENDING && !this.#claim('pending')) return false;
      this.#level = LOCK_PENDING;
      if (this.#hasReaders()) return false;
      this.#level = LOCK_EXCLUSIVE;
    }
    return true;
  }

  /** `recursive` would fail when another connection removes the folder between the two looks of Node. */
  #makeFolder(): void {
    try {
      this.#fs.mkdirSync(this.#folder, own({ mode: 0o700 }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  #share(): boolean {
    for (;;) {
      this.#makeFolder();
      try {
        this.#fs.writeFileSync(this.#file(`shared-${this.#id}`), '', own({ flag: 'w' }));
        break;
      } catch (error) {
        // The last of the other connections removed the folder in between.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    // First the file, then the look: a writer does the same with the other file, so one of them sees the other.
    if (this.#isTaken('pending')) {
      this.#unlink(this.#file(`shared-${this.#id}`));
      return false;
    }
    this.#level = LOCK_SHARED;
    return true;
  }

  unlock(level: number): void {
    if (level >= this.#level) return;
    if (this.#level >= LOCK_PENDING) this.#unlink(this.#file('pending'));
    if (this.#level >= LOCK_RESERVED && this.#read(this.#file('reserved')) === this.#id)
      this.#unlink(this.#file('reserved'));
    if (level === LOCK_NONE) {
      this.#unlink(this.#file(`shared-${this.#id}`));
      this.#removeFolder();
    }
    this.#level = level;
  }

  #removeFolder(): void {
    try {
      this.#fs.rmdirSync(this.#folder);
    } catch {
      // Another connection has files there, or has removed it.
    }
  }

  /** Gives up the lock, and removes the folder if only processes have files there that have ended. */
  close(): void {
    this.unlock(LOCK_NONE);
    try {
      for (const name of ['reserved', 'pending']) this.#isTaken(name);
      if (!this.#hasReaders()) this.#removeFolder();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
