/** A kind of job: how its data is checked, and how it runs. */
import type { ThreadSettings } from '../worker/settings.ts';

/** The context of a job, besides its data. */
export interface JobContext {
  readonly settings: ThreadSettings;
  /** Of a root: the results of its leaves, unchecked, in no order. */
  readonly children: readonly unknown[];
  readonly signal: AbortSignal;
}

/** The objects that a job reads and writes: the worker compares it with its permissions before the job runs, and its log names it. */
export interface Touched {
  readonly source: string;
  /** Where in the source the job's range begins. */
  readonly offset: number;
  /** Bytes of the source that the job reads. */
  readonly length: number;
  readonly target?: string;
}

/** The leaves of a root. */
export interface Leaves {
  /** The name of their kind. */
  readonly name: string;
  readonly count: number;
  /** How many of them the caller puts into the queue; undefined if all. */
  readonly window: number | undefined;
  /** The data of one, by its number from 0. */
  readonly at: (index: number) => unknown;
}

/** A kind of job. */
export interface JobKind<Data = unknown, Result = unknown> {
  /** The name that jobs of this kind have in the queue. */
  readonly name: string;
  /** Checks data that anybody may have written. */
  check(data: unknown): Data;
  touches(data: Data): Touched;
  /** Runs in a thread. The result goes through the queue as JSON. */
  run(data: Data, context: JobContext): Promise<Result>;
  /** Of a root. */
  leaves?(data: Data): Leaves;
  /** Of a root: the part of its data that is kept when the task has ended, if not all. */
  ended?(data: Data): unknown;
  /** Of a root: the work failed or was cancelled, and leaves nothing. */
  abandon?(data: Data, context: JobContext): Promise<void>;
}
