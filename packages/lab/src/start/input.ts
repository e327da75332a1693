/** The file that `npm start` is given. */
import { readFile, stat } from 'node:fs/promises';
import { there } from '../arguments.ts';
import { size } from '../report/text-table.ts';
import { UsageError } from '../terminal.ts';

const MOST_BYTES = 2 ** 30;
/**
 * Copies of the file that memory holds at once: the file, sealed and opened, the reference, and the inputs and outputs
 * of libsodium.js.
 */
const COPIES = 8;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EISDIR: 'is a folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'symbolic links lead in a circle',
};

export const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
};

export async function readInput(name: string): Promise<Uint8Array> {
  const path = there(name);
  try {
    const information = await stat(path);
    if (information.isDirectory()) throw new UsageError(`${name}: is a folder`);
    if (!information.isFile()) throw new UsageError(`${name}: is not a regular file`);
    const most = Math.min(MOST_BYTES, Math.floor(process.availableMemory() / COPIES));
    if (information.size > most) {
      throw new UsageError(
        `${name}: has ${size(information.size)}; it is read whole, and here that goes up to ${size(most)}`,
      );
    }
    return await readFile(path);
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${name}: ${reasonOf(error)}`);
  }
}
