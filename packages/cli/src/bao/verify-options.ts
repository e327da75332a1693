/** The options of `lanewise verify`. */
import { groupLengthFrom, hashFrom, rangeFrom, type ContentRange } from './values.ts';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { COMMON, parseOptions } from '../parse-options.ts';

export const HELP = `lanewise verify [OPTIONS] FILE HASH

Proves a file, or any range of it, against its BLAKE3 hash: 64 hexadecimal digits, from someone you trust. The file and the tree over it
may come from anyone. Without -o, FILE: OK is printed. Without --outboard, FILE is an encoding, as bao encode makes it. Where FILE is -,
standard input is read; with --range that is a slice, as bao slice makes it, or with --outboard the file from its start.

      --outboard FILE    the tree over the file, as lanewise hash --outboard or bao encode --outboard makes it
      --group-length N   the bytes of its groups: 1024 unless given, as the command bao has them; 16384 as iroh
      --range FROM-TO    the bytes from FROM on, without the one at TO; to the end if that is left out
  -o, --output FILE      write the bytes, each after it is proven; FILE gets its name when all of them are, and - is standard output
  -h, --help             this text
  -V, --version          the version of lanewise

Exit codes: 0 all is right; 1 the file does not match, or could not be read or written; 2 wrong arguments.
`;

export const options = {
  ...COMMON,
  'group-length': { type: 'string' },
  outboard: { type: 'string' },
  output: { type: 'string', short: 'o' },
  range: { type: 'string' },
} as const;

export interface VerifyOptions {
  readonly file: Argument;
  readonly hash: Uint8Array;
  readonly outboard: string | undefined;
  readonly groupLength: number | undefined;
  readonly range: ContentRange;
  readonly output: string | undefined;
}

/** @returns `help` if that was asked for. */
export function readVerifyOptions(given: readonly Argument[]): VerifyOptions | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const [file, hash] = operands;
  if (operands.length !== 2 || file.text === '') throw new UsageError('verify takes FILE and HASH');
  const its = hashFrom(hash.text);
  const { outboard, output } = values;
  for (const name of ['outboard', 'output'] as const)
    if (values[name] === '') throw new UsageError(`--${name} is empty`);
  if (outboard === '-') throw new UsageError('--outboard takes a file that can be read at any place');
  const range = rangeFrom(values.range);
  if (file.path === '-' && outboard !== undefined && range.from)
    throw new UsageError('--range with --outboard needs a FILE that can be read at any place, or FROM 0');
  return {
    file,
    hash: its,
    outboard,
    groupLength: groupLengthFrom(values['group-length']),
    range,
    output,
  };
}
