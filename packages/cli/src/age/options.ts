/** The options of `lanewise encrypt` and `decrypt`, which are those of age. */
import { isObjectUrl, QUEUE_HELP, queueFrom, queueOptions, type Queue } from '../cluster/queue.ts';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { nativeFrom, nativeOptions } from '../native.ts';
import { COMMON, parseOptions, threadsFrom } from '../parse-options.ts';
import { printable } from '../terminal.ts';

const WORKERS_HELP = `${QUEUE_HELP}
      --worker-recipient KEY   a recipient of the workers' identities (lanewise worker --identity), to which the key of the
                               file is sent; may be repeated
      --part-chunks N          chunks of 64 KiB that a worker has in memory and writes at a time (1024, more above 625 GiB)
      --detach                 print the ID of the work and leave it to the queue: lanewise jobs wait ID`;

export const ENCRYPT_HELP = `lanewise encrypt (-r RECIPIENT | -R FILE | -i FILE)… [-a] [-o OUTPUT] [INPUT…]
lanewise encrypt -p [-a] [-o OUTPUT] [INPUT…]

Encrypts files as age does. Without INPUT, or for -, reads standard input; without -o writes standard output.
  -r, --recipient KEY        encrypt to age1…; may be repeated
  -R, --recipients-file FILE encrypt to the recipients in FILE, one a line; - is standard input; may be repeated
  -i, --identity FILE        encrypt to the recipients of the identities in FILE: to yourself; may be repeated
  -p, --passphrase           encrypt with a passphrase, which is asked for twice; none at all gets you a generated one
  -a, --armor                write text
  -o, --output FILE          write FILE, when all of it is there; a folder for several inputs, which get .age
      --num-threads N        how many threads work; as many as there are cores if it is not given, or 0
      --no-native            without native code, also where @lanewise/native is installed; as the variable LANEWISE_NATIVE=off
  -h, --help                 this text
  -V, --version              the version of lanewise

An object, s3://BUCKET/KEY, https://… or file:///PATH, is encrypted into another by the workers of a queue (lanewise worker):
${WORKERS_HELP}

For scripts, passphrases come from AGE_PASSPHRASE, or from the file descriptor AGE_PASSPHRASE_FD: then -p, which is still needed,
asks nothing. AGE_PASSPHRASE_WORK_FACTOR is the logarithm of scrypt's N (18). Exit codes: 0 done; 1 failed, and there is no output; 2 wrong arguments.
`;

export const DECRYPT_HELP = `lanewise decrypt [-i FILE…] [-o OUTPUT | --check] [--offset N] [--length N] [INPUT…]

Decrypts files of age. Without INPUT, or for -, reads standard input; without -o writes standard output. Armor is recognised.
  -i, --identity FILE        decrypt with the identities in FILE, which may be an age file with a passphrase; may be repeated
  -o, --output FILE          write FILE, when all of it is authentic; a folder for several inputs, which lose .age
      --check                write nothing: only say whether all is authentic
      --offset N             begin at byte N of the plaintext (0)
      --length N             stop after N bytes
      --num-threads N        how many threads work; as many as there are cores if it is not given, or 0
      --no-native            without native code, also where @lanewise/native is installed; as the variable LANEWISE_NATIVE=off
  -h, --help                 this text
  -V, --version              the version of lanewise

An object, s3://BUCKET/KEY, https://… or file:///PATH, is decrypted into another by the workers of a queue (lanewise worker):
${WORKERS_HELP}

Only files are written whole or not at all: standard output gets each chunk when it is authentic, and the exit code says whether all was.
For scripts, passphrases come from AGE_PASSPHRASE, or from the file descriptor AGE_PASSPHRASE_FD. AGE_PASSPHRASE_MAX_WORK_FACTOR
is the most work that a file may ask for (20, at most 21). Exit codes: 0 done; 1 failed, and there is no output; 2 wrong arguments.
`;

/** An output file or folder; undefined for standard output. */
type Output = Argument['path'] | undefined;

/** Work for the workers of a queue: one object into another. */
export interface QueueSeal {
  readonly queue: Queue;
  readonly source: string;
  readonly target: string;
  readonly workers: readonly string[];
  /** Undefined for arguments that the library accepts. */
  readonly partChunks: number | undefined;
  readonly detach: boolean;
}

const forWorkers = {
  ...queueOptions,
  'worker-recipient': { type: 'string', multiple: true },
  'part-chunks': { type: 'string' },
  detach: { type: 'boolean' },
} as const;

export interface EncryptOptions {
  readonly recipients: readonly string[];
  readonly recipientFiles: readonly string[];
  readonly identityFiles: readonly string[];
  readonly passphrase: boolean;
  readonly armor: boolean;
  readonly output: Output;
  /** Whether the output is `-`, which sends binary data to a terminal, too. */
  readonly forced: boolean;
  readonly inputs: readonly Argument[];
  /** Undefined for as many as there are cores. */
  readonly threads: number | undefined;
  /** Whether native code may be used. */
  readonly native: boolean;
  /** Undefined if this machine does the work. */
  readonly remote: QueueSeal | undefined;
}

export interface DecryptOptions {
  readonly identityFiles: readonly string[];
  readonly output: Output;
  readonly forced: boolean;
  readonly check: boolean;
  /** A part of the plaintext; undefined for all of it. */
  readonly part: { readonly offset: number; readonly length: number } | undefined;
  readonly inputs: readonly Argument[];
  /** Undefined for as many as there are cores. */
  readonly threads: number | undefined;
  /** Whether native code may be used. */
  readonly native: boolean;
  /** Undefined if this machine does the work. */
  readonly remote: QueueSeal | undefined;
}

const STANDARD_INPUT: Argument = { text: '-', path: '-' };

function checkInputs(inputs: readonly Argument[], output: string | undefined): readonly Argument[] {
  if (inputs.some(({ text }) => text === '')) throw new UsageError('an input has no name');
  if (inputs.length > 1 && (output === undefined || output === '-'))
    throw new UsageError(`${inputs.length} inputs need -o with a folder`);
  if (inputs.length > 1 && inputs.some(({ path }) => path === '-'))
    throw new UsageError('standard input, -, cannot be one of several inputs');
  return inputs.length ? inputs : [STANDARD_INPUT];
}

function outputOf(output: string | undefined): { readonly output: Output; readonly forced: boolean } {
  if (output === '') throw new UsageError('--output is empty');
  return { output: output === '-' ? undefined : output, forced: output === '-' };
}

/** The largest part that S3 takes has so many. */
const MOST_CHUNKS = 81_920;

function partChunksFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < 1 || Number(text) > MOST_CHUNKS)
    throw new UsageError(`--part-chunks takes an integer from 1 to ${MOST_CHUNKS}, not '${printable(text)}'`);
  return Number(text);
}

interface RemoteValues {
  readonly queue?: string;
  readonly name?: string;
  readonly 'worker-recipient'?: readonly string[];
  readonly 'part-chunks'?: string;
  readonly detach?: boolean;
  readonly output?: string;
}

/**
 * @param local - Options that are given and that only this machine can follow.
 * @returns undefined if this machine does the work.
 */
function remoteFrom(
  values: RemoteValues,
  operands: readonly Argument[],
  local: Readonly<Record<string, unknown>>,
): QueueSeal | undefined {
  const { queue, 'worker-recipient': workers = [], detach = false, output } = values;
  const url = [...operands.map(({ text }) => text), ...(output === undefined ? [] : [output])].find(isObjectUrl);
  if (queue === undefined && url === undefined) {
    const other = (['name', 'worker-recipient', 'part-chunks', 'detach'] as const).find(
      (name) => values[name] !== undefined,
    );
    if (other) throw new UsageError(`--${other} needs objects that workers read and write: s3://… or file:///…`);
    return undefined;
  }
  const [refused] = Object.keys(local).filter((name) => local[name] !== undefined && local[name] !== false);
  if (refused !== undefined) {
    const place = queue === undefined ? 'objects, s3://… or file:///…' : '--queue';
    const advice = refused === '--check' ? `: pipe the object in${queue === undefined ? '' : ', without --queue'}` : '';
    throw new UsageError(`${refused} cannot be used with ${place}${advice}`);
  }
  const named = queueFrom(values);
  if (operands.length !== 1) throw new UsageError('workers take one object at a time: name one, s3://…');
  const [{ text: source }] = operands;
  if (output === undefined)
    throw new UsageError('workers need -o with an object that they may write: s3://… or file:///…');
  for (const text of [source, output])
    if (!isObjectUrl(text))
      throw new UsageError(`${printable(text)}: no object that workers can reach: s3://…, https://… or file:///…`);
  if (/^https?:/i.test(output)) throw new UsageError(`${printable(output)}: workers write s3://… and file:///… only`);
  if (source === output) throw new UsageError(`${printable(source)}: is input and output`);
  if (workers.length === 0)
    throw new UsageError('which workers may have the key of the file? --worker-recipient age1… names them');
  return { queue: named, source, target: output, workers, partChunks: partChunksFrom(values['part-chunks']), detach };
}

export const encryptOptions = {
  ...COMMON,
  ...nativeOptions,
  recipient: { type: 'string', short: 'r', multiple: true },
  'recipients-file': { type: 'string', short: 'R', multiple: true },
  identity: { type: 'string', short: 'i', multiple: true },
  passphrase: { type: 'boolean', short: 'p' },
  armor: { type: 'boolean', short: 'a' },
  'num-threads': { type: 'string' },
  ...forWorkers,
  output: { type: 'string', short: 'o' },
} as const;

export function readEncryptOptions(given: readonly Argument[]): EncryptOptions | 'help' {
  const parsed = parseOptions(given, encryptOptions);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const { recipient = [], identity = [], passphrase = false, armor = false } = values;
  const files = values['recipients-file'] ?? [];
  const keys = recipient.length + files.length + identity.length;
  if (passphrase && keys)
    throw new UsageError('-p cannot be combined with recipients: a file has one passphrase or keys');
  if (!passphrase && !keys) throw new UsageError('for whom? -r, -R or -i name recipients, -p takes a passphrase');
  const remote = remoteFrom(values, operands, {
    '-p': values.passphrase,
    '-a': values.armor,
    '--num-threads': values['num-threads'],
    '--no-native': values['no-native'],
  });
  const inputs = checkInputs(operands, values.output);
  const readers = [...files, ...identity, ...inputs.map(({ text }) => text)].filter((name) => name === '-');
  if (readers.length > 1) throw new UsageError('standard input, -, is given more than once');
  return {
    recipients: recipient,
    recipientFiles: files,
    identityFiles: identity,
    passphrase,
    armor,
    inputs,
    ...outputOf(values.output),
    threads: threadsFrom(values['num-threads']),
    native: nativeFrom(values),
    remote,
  };
}

/** A number of bytes. */
function bytesOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new UsageError(`--${name} expects a number of bytes, not "${text}"`);
  return value;
}

export const decryptOptions = {
  ...COMMON,
  ...nativeOptions,
  identity: { type: 'string', short: 'i', multiple: true },
  'num-threads': { type: 'string' },
  ...forWorkers,
  output: { type: 'string', short: 'o' },
  check: { type: 'boolean' },
  offset: { type: 'string' },
  length: { type: 'string' },
} as const;

export function readDecryptOptions(given: readonly Argument[]): DecryptOptions | 'help' {
  const parsed = parseOptions(given, { ...decryptOptions, passphrase: { type: 'boolean', short: 'p' } });
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  const { identity = [], check = false, output } = values;
  if (values.passphrase) throw new UsageError('-p is not needed: a passphrase is asked for where a file has one');
  const [offset, length] = [bytesOf(values.offset, 'offset'), bytesOf(values.length, 'length')];
  const isPart = offset !== undefined || length !== undefined;
  if (check && (output !== undefined || isPart))
    throw new UsageError('--check writes nothing: no --output, --offset or --length');
  const remote = remoteFrom(values, operands, {
    '--check': values.check,
    '--offset': values.offset,
    '--length': values.length,
    '--num-threads': values['num-threads'],
    '--no-native': values['no-native'],
  });
  if (remote && identity.length === 0)
    throw new UsageError('-i names a file with an identity of the recipient; workers do not open passphrases');
  // Several inputs are checked one by one.
  const inputs = checkInputs(operands, check ? '.' : output);
  if (isPart && inputs.length > 1) throw new UsageError('--offset and --length are for one input');
  const readers = [...identity, ...inputs.map(({ text }) => text)].filter((name) => name === '-');
  if (readers.length > 1) throw new UsageError('standard input, -, is given more than once');
  return {
    identityFiles: identity,
    check,
    inputs,
    part: isPart ? { offset: offset ?? 0, length: length ?? Infinity } : undefined,
    ...outputOf(output),
    threads: threadsFrom(values['num-threads']),
    native: nativeFrom(values),
    remote,
  };
}
