/** The options of `lanewise disk`. */
import type { TweakPreset } from 'lanewise/disk.js';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { parseOptions } from '../parse-options.ts';
import { printable } from '../terminal.ts';

export const HELP = `lanewise disk encrypt IMAGE --key-file FILE (-o OUT | --in-place) [OPTIONS]
lanewise disk decrypt IMAGE --key-file FILE (-o OUT | --in-place) [OPTIONS]
lanewise disk resume IMAGE --key-file FILE
lanewise disk undo IMAGE --key-file FILE

Encrypts or decrypts the image of a disk, or a database, sector by sector; it stays as long as it is.

      --key-file FILE    the key: 32 raw bytes; - reads them from standard input
  -o, --output OUT       write another file, which appears when it is whole
      --in-place         change IMAGE itself; what is being changed is kept in a journal, IMAGE.lanewise-journal
      --cipher CIPHER    adiantum (unless given) or hpolyc
      --rounds N         rounds of XChaCha: 8, 12 (unless given) or 20
      --sector-size N    bytes of a sector or page: 4096 unless given
      --tweak TWEAK      what tells sectors apart:
                         dm-crypt        its number in units of 512 bytes, as Linux has it (unless given)
                         dm-crypt-large  its number, as Linux has it with iv_large_sectors
                         offset64        its place in bytes, as go-sqlite3's Adiantum VFS has it
                         index64         its number, in 8 bytes
      --first N          the number of the first sector of IMAGE: 0 unless given
      --force            replace OUT if it is there; go on although another run is there of which this machine cannot tell
                         whether it has ended; resume or undo although IMAGE is a copy, or was damaged
  -h, --help             this text

An interrupted run in place, whether by a signal or by a power cut, leaves the journal: resume finishes the work, undo takes
it back, as often as it takes. The journal holds ciphertext only.

One run at a time changes an image, and none does while others read it: each has a lock beside it, IMAGE.lanewise-lock.* or
IMAGE.lanewise-read-lock.*, until it ends. Files that a killed run has left are removed by the next run in the folder. An
image of several names (hard links) is refused; of a symbolic link, the file that it leads to is taken.

The encryption is deterministic and unauthenticated. Nothing tells if a sector was changed, or is an old one; two images
tell which sectors differ. Nothing tells if the key or an option is wrong either: what comes out of decryption is noise then.

Exit codes: 0 all is right; 1 something could not be read or written; 2 wrong arguments, or a wrong key or size of IMAGE.
`;

/** How an image is encrypted. */
export interface Settings {
  readonly cipher: 'adiantum' | 'hpolyc';
  readonly rounds: 8 | 12 | 20;
  readonly sectorSize: number;
  readonly tweak: TweakPreset;
  /** The number of the first sector. */
  readonly first: bigint;
}

export type Operation = 'encrypt' | 'decrypt';

interface Common {
  readonly image: Argument;
  readonly keyFile: string;
  readonly force: boolean;
}

export interface Conversion extends Common {
  readonly action: Operation;
  readonly settings: Settings;
  /** Where to; nothing: in place. */
  readonly output: string | undefined;
}

export interface Recovery extends Common {
  readonly action: 'resume' | 'undo';
}

const options = {
  cipher: { type: 'string' },
  first: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  'in-place': { type: 'boolean' },
  'key-file': { type: 'string' },
  output: { type: 'string', short: 'o' },
  rounds: { type: 'string' },
  'sector-size': { type: 'string' },
  tweak: { type: 'string' },
} as const;

/** What an interrupted run has written down, so that nobody says it again. */
const kept = ['cipher', 'first', 'in-place', 'output', 'rounds', 'sector-size', 'tweak'] as const;

const CIPHERS = ['adiantum', 'hpolyc'] as const;
const ROUNDS = ['8', '12', '20'] as const;
const TWEAKS: readonly TweakPreset[] = ['dm-crypt', 'dm-crypt-large', 'offset64', 'index64'];
const ACTIONS = ['encrypt', 'decrypt', 'resume', 'undo'] as const;
/** No cipher takes less … */
const SMALLEST_SECTOR = 16;
/** … and no file system or database has more. */
const LARGEST_SECTOR = 65_536;
/** As dm-crypt counts. */
const UNIT = 512;
const NUMBERS = 2n ** 64n;

/** @returns `help` if that was asked for. */
export function readOptions(given: readonly Argument[]): Conversion | Recovery | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const [first, image, ...more] = operands;
  if (!first) throw new UsageError(`which of ${ACTIONS.join(', ')}? --help tells what they do`);
  const action = oneOf('the first operand', ACTIONS, first.text);
  if (!image || more.length > 0) throw new UsageError(`${action} takes one IMAGE`);
  if (image.path === '-') throw new UsageError('IMAGE is a file, not standard input');
  const keyFile = values['key-file'];
  if (keyFile === undefined) throw new UsageError('--key-file is missing: a file of 32 raw bytes');
  const common = { image, keyFile, force: values.force ?? false };

  if (action === 'resume' || action === 'undo') {
    const needless = kept.find((name) => values[name] !== undefined);
    if (needless) throw new UsageError(`${action} takes no --${needless}: the journal tells`);
    return { ...common, action };
  }
  const { output } = values;
  if ((output === undefined) === (values['in-place'] === undefined))
    throw new UsageError('where to? either -o OUT or --in-place');
  if (output === '' || output === '-') throw new UsageError('-o takes the name of a file');
  return { ...common, action, output, settings: settingsOf(values) };
}

function settingsOf(
  values: Partial<Record<'cipher' | 'rounds' | 'sector-size' | 'tweak' | 'first', string>>,
): Settings {
  const sectorSize = Number(integer('sector-size', values['sector-size'] ?? '4096'));
  if (sectorSize < SMALLEST_SECTOR || sectorSize > LARGEST_SECTOR)
    throw new UsageError(`--sector-size takes ${SMALLEST_SECTOR} to ${LARGEST_SECTOR} bytes, not ${sectorSize}`);
  const tweak = oneOf('--tweak', TWEAKS, values.tweak ?? 'dm-crypt');
  if (tweak === 'dm-crypt' && sectorSize % UNIT > 0)
    throw new UsageError(`--tweak dm-crypt takes sectors of whole ${UNIT} bytes, not ${sectorSize}`);
  return {
    cipher: oneOf('--cipher', CIPHERS, values.cipher ?? 'adiantum'),
    rounds: Number(oneOf('--rounds', ROUNDS, values.rounds ?? '12')) as Settings['rounds'],
    sectorSize,
    tweak,
    first: integer('first', values.first ?? '0'),
  };
}

/** An image that these settings fit has whole sectors, and their tweaks are numbers of 64 bits. */
export function checkSize(name: string, size: number, { sectorSize, tweak, first }: Settings): void {
  const left = size % sectorSize;
  if (left > 0)
    throw new UsageError(`${name}: ${size} bytes are not whole sectors of ${sectorSize} bytes: ${left} are left over`);
  const factor = tweak === 'dm-crypt' ? sectorSize / UNIT : tweak === 'offset64' ? sectorSize : 1;
  const end = first + BigInt(size / sectorSize);
  if (end > first && (end - 1n) * BigInt(factor) >= NUMBERS)
    throw new UsageError(`--first ${first} makes tweaks of ${name} that do not fit 64 bits`);
}

function oneOf<Word extends string>(what: string, words: readonly Word[], given: string): Word {
  const found = words.find((word) => word === given);
  if (!found) throw new UsageError(`${what} is one of ${words.join(', ')}, not '${printable(given)}'`);
  return found;
}

function integer(name: string, text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new UsageError(`--${name} takes an integer from 0 up, not '${printable(text)}'`);
  const value = BigInt(text);
  if (value >= NUMBERS) throw new UsageError(`--${name} takes an integer below 2^64, not ${text}`);
  return value;
}
