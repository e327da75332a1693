/** The log of a worker: lines about tasks, or also about each job, and about events of the worker itself. */
import type { LogLine } from '@lanewise/cluster';
import { printable } from '../terminal.ts';
import { withoutSecrets, type Queue } from './queue.ts';

/** The levels of a log: each includes those before it. */
export const LEVELS = ['error', 'warning', 'info', 'debug'] as const;
export type Level = (typeof LEVELS)[number];

/** A line about a task as this worker has seen it: `begun` with its first job here, `worked` with its last one. */
interface WorkLine extends Omit<LogLine, 'event'> {
  readonly event: 'begun' | 'worked' | 'health';
  readonly jobs?: number;
  readonly url?: string;
}

type Line = LogLine | WorkLine;

const LEVEL_OF: Readonly<Record<string, Level>> = {
  error: 'error',
  failed: 'error',
  notice: 'warning',
  stalled: 'warning',
  begun: 'info',
  health: 'info',
  ready: 'info',
  stopped: 'info',
  stopping: 'info',
  worked: 'info',
};

/** Works have many jobs, so that a line for each of them is asked for. */
export const levelOf = ({ event }: Line): Level => LEVEL_OF[event] ?? 'debug';

/** A line of the log. */
export function logLine(line: Line, queue: Queue, json: boolean): string {
  const shown = line.error === undefined ? line : { ...line, error: withoutSecrets(line.error, queue) };
  const { time, ...rest } = shown;
  return `${json ? JSON.stringify({ time, level: levelOf(line), ...rest }) : printable(textOf(shown))}\n`;
}

function textOf(line: Line): string {
  const { time, event, job, kind, source, offset, length, milliseconds, attempt, error, notice } = line;
  const { jobs, url } = line as WorkLine;
  // A root whose leaves have read the object reads nothing.
  const range = offset === undefined || !length ? undefined : `${length} bytes at ${offset}`;
  const facts = [
    url,
    notice,
    kind,
    source,
    range,
    jobs !== undefined && `${jobs} job${jobs === 1 ? '' : 's'}, ${length ?? 0} bytes`,
    milliseconds !== undefined && `${milliseconds} ms`,
    // The first attempt is the usual one.
    attempt !== undefined && attempt > 1 && `attempt ${attempt}`,
    job !== undefined && `job ${job}`,
  ];
  const told = facts.filter((fact) => typeof fact === 'string');
  return `${time.toISOString()} ${event}${told.length > 0 ? ` ${told.join(', ')}` : ''}${error === undefined ? '' : `: ${error}`}`;
}

/** After so long without a job of a task, a line sums up the jobs done here: another worker may have had the last one. */
const IDLE_MILLISECONDS = 60_000;

interface Seen {
  readonly line: LogLine;
  readonly since: number;
  jobs: number;
  length: number;
  running: number;
  last: number;
}

/** Jobs of a task have its id and a number. */
const workOf = (job: string): string => job.replace(/\.\d+$/, '');

export class WorkerLog {
  readonly #write: (line: Line) => void;
  readonly #seen = new Map<string, Seen>();

  /** @param write - Is given the text of each line. */
  constructor(level: Level, queue: Queue, json: boolean, write: (text: string) => void) {
    const most = LEVELS.indexOf(level);
    this.#write = (line) => {
      if (LEVELS.indexOf(levelOf(line)) <= most) write(logLine(line, queue, json));
    };
  }

  /** Something happened. */
  add(line: LogLine): void {
    if (line.event === 'stopped') for (const id of this.#seen.keys()) this.#worked(id, line.time);
    if (line.event === 'started' && line.job !== undefined) this.#begun(line, line.job);
    this.#write(line);
    if (line.job !== undefined && line.event !== 'started') this.#ended(line, line.job);
  }

  health(url: string): void {
    this.#write({ time: new Date(), event: 'health', url });
  }

  /** Tells of works that have had no job here for a while. */
  tellIdle(now: Date): void {
    for (const [id, { running, last }] of this.#seen)
      if (running === 0 && now.getTime() - last >= IDLE_MILLISECONDS) this.#worked(id, now);
  }

  #begun(line: LogLine, job: string): void {
    const id = workOf(job);
    let seen = this.#seen.get(id);
    if (!seen) {
      const { time, source } = line;
      this.#write({ time, event: 'begun', ...(source !== undefined && { source }), job: id });
      seen = { line, since: time.getTime(), jobs: 0, length: 0, running: 0, last: 0 };
      this.#seen.set(id, seen);
    }
    seen.running++;
    seen.last = line.time.getTime();
  }

  #ended({ event, time, length = 0 }: LogLine, job: string): void {
    const id = workOf(job);
    const seen = this.#seen.get(id);
    if (!seen || !['completed', 'failed', 'waiting', 'dropped'].includes(event)) return;
    seen.running = Math.max(0, seen.running - 1);
    seen.last = time.getTime();
    if (event === 'completed') {
      seen.jobs++;
      seen.length += length;
    }
    if (job === id && event !== 'waiting') this.#worked(id, time);
  }

  #worked(id: string, time: Date): void {
    const { line, since, jobs, length } = this.#seen.get(id)!;
    this.#seen.delete(id);
    const { source } = line;
    const facts = { jobs, length, milliseconds: time.getTime() - since, job: id };
    this.#write({ time, event: 'worked', ...(source !== undefined && { source }), ...facts });
  }
}
