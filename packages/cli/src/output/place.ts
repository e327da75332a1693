/** Where an output goes: into a file, which is replaced when all is there, or into a stream, which gets bytes as they come. */
import { fstatSync, lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { Failure } from '../command.ts';
import { folderOf, lastNameOf, nameOf, type Path } from '../disk/storage.ts';
import { refuseNodePipe } from '../node-pipes.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';

export type Place =
  /** An open file of this process, such as `/dev/stdout`: whatever else writes to it writes before and after. */
  | { readonly kind: 'descriptor'; readonly descriptor: number }
  /** A pipe, a terminal or another device. */
  | { readonly kind: 'device'; readonly path: Path }
  /** A regular file, which need not be there yet; symbolic links to it are followed, and stay. */
  | { readonly kind: 'file'; readonly path: Path };

/** Linux follows no more, either. */
const MOST_LINKS = 40;

const bytesOf = (path: Path): Buffer => Buffer.from(path);

/** Text where bytes are valid UTF-8. */
const asPath = (bytes: Buffer): Path => (bytesOf(bytes.toString()).equals(bytes) ? bytes.toString() : bytes);

/** The target of a symbolic link, from the folder of the link. */
function linked(link: Path, to: Buffer): Path {
  const isWhole = isAbsolute(to.toString('latin1'));
  return asPath(isWhole ? to : Buffer.concat([bytesOf(folderOf(link)), bytesOf(sep), to]));
}

/** The number of an open file whose name lies in a folder that the system makes of them: /dev/fd, /proc/self/fd. */
function descriptorAt(path: Path): { readonly number: number; readonly own: boolean } | undefined {
  const name = lastNameOf(path).toString('latin1');
  if (process.platform === 'win32' || !/^\d{1,9}$/.test(name)) return undefined;
  try {
    const folder = realpathSync.native(folderOf(path));
    if (folder === '/dev/fd') return { number: Number(name), own: true };
    const [, its] = /^(\/proc\/\d+)(?:\/task\/\d+)?\/fd$/.exec(folder) ?? [];
    return its === undefined ? undefined : { number: Number(name), own: its === realpathSync.native('/proc/self') };
  } catch {
    return undefined;
  }
}

/** A file, a pipe, a terminal or a socket; and none of the descriptors that Node has for itself. */
const isWritable = (found: Stats): boolean =>
  found.isFile() || found.isFIFO() || found.isCharacterDevice() || found.isSocket() || found.isBlockDevice();

function ownDescriptor(number: number): Place {
  const found = fstatSync(number);
  refuseNodePipe(number, found);
  if (!isWritable(found)) throw new Failure(`${number}: no file that is open for the output`);
  return { kind: 'descriptor', descriptor: number };
}

function find(path: Path): Place {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const descriptor = descriptorAt(at);
    if (descriptor) return descriptor.own ? ownDescriptor(descriptor.number) : { kind: 'device', path: at };
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (!found?.isSymbolicLink()) {
      // A folder that is not there: the system says so, and not of the draft in it.
      if (!found && bytesOf(at).at(-1) === sep.charCodeAt(0)) statSync(at);
      const isFile = found === undefined || found.isFile() || found.isDirectory();
      return { kind: isFile ? 'file' : 'device', path: at };
    }
    // Systems follow no link of another user in a folder such as /tmp (protected_symlinks of proc_sys_fs(5)), and say so here.
    statSync(at, { throwIfNoEntry: false });
    at = linked(at, readlinkSync(at, { encoding: 'buffer' }));
  }
  // The system says why.
  statSync(path);
  throw new Failure('symbolic links lead too far');
}

/**
 * Finds where an output goes.
 *
 * @throws Failure if that cannot be found, such as for symbolic links in a circle, or a descriptor that is not open.
 */
export function placeOf(path: Path): Place {
  try {
    return find(path);
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof Failure)) throw error;
    const reason = isSystemError(error) ? systemMessage(error) : error.message;
    throw new Failure(`${nameOf(path)}: ${reason}`, { cause: error });
  }
}
