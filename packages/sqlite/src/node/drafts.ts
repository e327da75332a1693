/**
 * Copies that are not complete, beside their places, named as the library and the `lanewise` command name their drafts:
 * `NAME.lanewise-draft.IDENTITY`. The identity tells the host, its boot, the namespace of processes, the process and when that began, so
 * that the drafts of processes that were killed are known, and removed by any of the three.
 */
import { createHash } from 'node:crypto';
import { linkSync, lstatSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bytesToHex, randomBytes } from 'lanewise/utils.js';

const UNKNOWN = '00000000';
const DRAFT = /^.+\.lanewise-draft\.([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}$/s;
/** Most systems take no longer name. */
const MOST_BYTES = 255;

/** Undefined where the system does not have it. */
function orNothing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const textOf = (path: string): string | undefined => orNothing(() => readFileSync(path, 'latin1'));

const shortHash = (text: string | undefined): string =>
  text === undefined ? UNKNOWN : createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Field 22 of proc_pid_stat(5), after the name of the program, which may hold spaces and parentheses. */
const startOf = (pid: number | string): string | undefined =>
  textOf(`/proc/${pid}/stat`)?.split(') ').at(-1)!.split(' ')[19];

/** Of this process: host, boot, namespace, number and start, which is 0 where it is not known. */
const own = (): readonly string[] => [
  shortHash(`${hostname()}\n${textOf('/etc/machine-id') ?? ''}`),
  shortHash(textOf('/proc/sys/kernel/random/boot_id')),
  shortHash(orNothing(() => readlinkSync('/proc/self/ns/pid'))),
  `${process.pid}`,
  startOf(process.pid) ?? '0',
];

/** Whether the process that made a draft is certain to have ended. */
function isDead(draft: string, its: readonly string[]): boolean {
  const [, host, boot, namespace, pid, start] = DRAFT.exec(draft) ?? [];
  if (host !== its[0]) return false;
  if (boot !== its[1]) return boot !== UNKNOWN && its[1] !== UNKNOWN;
  if (namespace !== its[2]) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return true;
  }
  // Systems use the numbers of processes again.
  return start !== '0' && its[4] !== '0' && (startOf(pid) ?? start) !== start;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** A new name for the draft of a file, whose own name is cut where both are too long. */
export function draftOf(place: string): string {
  const identity = `.lanewise-draft.${[...own(), bytesToHex(randomBytes(6))].join('-')}`;
  let name = basename(place);
  while (Buffer.byteLength(name + identity) > MOST_BYTES) name = name.slice(0, -1);
  return join(dirname(place), name + identity);
}

/** Removes the drafts in the folder of a file whose processes were killed. */
export function removeDead(place: string): void {
  const its = own();
  // A folder that can't be listed, or a draft of another user, isn't a reason not to write.
  for (const name of orNothing(() => readdirSync(dirname(place))) ?? [])
    if (isDead(name, its)) orNothing(() => rmSync(join(dirname(place), name), { force: true }));
}

/** Gives a draft its name, unless another file has it. Returns whether it has it. */
export function renameToNew(draft: string, place: string): boolean {
  try {
    linkSync(draft, place);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // A file system without hard links.
    if (lstatSync(place, { throwIfNoEntry: false })) return false;
    renameSync(draft, place);
    return true;
  }
  rmSync(draft);
  return true;
}
