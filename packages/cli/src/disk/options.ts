/** The options of `lanewise disk`. */
import type { TweakPreset } from 'lanewise/disk.js';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { nativeFrom, nativeOptions } from '../native.ts';
import { COMMON, parseOptions, threadsFrom } from '../parse-options.ts';
import { printable } from '../terminal.ts';

export const HELP = `lanewise disk encrypt IMAGE --key-file FILE (-o OUT | --in-place) [OPTIONS]
lanewise disk decrypt IMAGE --key-file FILE (-o OUT | --in-place) [OPTIONS]
lanewise disk resume IMAGE --key-file FILE
lanewise disk undo IMAGE --key-file FILE

Encrypts or decrypts the image of a disk, or a database, sector by sector. Its length does not change.

      --key-file FILE    the key: 32 raw bytes; - reads them from standard input
  -o, --output OUT       write to another file, which gets this name when it is complete
      --in-place         change IMAGE itself, with a journal in IMAGE.lanewise-journal
      --cipher CIPHER    adiantum (unless given) or hpolyc
      --rounds N         rounds of XChaCha: 8, 12 (unless given) or 20
      --sector-size N    bytes of a sector or page: 4096 unless given
      --tweak TWEAK      the tweak of a sector:
                         dm-crypt        its number in units of 512 bytes, as in Linux (unless given)
                         dm-crypt-large  its number, as in Linux with iv_large_sectors
                         offset64        its offset in bytes, as in go-sqlite3's Adiantum VFS
                         index64         its number, in 8 bytes
      --num-threads N    with -o: how many threads work; as many as there are cores if it is not given, or 0
      --no-native        with -o: without native code, also where @lanewise/native is installed; as the variable
                         LANEWISE_NATIVE=off
      --first N          the number of the first sector of IMAGE: 0 unless given
      --force            replace OUT if it exists; ignore the lock of another run if this machine cannot tell whether that
                         run has ended; resume or undo although IMAGE is a copy, or was damaged
  -h, --help             this text
  -V, --version          the version of lanewise

A run in place that is interrupted by a signal or a power cut leaves its journal: resume finishes the work, undo restores the
image, and both can be repeated if they are interrupted. The journal holds ciphertext only.

Only one run at a time changes an image, and none while others read it. Each run has a lock file beside the image until it ends,
IMAGE.lanewise-lock.* or IMAGE.lanewise-read-lock.*. Files that a killed run has left are removed by the next run in the folder.
An image with hard links is refused; symbolic links are followed.

The encryption is deterministic and unauthenticated: changed sectors and old sectors are not detected, and two images reveal
which sectors differ. A wrong key or option is not detected either: decryption then gives noise.

Exit codes: 0 success; 1 a file could not be read or written; 2 wrong arguments, or a wrong key or size of IMAGE.
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
  /** The output; undefined for in place. */
  readonly output: string | undefined;
  /** Undefined for as many as there are cores. */
  readonly threads: number | undefined;
  /** Whether native code may be used. */
  readonly native: boolean;
}

export interface Recovery extends Common {
  readonly action: 'resume' | 'undo';
}

export const options = {
  ...COMMON,
  ...nativeOptions,
  cipher: { type: 'string' },
  first: { type: 'string' },
  force: { type: 'boolean' },
  'in-place': { type: 'boolean' },
  'key-file': { type: 'string' },
  'num-threads': { type: 'string' },
  output: { type: 'string', short: 'o' },
  rounds: { type: 'string' },
  'sector-size': { type: 'string' },
  tweak: { type: 'string' },
} as const;

/** The options that the journal of an interrupted run holds, so that they are not given again. */
const kept = ['cipher', 'first', 'in-place', 'output', 'rounds', 'sector-size', 'tweak'] as const;

/** The options of a run that the cipher may hold up: one into another file. */
const forFiles = ['num-threads', 'no-native'] as const;

const CIPHERS = ['adiantum', 'hpolyc'] as const;
const ROUNDS = ['8', '12', '20'] as const;
const TWEAKS: readonly TweakPreset[] = ['dm-crypt', 'dm-crypt-large', 'offset64', 'index64'];
const ACTIONS = ['encrypt', 'decrypt', 'resume', 'undo'] as const;
/** The shortest message of the ciphers. */
const SMALLEST_SECTOR = 16;
/** No file system or database has larger sectors. */
const LARGEST_SECTOR = 65_536;
/** dm-crypt counts sectors in units of 512 bytes. */
const UNIT = 512;
const NUMBERS = 2n ** 64n;

/** @returns `help` if that was asked for. */
export function readOptions(given: readonly Argument[]): Conversion | Recovery | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const [first, image, ...more] = operands;
  if (!first) throw new UsageError(`expected one of ${ACTIONS.join(', ')}; --help explains them`);
  const action = oneOf('the first operand', ACTIONS, first.text);
  if (!image || more.length > 0) throw new UsageError(`${action} takes one IMAGE`);
  if (image.path === '-') throw new UsageError('IMAGE is a file, not standard input');
  const keyFile = values['key-file'];
  if (keyFile === undefined) throw new UsageError('--key-file is missing: a file of 32 raw bytes');
  const common = { image, keyFile, force: values.force ?? false };

  if (action === 'resume' || action === 'undo') {
    const needless = kept.find((name) => values[name] !== undefined);
    const hasty = forFiles.find((name) => values[name] !== undefined);
    if (hasty) throw new UsageError(`${action} takes no --${hasty}: it waits for the medium, not for the cipher`);
    if (needless) throw new UsageError(`${action} takes no --${needless}: it is in the journal`);
    return { ...common, action };
  }
  const { output } = values;
  if ((output === undefined) === (values['in-place'] === undefined))
    throw new UsageError('no output given: use -o OUT or --in-place');
  if (output === '' || output === '-') throw new UsageError('-o takes the name of a file');
  const threads = threadsFrom(values['num-threads']);
  const hasty = output === undefined && forFiles.find((name) => values[name] !== undefined);
  if (hasty) throw new UsageError(`--${hasty} needs -o: a run in place waits for the medium, not for the cipher`);
  return { ...common, action, output, threads, native: nativeFrom(values), settings: settingsOf(values) };
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

/** Sectors of disks, and of the systems on them. */
const SECTORS = [4096, 2048, 1024, 512];

/** Checks that the image consists of whole sectors and that their tweaks fit 64 bits. */
export function checkSize(name: string, size: number, { sectorSize, tweak, first }: Settings): void {
  const left = size % sectorSize;
  if (left > 0) {
    const fits = SECTORS.find((each) => size % each === 0);
    const whole = size - left + sectorSize;
    const remedy =
      fits === undefined ? `make it longer: truncate -s ${whole} ${name}` : `--sector-size ${fits} fits all of it`;
    throw new UsageError(
      `${name}: ${size} bytes are not whole sectors of ${sectorSize} bytes: ${left} are left over; ${remedy}`,
    );
  }
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
