/** The options of `lanewise fetch`. */
import { groupLengthFrom, hashFrom, rangeFrom, type ContentRange } from './values.ts';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { printable } from '../terminal.ts';

export const HELP = `lanewise fetch [OPTIONS] URL HASH

Fetches a file from any server, and writes no byte before it is proven against the file's BLAKE3 hash: 64 hexadecimal digits, from someone you
trust. Servers and the tree over the file need no trust. Without --outboard, URL is an encoding, as bao encode makes it. With it, an
interrupted run leaves FILE.DIGITS.part, and the same command proves that and goes on after it.

      --outboard URL     the tree over the file, as lanewise hash --outboard or bao encode --outboard makes it; or the name of a FILE
      --mirror URL       another server of the file, asked when the first fails, is slow, or has wrong bytes; any number of times
      --group-length N   the bytes of the tree's groups: 1024 unless given, as the command bao has them; 16384 as iroh
      --range FROM-TO    the bytes from FROM on, without the one at TO; to the end if that is left out
  -o, --output FILE      gets its name when all bytes are proven; - is standard output; the last part of URL unless given
      --patience SECONDS how long a server may be silent before the next one is asked, too: 5 unless given
      --timeout SECONDS  how long a server may be silent before its request is given up: 60 unless given
      --retries N        how often to try again after a connection failed and no byte came, with longer and longer pauses: 5 unless given
  -h, --help             this text
  -V, --version          the version of lanewise

Exit codes: 0 all is right; 1 the bytes do not match, could not be fetched, or could not be written; 2 wrong arguments.
`;

export const options = {
  ...COMMON,
  'group-length': { type: 'string' },
  mirror: { type: 'string', multiple: true },
  outboard: { type: 'string' },
  output: { type: 'string', short: 'o' },
  patience: { type: 'string' },
  range: { type: 'string' },
  retries: { type: 'string' },
  timeout: { type: 'string' },
} as const;

export interface FetchOptions {
  /** The servers of the content, or of an encoding of it. */
  readonly urls: readonly [URL, ...URL[]];
  readonly hash: Uint8Array;
  /** A string is the name of a file. */
  readonly outboard: URL | string | undefined;
  readonly groupLength: number | undefined;
  readonly range: ContentRange;
  /** Undefined for the last part of the URL. */
  readonly output: string | undefined;
  /** In milliseconds. */
  readonly patience: number | undefined;
  /** In milliseconds. */
  readonly timeout: number;
  readonly retries: number;
}

const TIMEOUT_SECONDS = 60;
const MOST_SECONDS = 86_400;
const RETRIES = 5;
const MOST_RETRIES = 1000;

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

function urlFrom(text: string, what: string): URL {
  const url = isUrl(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new UsageError(`${what} is an address that starts with http:// or https://`);
  if (url.username || url.password) throw new UsageError(`${what} has a name or password, which requests can't have`);
  return url;
}

function secondsFrom(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (!(seconds > 0 && seconds <= MOST_SECONDS))
    throw new UsageError(`--${name} takes seconds, above 0 and up to ${MOST_SECONDS}, not '${printable(text)}'`);
  return seconds * 1000;
}

function retriesFrom(text: string | undefined): number {
  if (text === undefined) return RETRIES;
  const count = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(count <= MOST_RETRIES))
    throw new UsageError(`--retries takes an integer from 0 to ${MOST_RETRIES}, not '${printable(text)}'`);
  return count;
}

/** @returns `help` if that was asked for. */
export function readFetchOptions(given: readonly Argument[]): FetchOptions | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  if (operands.length !== 2) throw new UsageError('fetch takes URL and HASH');
  const [url, hash] = operands;
  const { outboard, output, mirror = [] } = values;
  for (const name of ['outboard', 'output'] as const)
    if (values[name] === '') throw new UsageError(`--${name} is empty`);
  if (outboard === '-') throw new UsageError('--outboard takes a URL, or a file that can be read at any place');
  for (const name of ['mirror', 'patience'] as const)
    if (values[name] !== undefined && outboard === undefined)
      throw new UsageError(`--${name} needs --outboard: an encoding comes from one server`);
  return {
    urls: [urlFrom(url.text, 'URL'), ...mirror.map((text) => urlFrom(text, '--mirror'))],
    hash: hashFrom(hash.text),
    outboard: outboard !== undefined && isUrl(outboard) ? urlFrom(outboard, '--outboard') : outboard,
    groupLength: groupLengthFrom(values['group-length']),
    range: rangeFrom(values.range),
    output,
    patience: secondsFrom(values.patience, 'patience'),
    timeout: secondsFrom(values.timeout, 'timeout') ?? TIMEOUT_SECONDS * 1000,
    retries: retriesFrom(values.retries),
  };
}
