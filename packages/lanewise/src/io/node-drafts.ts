/**
 * Files of Node that are not complete, beside their places: `NAME.lanewise-draft.IDENTITY`. The identity tells the host, its boot, the
 * namespace of processes, the process and when that began, so that the drafts of processes that were killed are known, and removed. The
 * `lanewise` command names its own drafts in the same way.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bytesToHex } from '../calls/bytes.ts';
import { randomBytes } from '../calls/random.ts';

const UNKNOWN = '00000000';
const DRAFT = /^.+\.lanewise-draft\.([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-(\d+)-[0-9a-f]{12}$/s;

/** Undefined where the system does not have it. */
function orNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const textOf = (path: string): string | undefined => orNothing(() => readFileSync(path, 'latin1'));

const shortHash = (text: string | undefined): string =>
  text === undefined ? UNKNOWN : createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Field 22 of proc_pid_stat(5), in clock ticks after the boot. The name of the program, field 2, may hold spaces and parentheses. */
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
    process.kill(+pid, 0);
  } catch (error) {
    if ((error as { code?: string }).code === 'ESRCH') return true;
  }
  // Systems use the numbers of processes again.
  return start !== '0' && its[4] !== '0' && (startOf(pid) ?? start) !== start;
}

/** A new name for the draft of a file, whose own name is cut where both have more than the 255 bytes of most systems. */
export function draftOf(place: string): string {
  const identity = `.lanewise-draft.${[...own(), bytesToHex(randomBytes(6))].join('-')}`;
  let name = basename(place);
  while (Buffer.byteLength(name + identity) > 255) name = name.slice(0, -1);
  return join(dirname(place), name + identity);
}

/** How many files are still written before a folder is listed. */
let pause = 0;

/** Removes the drafts in the folder of a file whose processes were killed. */
export async function removeDead(place: string): Promise<void> {
  if (pause-- >= 1) return;
  const its = own();
  // A folder that can't be listed, or a draft of another user, isn't a reason not to write.
  const names = await readdir(dirname(place)).catch(() => []);
  // Listed for each of them, n files in one folder would take n² time.
  pause = names.length / 1000;
  for (const name of names)
    if (isDead(name, its)) await rm(join(dirname(place), name), { force: true }).catch(() => undefined);
}
