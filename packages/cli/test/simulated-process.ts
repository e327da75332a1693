/** One of several processes that use a simulated disk at once. It stops for a while, or ends, where chance wants it. */
import type { Path, Storage, StoredFile } from '../src/disk/storage.ts';
import type { Processes } from '../src/disk/process-identity.ts';
import type { Disk } from './failing-storage.ts';

/** The error of every operation of a killed process. */
export class Killed extends Error {}

/** Steps of the scheduler that an operation waits for, and a process that is stopped (SIGSTOP). */
const MOST_STEPS = 6;
const MOST_STOPPED_STEPS = 600;
const STOPS = 0.03;

export class SimulatedProcess implements Storage {
  readonly processes: Processes;
  readonly pid: number;
  readonly #disk: Disk;
  readonly #random: () => number;
  #operationsLeft: number;

  /** @param killedAt - The operation at which it is killed, before it is done. */
  constructor(disk: Disk, pid: number, random: () => number, killedAt = Infinity) {
    this.pid = pid;
    this.#disk = disk;
    this.#random = random;
    this.#operationsLeft = killedAt;
    this.processes = disk.processesOf(
      () => pid,
      () => this.#steps(),
    );
    disk.alive.add(pid);
  }

  /** It has ended by itself. */
  end(): void {
    this.#disk.alive.delete(this.pid);
  }

  async #steps(): Promise<void> {
    const most = this.#random() < STOPS ? MOST_STOPPED_STEPS : MOST_STEPS;
    for (let step = Math.floor(this.#random() * most); step > 0; step--) await Promise.resolve();
    if (this.#operationsLeft-- > 0) return;
    this.end();
    throw new Killed();
  }

  async #do<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#steps();
    return work();
  }

  #file(file: StoredFile): StoredFile {
    return {
      name: file.name,
      read: (buffer, at) => this.#do(() => file.read(buffer, at)),
      write: (buffer, at) => this.#do(() => file.write(buffer, at)),
      flush: () => this.#do(() => file.flush()),
      look: () => this.#do(() => file.look()),
      give: (owner, group) => this.#do(() => file.give(owner, group)),
      permit: (mode) => this.#do(() => file.permit(mode)),
      close: () => file.close(),
    };
  }

  look = (path: Path) => this.#do(() => this.#disk.look(path));
  checkWritable = () => this.#do(() => this.#disk.checkWritable());
  open = (path: Path) => this.#do(async () => this.#file(await this.#disk.open(path)));
  create = (path: Path) =>
    this.#do(async () => {
      const file = await this.#disk.create(path);
      return file && this.#file(file);
    });
  rename = (from: Path, to: Path) => this.#do(() => this.#disk.rename(from, to));
  link = (from: Path, to: Path) => this.#do(() => this.#disk.link(from, to));
  remove = (path: Path) => this.#do(() => this.#disk.remove(path));
  list = () => this.#do(() => this.#disk.list());
  flushFolder = () => this.#do(() => this.#disk.flushFolder());
}
