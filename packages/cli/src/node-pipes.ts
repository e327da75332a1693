/** Pipes that Node has for itself, under numbers that a user may name by mistake: `/dev/fd/6`. */
import { fstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { constants } from 'node:os';

const [READ, WRITE] = [0, 1] as const;

/** The access mode of a descriptor: 0 to read, 1 to write, 2 for both (open(2)). */
const modeOf = (descriptor: number): number =>
  parseInt(/^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))![1], 8) & 3;

function isOtherEnd(of: number, descriptor: number): boolean {
  try {
    const [its, other] = [fstatSync(of), fstatSync(descriptor)];
    return (
      its.ino === other.ino && its.dev === other.dev && modeOf(of) === (modeOf(descriptor) === READ ? WRITE : READ)
    );
  } catch {
    // The list of descriptors had one of its own.
    return false;
  }
}

/**
 * Refuses a pipe whose two ends are in this process, as if it were not open. Node takes the bytes from the pipe of its signals for
 * addresses in memory, and nothing comes out of another. Of a pipe that was passed to this process, another one has the other end.
 *
 * @throws the system's error for a descriptor that is not open. Systems without /proc do not tell the ends apart.
 */
export function refuseNodePipe(descriptor: number, found: Stats): void {
  if (!found.isFIFO()) return;
  let all: readonly string[];
  try {
    all = readdirSync('/proc/self/fd');
  } catch {
    return;
  }
  if (!all.some((name) => isOtherEnd(descriptor, Number(name)))) return;
  const errno = -constants.errno.EBADF;
  throw Object.assign(new Error('EBADF: bad file descriptor'), { code: 'EBADF', errno, syscall: 'fstat' });
}
