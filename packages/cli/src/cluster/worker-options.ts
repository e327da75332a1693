/** The options of `lanewise worker`. */
import { UsageError } from '../command.ts';
import type { Argument } from '../command-line.ts';
import { nativeFrom, nativeOptions } from '../native.ts';
import { COMMON, parseOptions } from '../parse-options.ts';
import { printable } from '../terminal.ts';
import { LEVELS, type Level } from './worker-log.ts';
import { QUEUE_HELP, queueFrom, queueOptions, type Queue } from './queue.ts';

export const WORKER_HELP = `lanewise worker --queue URL --allow PREFIX… [OPTIONS]

Takes jobs from a queue, reads ranges of objects and hashes, encrypts or decrypts them, until it is told to stop. Callers are
\`lanewise hash\`, \`encrypt\` and \`decrypt\` with --queue.

${QUEUE_HELP}
      --threads N              how many jobs at a time, each in a thread of its own; as many as there are cores unless given
      --allow PREFIX           what may be read: s3://BUCKET/PREFIX, https://HOST/PATH/, file:///FOLDER/; may be repeated
      --allow-write PREFIX     what may be written: s3://… or file:///…; nothing unless given; may be repeated
      --key-file ID=FILE       the key of keyed hashes that ask for ID: 32 raw bytes; may be repeated
      --identity FILE          identities of age, to whose recipients callers send keys of files: lanewise keygen makes one
      --no-native              without native code, also where @lanewise/native is installed; as the variable LANEWISE_NATIVE=off
      --health [HOST:]PORT     answer GET /health with one line of JSON: 200 while jobs are taken, 503 if not; on 127.0.0.1
                               unless HOST is given, such as 0.0.0.0 or [::] for all addresses
      --log-level LEVEL        error, warning, info (unless given: lines about works) or debug (also a line for each job that
                               begins and ends)
      --json                   one object of JSON a line instead of text
  -h, --help                   this text
  -V, --version                the version of lanewise

Writes one line when a work begins here and one when it has ended, and never a key. S3 is reached by AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL_S3, or by the role of a web identity, a container or a
machine. After SIGTERM or SIGINT jobs that end soon are finished, others are handed back to the queue; after a second one all are
handed back at once.

Exit codes: 0 stopped as told; 1 the queue or a file of keys cannot be read; 2 wrong arguments.
`;

/** A port, 0 for any that is free, of an address of this machine. */
export interface HealthAddress {
  readonly host: string;
  readonly port: number;
}

export interface WorkerCommand {
  readonly queue: Queue;
  readonly threads: number | undefined;
  readonly allow: readonly string[];
  readonly allowWrite: readonly string[];
  readonly keyFiles: Readonly<Record<string, string>>;
  readonly identityFile: string | undefined;
  /** Whether native code may be used. */
  readonly native: boolean;
  /** Where health is asked for. */
  readonly health: HealthAddress | undefined;
  readonly level: Level;
  readonly json: boolean;
}

function integer(name: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > most)
    throw new UsageError(`--${name} takes an integer from ${least} to ${most}, not '${printable(text)}'`);
  return Number(text);
}

function healthFrom(text: string): HealthAddress {
  const [, host = '127.0.0.1', port] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(.*)$/is.exec(text)!;
  return { host: host.replace(/^\[|\]$/g, ''), port: integer('health', port, 0, 65_535)! };
}

function levelFrom(text: string): Level {
  const found = LEVELS.find((level) => level === text);
  if (!found) throw new UsageError(`--log-level is one of ${LEVELS.join(', ')}, not '${printable(text)}'`);
  return found;
}

function keyFilesFrom(given: readonly string[]): Readonly<Record<string, string>> {
  const files = new Map<string, string>();
  for (const text of given) {
    const [, id, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (id === undefined) throw new UsageError(`--key-file takes ID=FILE, not '${printable(text)}'`);
    if (files.has(id)) throw new UsageError(`--key-file: ${printable(id)} is given more than once`);
    files.set(id, file);
  }
  return Object.fromEntries(files);
}

export const workerOptions = {
  ...COMMON,
  ...nativeOptions,
  ...queueOptions,
  threads: { type: 'string' },
  allow: { type: 'string', multiple: true },
  'allow-write': { type: 'string', multiple: true },
  'key-file': { type: 'string', multiple: true },
  identity: { type: 'string' },
  health: { type: 'string' },
  'log-level': { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** @returns `help` if that was asked for. */
export function readWorkerOptions(given: readonly Argument[]): WorkerCommand | 'help' {
  const parsed = parseOptions(given, workerOptions);
  if (parsed === 'help') return 'help';
  const { values, operands } = parsed;
  if (operands.length > 0)
    throw new UsageError(
      `'${printable(operands[0].text)}': a worker takes options only; --allow PREFIX says what it may read`,
    );
  const queue = queueFrom(values);
  const { allow = [], identity, json = false } = values;
  if (allow.length === 0)
    throw new UsageError('what may be read? --allow PREFIX, such as s3://BUCKET/ or file:///srv/data/');
  if (identity === '') throw new UsageError('--identity is empty');
  return {
    queue,
    allow,
    json,
    allowWrite: values['allow-write'] ?? [],
    keyFiles: keyFilesFrom(values['key-file'] ?? []),
    identityFile: identity,
    native: nativeFrom(values),
    threads: integer('threads', values.threads, 1, 1024),
    health: values.health === undefined ? undefined : healthFrom(values.health),
    level: levelFrom(values['log-level'] ?? 'info'),
  };
}
