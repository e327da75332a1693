/** The options of `lanewise hash`: those of b3sum, with its rules about which may be combined. */
import { groupLengthFrom } from '../bao/values.ts';
import type { OutboardOptions } from '../bao/outboard.ts';
import { isObjectUrl, QUEUE_HELP, QUEUE_VARIABLE, queueFrom, queueOptions, type Queue } from '../cluster/queue.ts';
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { nativeFrom, nativeOptions } from '../native.ts';
import { COMMON, parseOptions, threadsFrom } from '../parse-options.ts';
import { printable } from '../terminal.ts';

export const HELP = `lanewise hash [OPTIONS] [FILE]...

Prints the BLAKE3 checksums of files, or checks them. Output, options and checkfiles are those of b3sum. Without FILE,
or where FILE is -, standard input is read.

  -c, --check              read checksums from the FILEs and check them
      --quiet              with --check: no lines for files that match
      --status             with --check: no output; only the exit code shows the result
      --keyed              keyed hash; the key is read from standard input: 32 raw bytes
      --key-file FILE      keyed hash; the key is read from a file: 32 raw bytes
      --derive-key CONTEXT key derivation with this context string; the files are the key material
  -l, --length LEN         length of the output in bytes (32 unless given)
      --seek SEEK          first byte of the output (0 unless given)
      --raw                raw bytes instead of hexadecimal, and no name; one FILE only
      --tag                BSD style: BLAKE3 (FILE) = HASH
      --no-names           no names
      --outboard FILE      write the tree over the file, with which lanewise verify proves any range of it; one FILE only
      --group-length N     with --outboard: bytes of a group, 1024 unless given, as the command bao has them; 16384 as iroh
      --num-threads NUM    how many threads hash; as many as there are cores if it is not given, or 0
      --no-mmap            accepted and without effect: files are never mapped into memory
      --no-native          without native code, also where @lanewise/native is installed; as the variable LANEWISE_NATIVE=off
  -h, --help               this text
  -V, --version            the version of lanewise

Objects are hashed by the workers of a queue (lanewise worker): FILE is s3://BUCKET/KEY, https://… or file:///PATH, as workers see it.
With --check they check the lines that name objects.
${QUEUE_HELP}
      --key-id ID              keyed hash; each worker has the key in a file of its own: lanewise worker --key-file ID=FILE
      --leaf-bytes N           bytes of a leaf, a power of two from 1024 up (64 MiB, more above 625 GiB)
      --detach                 print \`ID  FILE\` and leave the work to the queue: lanewise jobs wait ID prints the checksum

A checksum that was made with --keyed, --key-file, --derive-key or another --length cannot be checked with --check.
On a terminal, long files show their progress on standard error; NO_COLOR=1 switches colours off.

Exit codes: 0 success; 1 a mismatch, or a file could not be read or written; 2 wrong arguments.
`;

export const options = {
  ...COMMON,
  ...nativeOptions,
  ...queueOptions,
  check: { type: 'boolean', short: 'c' },
  'derive-key': { type: 'string' },
  detach: { type: 'boolean' },
  'group-length': { type: 'string' },
  'key-file': { type: 'string' },
  'key-id': { type: 'string' },
  keyed: { type: 'boolean' },
  'leaf-bytes': { type: 'string' },
  length: { type: 'string', short: 'l' },
  'no-mmap': { type: 'boolean' },
  'no-names': { type: 'boolean' },
  'num-threads': { type: 'string' },
  outboard: { type: 'string' },
  quiet: { type: 'boolean' },
  raw: { type: 'boolean' },
  seek: { type: 'string' },
  status: { type: 'boolean' },
  tag: { type: 'boolean' },
} as const;

type Name = keyof typeof options;

const conflicts: readonly (readonly [Name, readonly Name[]])[] = [
  ['check', ['derive-key', 'keyed', 'key-file', 'length', 'raw', 'tag', 'no-names']],
  ['keyed', ['derive-key', 'key-file']],
  ['key-file', ['derive-key']],
  ['key-id', ['derive-key']],
  ['detach', ['raw', 'tag', 'no-names']],
  // The tree of a keyed hash would need the key to be proven.
  ['outboard', ['check', 'derive-key', 'keyed', 'key-file', 'key-id', 'length', 'seek']],
];

/** The options for workers only, and those for this machine only. */
const forWorkers: readonly Name[] = ['name', 'key-id', 'leaf-bytes', 'detach'];
const notForWorkers: readonly (readonly [Name, string])[] = [
  ['outboard', ': workers keep no tree'],
  ['keyed', ': the key is in files of the workers, --key-id names it'],
  ['key-file', ': the key is in files of the workers, --key-id names it'],
  ['num-threads', ': each worker has its own number of threads'],
  ['no-native', ': each worker has its own'],
];

/** Work for the workers of a queue. */
export interface QueueHash {
  readonly queue: Queue;
  readonly keyId: string | undefined;
  readonly leafBytes: number | undefined;
  readonly detach: boolean;
}

export interface HashOptions {
  readonly files: readonly Argument[];
  readonly check: false | 'loud' | 'quiet' | 'silent';
  readonly key: undefined | 'standard input' | { readonly file: string };
  readonly context: string | undefined;
  readonly form: 'raw' | 'bare' | 'tagged' | 'named';
  readonly length: bigint;
  readonly seek: bigint;
  /** Where the tree over the file is written. */
  readonly outboard: OutboardOptions | undefined;
  /** Undefined for as many as there are cores. */
  readonly threads: number | undefined;
  /** Whether native code may be used. */
  readonly native: boolean;
  /** Undefined if this machine does the work. */
  readonly remote: QueueHash | undefined;
  /** Of --check: the queue whose workers check objects, if one is named. A wrong address is an error when there is an object. */
  readonly queueOf: () => Queue | undefined;
}

/** The length of BLAKE3's output: 2^64 bytes. */
const END = 2n ** 64n;
const STANDARD_INPUT: Argument = { text: '-', path: '-' };

/** @returns `help` if that was asked for. */
export function readOptions(given: readonly Argument[]): HashOptions | 'help' {
  const parsed = parseOptions(given, options);
  if (parsed === 'help') return 'help';
  const { values, operands: files } = parsed;
  for (const [name, others] of conflicts) {
    const other = others.find((other) => values[other] !== undefined);
    if (values[name] !== undefined && other) throw new UsageError(`--${name} cannot be used with --${other}`);
  }
  for (const name of ['quiet', 'status'] as const) {
    if (values[name] && !values.check) throw new UsageError(`--${name} needs --check`);
  }
  if (values.keyed && files.length === 0)
    throw new UsageError('--keyed reads the key from standard input: name a FILE');
  if (values['key-file'] === '-') throw new UsageError('--keyed reads the key from standard input, not --key-file');
  if (values.raw && files.length > 1) throw new UsageError('--raw takes one FILE only');
  if (values['group-length'] !== undefined && values.outboard === undefined)
    throw new UsageError('--group-length needs --outboard');
  if (values.outboard !== undefined && files.length > 1) throw new UsageError('--outboard takes one FILE only');
  const length = integer('length', values.length ?? '32');
  const seek = integer('seek', values.seek ?? '0');
  if (seek + length > END) throw new UsageError('--seek and --length go past 2^64 bytes, where the output ends');

  const keyFile = values['key-file'];
  return {
    files: files.length > 0 ? files : [STANDARD_INPUT],
    check: values.check ? (values.status ? 'silent' : values.quiet ? 'quiet' : 'loud') : false,
    key: values.keyed ? 'standard input' : keyFile === undefined ? undefined : { file: keyFile },
    context: values['derive-key'],
    form: values.raw ? 'raw' : values['no-names'] ? 'bare' : values.tag ? 'tagged' : 'named',
    length,
    seek,
    outboard: outboardFrom(values),
    threads: threadsFrom(values['num-threads']),
    native: nativeFrom(values),
    remote: remoteFrom(values, files),
    queueOf: checkQueueOf(values),
  };
}

type Values = Exclude<ReturnType<typeof parseOptions<typeof options>>, 'help'>['values'];

function outboardFrom({ outboard: to, 'group-length': groups }: Values): OutboardOptions | undefined {
  if (to === undefined) return undefined;
  if (to === '') throw new UsageError('--outboard is empty');
  if (to === '-') throw new UsageError('--outboard takes a file: standard output gets the checksum');
  return { to, groupLength: groupLengthFrom(groups) };
}

/** A queue of the command line is looked at before any work. */
function checkQueueOf(values: Values): () => Queue | undefined {
  if (values.check && values.queue !== undefined) queueFrom(values);
  return () => (values.queue === undefined && !process.env[QUEUE_VARIABLE] ? undefined : queueFrom(values));
}

function remoteFrom(values: Values, files: readonly Argument[]): QueueHash | undefined {
  // A checkfile may be named like an object, and standard input is none.
  const urls = files.filter(({ text }) => isObjectUrl(text));
  if (values.check || (values.queue === undefined && urls.length === 0)) {
    const other = forWorkers.find((name) => values[name] !== undefined && !(values.check && name === 'name'));
    if (other && values.check) throw new UsageError(`--check cannot be used with --${other}`);
    if (other) throw new UsageError(`--${other} needs objects that workers hash: s3://…, https://… or file:///…`);
    return undefined;
  }
  for (const [name, advice] of notForWorkers)
    if (values[name] !== undefined) throw new UsageError(`--${name} cannot be used with --queue${advice}`);
  const queue = queueFrom(values);
  if (files.length === 0) throw new UsageError('workers cannot read standard input: name an object, s3://…');
  const file = files.find(({ text }) => !isObjectUrl(text));
  if (file)
    throw new UsageError(`${printable(file.text)}: no object that workers can read: s3://…, https://… or file:///…`);
  const { 'key-id': keyId, 'leaf-bytes': leaf, detach = false } = values;
  if (keyId === '') throw new UsageError('--key-id is empty');
  return { queue, keyId, leafBytes: leaf === undefined ? undefined : leafBytesFrom(leaf), detach };
}

/** The most bytes of a leaf: more than any object has. */
const MOST_LEAF_BYTES = 2 ** 40;

function leafBytesFrom(text: string): number {
  const value = Number(integer('leaf-bytes', text));
  if (value < 1024 || value > MOST_LEAF_BYTES || !Number.isInteger(Math.log2(value)))
    throw new UsageError(`--leaf-bytes takes a power of two from 1024 to 2^40, not '${printable(text)}'`);
  return value;
}

/** As b3sum reads it: an integer of 64 bits without sign, and `-l=5` means 5. */
function integer(name: Name, text: string): bigint {
  const digits = /^=?\+?(\d+)$/.exec(text)?.[1];
  if (digits === undefined) throw new UsageError(`--${name} takes an integer from 0 up, not '${printable(text)}'`);
  const value = BigInt(digits);
  if (value >= END) throw new UsageError(`--${name} takes an integer below 2^64, not ${digits}`);
  return value;
}
