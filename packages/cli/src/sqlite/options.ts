/** The options of `lanewise sqlite`. */
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { printable } from '../terminal.ts';

export const HELP = `lanewise sqlite encrypt FILE -o OUT [--key-file KEY] [--mode MODE] [--page-size N] [--force]
lanewise sqlite decrypt FILE -o OUT [--key-file KEY] [--mode MODE] [--page-size N] [--force]
lanewise sqlite rekey FILE [--key-file KEY] [--new-key-file KEY]
lanewise sqlite check FILE [--key-file KEY] [--mode MODE]

Encrypts SQLite databases for @lanewise/sqlite, and others; decrypts them, changes their key, and checks every page.

      --key-file FILE      the key: 32 raw bytes; - reads them from standard input; a passphrase is asked for if it is not given
      --new-key-file FILE  the same for the new key of rekey
      --mode MODE          how the database is encrypted:
                           authenticated  changed pages are errors; for @lanewise/sqlite (unless given)
                           adiantum       as in go-sqlite3's VFS of that name; no passphrase
                           sqlite3mc      as in SQLite3MultipleCiphers' cipher chacha20
  -o, --output OUT         write this file, which gets its name when it is complete
      --page-size N        bytes of a page of OUT: those of FILE unless given
      --force              replace OUT if it exists
  -h, --help               this text
  -V, --version            the version of lanewise

FILE stays as it is: encrypt leaves the plaintext, and decrypt the ciphertext, so remove what is not needed. A database that
lanewise made is locked meanwhile; end programs that use another one before: if FILE has a journal or a log, the run is refused.

rekey changes the key of FILE itself, and can be interrupted at any moment: one of both keys opens the database then. It takes
the mode authenticated. Copies that were made before open with the old key.

For scripts, the passphrase comes from AGE_PASSPHRASE, or from the file descriptor AGE_PASSPHRASE_FD, and the new one of rekey
from LANEWISE_NEW_PASSPHRASE or LANEWISE_NEW_PASSPHRASE_FD.

Exit codes: 0 success; 1 a wrong key, a changed page, or a file could not be read or written; 2 wrong arguments.
`;

const MODES = ['authenticated', 'adiantum', 'sqlite3mc'] as const;
export type Mode = (typeof MODES)[number];
const ACTIONS = ['encrypt', 'decrypt', 'rekey', 'check'] as const;

interface Common {
  /** The database. */
  readonly file: string;
  /** Undefined for a passphrase. */
  readonly keyFile: string | undefined;
}

/** One file into another. */
export interface Conversion extends Common {
  readonly action: 'encrypt' | 'decrypt';
  readonly output: string;
  readonly mode: Mode;
  readonly pageSize: number | undefined;
  readonly force: boolean;
}

export interface Rekey extends Common {
  readonly action: 'rekey';
  readonly newKeyFile: string | undefined;
}

export interface Check extends Common {
  readonly action: 'check';
  readonly mode: Mode;
}

export const options = {
  ...COMMON,
  force: { type: 'boolean' },
  'key-file': { type: 'string' },
  mode: { type: 'string' },
  'new-key-file': { type: 'string' },
  output: { type: 'string', short: 'o' },
  'page-size': { type: 'string' },
} as const;

type Name = Exclude<keyof typeof options, keyof typeof COMMON | 'key-file'>;

/** The options of each action, beside those that all have. */
const TAKEN: Readonly<Record<(typeof ACTIONS)[number], readonly Name[]>> = {
  encrypt: ['output', 'mode', 'page-size', 'force'],
  decrypt: ['output', 'mode', 'page-size', 'force'],
  rekey: ['new-key-file'],
  check: ['mode'],
};
const NAMES = Object.values(TAKEN).flat();

/** @returns `help` if that was asked for. */
export function readOptions(given: readonly Argument[]): Conversion | Rekey | Check | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const [first, file, ...more] = operands;
  if (!first) throw new UsageError(`expected one of ${ACTIONS.join(', ')}; --help explains them`);
  const action = oneOf('the first operand', ACTIONS, first.text);
  if (!file || more.length > 0) throw new UsageError(`${action} takes one FILE`);
  const needless = NAMES.find((name) => values[name] !== undefined && !TAKEN[action].includes(name));
  if (needless !== undefined) throw new UsageError(`${action} takes no --${needless}`);
  const common = { file: pathOf(file), keyFile: values['key-file'] };
  if (action === 'rekey') return { ...common, action, newKeyFile: newKeyFileOf(values) };
  const mode = oneOf('--mode', MODES, values.mode ?? 'authenticated');
  if (mode === 'adiantum' && common.keyFile === undefined)
    throw new UsageError('--mode adiantum needs --key-file: a file of 32 raw bytes');
  if (action === 'check') return { ...common, action, mode };
  const { output, force = false } = values;
  if (output === undefined) throw new UsageError('no output given: -o OUT names a file');
  if (output === '' || output === '-') throw new UsageError('-o takes the name of a file');
  return { ...common, action, output, mode, force, pageSize: pageSizeOf(values['page-size'], action, mode) };
}

function newKeyFileOf(values: { readonly 'key-file'?: string; readonly 'new-key-file'?: string }): string | undefined {
  const file = values['new-key-file'];
  if (file === '-' && values['key-file'] === '-') throw new UsageError('standard input, -, is given more than once');
  return file;
}

/** SQLite opens paths that are texts. */
function pathOf({ text, path }: Argument): string {
  if (text === '' || text === '-') throw new UsageError('FILE is a file, not standard input');
  if (typeof path !== 'string') throw new UsageError(`${printable(text)}: a name that is not valid UTF-8`);
  return path;
}

function pageSizeOf(text: string | undefined, action: 'encrypt' | 'decrypt', mode: Mode): number | undefined {
  if (text === undefined) return undefined;
  const size = Number(text);
  const least = action === 'encrypt' && mode === 'authenticated' ? 1024 : 512;
  if (!/^\d{3,5}$/.test(text) || size < least || size > 65_536 || (size & (size - 1)) !== 0)
    throw new UsageError(`--page-size takes a power of two from ${least} to 65536, not '${printable(text)}'`);
  return size;
}

function oneOf<Word extends string>(what: string, words: readonly Word[], given: string): Word {
  const found = words.find((word) => word === given);
  if (found === undefined) throw new UsageError(`${what} is one of ${words.join(', ')}, not '${printable(given)}'`);
  return found;
}
