/**
 * The identity of the process that made a file, written in the file's name, and whether that process is still alive.
 *
 * A process number alone is not enough: systems reuse numbers, and other machines and containers have the same ones. On Linux the
 * identity also holds the boot of the machine, the PID namespace and the start time of the process, so the answer is certain within
 * a namespace. On other systems the start time is not known: while a process has that number, the answer is `unknown`.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { blake3 } from 'lanewise/blake3.js';
import { bytesToHex, randomBytes } from 'lanewise/utils.js';

export type Life = 'alive' | 'dead' | 'unknown';

/** Questions about processes, as an interface that tests can simulate. */
export interface Processes {
  /** The current boot of the machine, where that is known. */
  readonly boot: string | undefined;
  /** @returns an identity for one run of this process, different for each run. */
  newIdentity(): string;
  lifeOf(identity: string): Life;
  /** Waits for a short random time, so that one of two conflicting processes is first. */
  pause(): Promise<void>;
}

/** Host, boot, PID namespace, process number, its start in clock ticks after the boot, and a random number. */
export const IDENTITY = /[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-\d+-\d+-[0-9a-f]{12}/;

export const processNumberOf = (identity: string): number => Number(identity.split('-')[3]);

const UNKNOWN = '00000000';
const NO_START = '0';
const RANDOM_BYTES = 6;
const LONGEST_PAUSE_MILLISECONDS = 50;

/** Runs of this process. */
const runs = new Set<string>();

/** @returns undefined where the system does not have it. */
function orNothing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const shortHash = (text: string | undefined): string =>
  text === undefined ? UNKNOWN : bytesToHex(blake3(Buffer.from(text)).subarray(0, UNKNOWN.length / 2));

/** Fields 1, 3 and 22 of proc_pid_stat(5). The name of the program, field 2, may hold spaces and parentheses. */
function statOf(process: number | 'self') {
  const text = orNothing(() => readFileSync(`/proc/${process}/stat`, 'latin1'));
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { pid: parseInt(text), state: fields[0], start: fields[19] };
}

const threadsOf = (pid: number): number => orNothing(() => readdirSync(`/proc/${pid}/task`))?.length ?? 0;

/** A killed process keeps its number until its parent has waited for it, and may have threads that write until then. */
const hasEnded = (pid: number, state: string): boolean => 'ZX'.includes(state) && threadsOf(pid) <= 1;

function ownStart(): string {
  const own = statOf('self');
  // A container may see the /proc of its host, with other numbers.
  return own?.pid === process.pid ? own.start : NO_START;
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const own = {
  host: shortHash(`${hostname()}\n${orNothing(() => readFileSync('/etc/machine-id', 'utf8')) ?? ''}`),
  boot: shortHash(orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
  namespace: shortHash(orNothing(() => readlinkSync('/proc/self/ns/pid'))),
  start: ownStart(),
};

export const processes: Processes = {
  boot: own.boot === UNKNOWN ? undefined : own.boot,
  newIdentity() {
    const random = bytesToHex(randomBytes(RANDOM_BYTES));
    const identity = [own.host, own.boot, own.namespace, process.pid, own.start, random].join('-');
    runs.add(identity);
    return identity;
  },
  lifeOf(identity) {
    const [host, boot, namespace, number, start] = identity.split('-');
    if (host !== own.host) return 'unknown';
    if (boot !== own.boot) return boot === UNKNOWN || own.boot === UNKNOWN ? 'unknown' : 'dead';
    if (namespace !== own.namespace) return 'unknown';
    const pid = Number(number);
    if (runs.has(identity)) return 'alive';
    if (!exists(pid)) return 'dead';
    if (start === NO_START || own.start === NO_START) return pid === process.pid ? 'dead' : 'unknown';
    const found = statOf(pid);
    // It has just ended, or the system hides the processes of other users.
    if (!found) return exists(pid) ? 'unknown' : 'dead';
    return found.start !== start || hasEnded(pid, found.state) ? 'dead' : 'alive';
  },
  pause: () => sleep(Math.random() * LONGEST_PAUSE_MILLISECONDS),
};
