/** Hashes a file, and writes the tree over it, in one pass. */
import { open } from 'node:fs/promises';
import { outboard, type Outboard } from 'lanewise/bao.js';
import { Failure } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { piecesOf, withInput, type Input } from '../hash/input.ts';
import { checkOutput, refuseSame, withFile } from '../output/output.ts';
import type { Meter } from '../progress.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';
import { printable } from '../terminal.ts';
import type { Threads } from '../threads.ts';

/** As far as the user's mask allows. */
const MODE = 0o666;

/** The file that the tree is written to, and how long its groups are. */
export interface OutboardOptions {
  readonly to: string;
  readonly groupLength: number | undefined;
}

/** An error of the system is one of the output here, and not of the file that is hashed. */
async function ofOutput<Result>(to: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Failure(`${printable(to)}: ${systemMessage(error)}`, { cause: error });
  }
}

async function outboardOf(
  { path }: Argument,
  { descriptor, size }: Input,
  groupLength: number | undefined,
  threads: Threads,
  meter: Meter,
): Promise<Outboard> {
  const options = groupLength === undefined ? {} : { groupLength };
  const pool = size === undefined ? undefined : await threads.poolFor(size);
  if (!pool) return await outboard(threads.working(piecesOf(descriptor, meter), size), options);
  const file = await open(path);
  let before = 0;
  const onProgress = (done: number): void => {
    meter.advance(done - before);
    before = done;
  };
  try {
    return await outboard(file, { ...options, pool, onProgress });
  } finally {
    await file.close();
  }
}

/** @returns the hash, when the tree is written. */
export async function hashWithOutboard(
  argument: Argument,
  { to, groupLength }: OutboardOptions,
  threads: Threads,
  meter: Meter,
): Promise<Uint8Array> {
  const name = argument.path === '-' ? 'standard input' : printable(argument.text);
  await ofOutput(to, () => refuseSame(to, [argument.path]));
  return await withInput(argument.path, async (input) => {
    await ofOutput(to, () => checkOutput(to));
    meter.start(name, input.size);
    let made: Outboard;
    try {
      made = await outboardOf(argument, input, groupLength, threads, meter);
    } catch (error) {
      // A file that was changed while it was read.
      if (isSystemError(error) || (error as Error).constructor !== Error) throw error;
      throw new Failure(`${name}: ${(error as Error).message}`, { cause: error });
    } finally {
      meter.stop();
    }
    await ofOutput(to, () => withFile(to, MODE, (output) => output.write(made.outboard)));
    return made.hash;
  });
}
