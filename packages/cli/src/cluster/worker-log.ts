/** The log of a worker: one line for each job that ended, and for what happens to the worker itself. */
import type { LogLine } from '@lanewise/cluster';
import { printable } from '../terminal.ts';
import { withoutSecrets, type Queue } from './queue.ts';

/** Undefined for what has no line: a job that begins will end, or be handed back. */
export function logLine(line: LogLine, queue: Queue, json: boolean): string | undefined {
  if (line.event === 'started') return undefined;
  const shown = line.error === undefined ? line : { ...line, error: withoutSecrets(line.error, queue) };
  return `${json ? JSON.stringify(shown) : printable(textOf(shown))}\n`;
}

function textOf({
  time,
  event,
  job,
  kind,
  source,
  offset,
  length,
  milliseconds,
  attempt,
  error,
  notice,
}: LogLine): string {
  // A root whose leaves have read the object reads nothing.
  const range = offset === undefined || !length ? undefined : `${length} bytes at ${offset}`;
  const facts = [
    notice,
    kind,
    source,
    range,
    milliseconds !== undefined && `${milliseconds} ms`,
    // The first attempt is the usual one.
    attempt !== undefined && attempt > 1 && `attempt ${attempt}`,
    job !== undefined && `job ${job}`,
  ];
  const told = facts.filter((fact) => typeof fact === 'string');
  return `${time.toISOString()} ${event}${told.length > 0 ? ` ${told.join(', ')}` : ''}${error === undefined ? '' : `: ${error}`}`;
}
