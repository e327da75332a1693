/**
 * Files that are mount points, as containers have them (`docker run -v disk.img:/disk.img`). A journal beside such a file is
 * not beside the file that is mounted: it is lost with the container, and not seen from outside.
 */
import { readFileSync, realpathSync } from 'node:fs';
import type { Path } from './storage.ts';

/** On Linux only: other systems do not mount files. */
export function isMountPoint(path: Path, read = () => readFileSync('/proc/self/mountinfo', 'latin1')): boolean {
  let lines: string;
  try {
    lines = read();
  } catch {
    return false;
  }
  const real = realpathSync.native(path, { encoding: 'buffer' }).toString('latin1');
  return lines.split('\n').some((line) => mountPointOf(line) === real);
}

/** Field 5 of proc_pid_mountinfo(5); spaces, tabs, line ends and backslashes are octal numbers after a backslash. */
const mountPointOf = (line: string): string | undefined =>
  line.split(' ')[4]?.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
