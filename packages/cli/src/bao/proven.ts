/** Copies bytes as they are proven, and explains the errors of that. */
import { Failure } from '../command.ts';
import type { Output } from '../output/output.ts';
import type { Meter } from '../progress.ts';
import { isSystemError, systemMessage } from '../system-errors.ts';

/** An output that says nothing. */
export const nowhere: Output = { write: () => Promise.resolve() };

/** Names the file that an error of the system is about. */
export function about(name: string, error: unknown): unknown {
  return isSystemError(error) ? new Failure(`${name}: ${systemMessage(error)}`, { cause: error }) : error;
}

const GROUPS = 'with groups of';
const OTHER_GROUPS = '; --group-length tells another length of groups';
const NO_OUTBOARD = '; --outboard FILE names the tree over a file that is not an encoding';
const isNoEncoding = (message: string): boolean => /^the header |^the source is truncated|encoding of/.test(message);

/** The library's error about a file, with the option that may be the reason. */
export function explained(name: string, isApart: boolean, error: unknown): unknown {
  if (isSystemError(error)) return about(name, error);
  if (!(error instanceof Error) || ![Error, RangeError].includes(error.constructor as ErrorConstructor)) return error;
  const message = error.message.replace('"range"', '--range');
  const hint = !isApart && isNoEncoding(message) ? NO_OUTBOARD : message.includes(GROUPS) ? OTHER_GROUPS : '';
  return new Failure(`${name}: ${message}${hint}`, { cause: error });
}

/** Reads all of a stream; errors of the output are thrown as they are. */
export async function copy(
  stream: ReadableStream<Uint8Array>,
  explain: (error: unknown) => unknown,
  output: Output,
  meter: Pick<Meter, 'advance'>,
): Promise<void> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const step = await reader.read().catch((error: unknown) => {
        throw explain(error);
      });
      if (step.done) return;
      await output.write(step.value);
      meter.advance(step.value.length);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
