/** `@lanewise/cluster` and the driver of the queue, which are installed where they are used. */
import type * as library from '@lanewise/cluster';
import { Failure, UsageError } from '../command.ts';
import { printable } from '../terminal.ts';
import { withoutSecrets, type Queue } from './queue.ts';

const isMissing = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? '');

/** @throws Failure that names the package to install. */
export async function clusterLibrary({ driver }: Queue): Promise<typeof library> {
  try {
    return await import('@lanewise/cluster');
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new Failure(`queues need a package that is not installed: npm install @lanewise/cluster ${driver}`, {
      cause: error,
    });
  }
}

/** Errors of checked arguments begin so; other errors of these classes are mistakes of a program. */
export const isAboutArgument = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof RangeError) && error.message.startsWith('"');

/** Where this command gets the arguments of the library. */
const ORIGINS: Readonly<Record<string, string>> = {
  queue: '--queue',
  name: '--name',
  target: '-o',
  workers: '--worker-recipient',
  partChunks: '--part-chunks',
  keyId: '--key-id',
  context: '--derive-key',
  dkLen: '--length',
  seek: '--seek',
  leafBytes: '--leaf-bytes',
  keyFiles: '--key-file',
  allow: '--allow',
  allowWrite: '--allow-write',
  identityFile: '--identity',
  threads: '--threads',
  endpoint: 'AWS_ENDPOINT_URL_S3',
  region: 'AWS_REGION',
  sessionToken: 'AWS_SESSION_TOKEN',
  accessKeyId: 'AWS_ACCESS_KEY_ID',
  secretAccessKey: 'AWS_SECRET_ACCESS_KEY',
};

/** A message with the names of options and variables that a person has typed; values, which follow `got`, stay. */
const inWordsOfCommand = (message: string): string =>
  message
    .replace(/(^|: )"source" (?=expected)/, '$1')
    .replace(/(?<!got )"(?:(keyFiles)\.([^"]+)|(\w+))"/g, (quoted, keyFiles, id: string, name: string) =>
      keyFiles === undefined ? (Object.hasOwn(ORIGINS, name) ? ORIGINS[name] : quoted) : `--key-file ${id}`,
    );

const isBug = (error: Error): boolean =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;

/** One printable line that says why something failed, without secrets of the queue. Mistakes of a program are thrown. */
export function reasonOf(error: unknown, queue: Queue): string {
  if (!(error instanceof Error) || (isBug(error) && !isAboutArgument(error))) throw error;
  // The errors of a connection to several addresses have no message of their own.
  const message = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return printable(inWordsOfCommand(withoutSecrets(message, queue)));
}

/** The same for one object, whose name is in front once, also where the library has put it or that of another object there. */
export function reasonFor(object: string, error: unknown, queue: Queue, ...others: readonly string[]): string {
  const reason = reasonOf(error, queue);
  const isNamed = [object, ...others].some((name) => reason.startsWith(`${printable(name)}:`));
  return isNamed ? reason : `${printable(object)}: ${reason}`;
}

/** An error of the library as one of the command: wrong arguments, or a failure. */
export function asCommandError(error: unknown, queue: Queue): UsageError | Failure {
  if (error instanceof UsageError || error instanceof Failure) return error;
  const reason = reasonOf(error, queue);
  return isAboutArgument(error) ? new UsageError(reason, { cause: error }) : new Failure(reason, { cause: error });
}
