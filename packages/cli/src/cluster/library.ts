/** `@lanewise/cluster` and the driver of the queue, which are installed where they are used. */
import type * as library from '@lanewise/cluster';
import { Failure, UsageError } from '../command.ts';
import { printable } from '../terminal.ts';
import { withoutSecrets, type Queue } from './queue.ts';

const isMissing = (error: unknown): boolean =>
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? '');

/** @throws Failure that says what to install. */
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
const isAboutArgument = (error: Error): boolean =>
  (error instanceof TypeError || error instanceof RangeError) && error.message.startsWith('"');

const isBug = (error: Error): boolean =>
  error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;

/** One printable line that says why something failed, without secrets of the queue. Mistakes of a program are thrown. */
export function reasonOf(error: unknown, queue: Queue): string {
  if (!(error instanceof Error) || (isBug(error) && !isAboutArgument(error))) throw error;
  // The errors of a connection to several addresses have no message of their own.
  const message = error.message || (error as NodeJS.ErrnoException).code || error.name;
  return printable(withoutSecrets(message, queue));
}

/** The same for one object, whose name is in front once, also where the library has put it there. */
export function reasonFor(object: string, error: unknown, queue: Queue): string {
  const [name, reason] = [printable(object), reasonOf(error, queue)];
  return reason.startsWith(name) ? reason : `${name}: ${reason}`;
}

/** What a command makes of an error of the library: wrong arguments, or a failure. */
export function asCommandError(error: unknown, queue: Queue): UsageError | Failure {
  if (error instanceof UsageError || error instanceof Failure) return error;
  const reason = reasonOf(error, queue);
  return isAboutArgument(error as Error)
    ? new UsageError(reason, { cause: error })
    : new Failure(reason, { cause: error });
}
