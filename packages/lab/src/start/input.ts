/** The input of `npm start`: a file that is named, or one that is written, read and removed. */
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { there } from '../arguments.ts';
import { size } from '../report/text-table.ts';
import { UsageError } from '../terminal.ts';

const MIB = 2 ** 20;
export const SAMPLE_BYTES = 64 * MIB;
const MOST_BYTES = 1024 * MIB;
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

/** A file of random bytes in the temporary folder, which exists only while it is written and read. */
export async function readSample(show: (text: string) => void): Promise<Uint8Array> {
  let folder: string | undefined;
  const leave = (signal: NodeJS.Signals): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, leave);
  try {
    // Synchronous: no signal can come between the creation of the folder and the assignment of its name.
    folder = mkdtempSync(join(tmpdir(), 'lanewise-'));
    const path = join(folder, 'sample');
    const file = await open(path, 'wx');
    try {
      const piece = new Uint8Array(MIB);
      for (let written = 0; written < SAMPLE_BYTES; written += MIB) {
        show(`making a file of ${size(SAMPLE_BYTES)}: ${Math.round((100 * written) / SAMPLE_BYTES)} %`);
        randomFillSync(piece);
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
    return await readFile(path);
  } catch (error) {
    throw new UsageError(`could not make a file in ${tmpdir()}: ${reasonOf(error)}`);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    for (const signal of signals) process.off(signal, leave);
  }
}
