/** Values that the commands of verified streaming share: `--group-length`, `--range` and HASH. */
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

/** The bytes from `from` on, without the one at `to`. */
export interface ContentRange {
  readonly from?: number;
  readonly to?: number;
}

export function rangeFrom(text: string | undefined): ContentRange {
  if (text === undefined) return {};
  const [, first, last] = /^(\d{1,16})-(\d{0,16})$/.exec(text) ?? [];
  const from = Number(first);
  const to = last ? Number(last) : undefined;
  if (first === undefined || !Number.isSafeInteger(from) || !Number.isSafeInteger(to ?? from) || (to ?? from) < from)
    throw new UsageError(`--range takes FROM-TO or FROM-, integers from 0 up, not '${printable(text)}'`);
  return to === undefined ? { from } : { from, to };
}

export function hashFrom(text: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new UsageError(`HASH is 64 hexadecimal digits, not '${printable(text)}'`);
  return Buffer.from(text, 'hex');
}
