/** The option `--group-length`, which the tree over a file is made and read with. */
import { UsageError } from '../command.ts';
import { printable } from '../terminal.ts';

const [LEAST, MOST] = [1024, 65_536];

/** @returns undefined unless it is given: then groups are those of the command bao. */
export function groupLengthFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{4,5}$/.test(text) ? Number(text) : NaN;
  if (!(value >= LEAST && value <= MOST && Number.isInteger(Math.log2(value))))
    throw new UsageError(`--group-length takes a power of two from ${LEAST} to ${MOST}, not '${printable(text)}'`);
  return value;
}
