/** How a task becomes jobs, and a root's result the caller's. */
import type { JobKind } from '../jobs/kind.ts';
import type { ObjectOptions } from '../objects/object.ts';
import type { Work, WorkResult } from '../types.ts';

/** A job to be put into the queue. */
export interface PlannedJob {
  /** The name of its kind. */
  readonly name: string;
  readonly data: unknown;
}

/** A task as jobs. */
export interface Planned {
  /** The root's id; tasks with the same id are one. */
  readonly id: string;
  readonly root: PlannedJob;
  /** Those with which the work begins. */
  readonly leaves: readonly PlannedJob[];
  /** Undoes everything that was begun for the plan; may be called again. */
  readonly abandon?: () => Promise<void>;
}

/** The leaves that a caller puts into the queue. */
export function firstLeaves<Data>(kind: JobKind<Data>, root: Data): readonly PlannedJob[] {
  const { name, count, window, at } = kind.leaves!(root);
  return Array.from({ length: Math.min(count, window ?? count) }, (_, index) => ({ name, data: at(index) }));
}

/** The public description of a task. */
export interface Described {
  readonly kind: Work['kind'];
  readonly source: string;
  readonly target?: string;
  /** Bytes of the source. */
  readonly total: number;
  /** Bytes of the source that a leaf stands for. */
  readonly unit: number;
}

/** How works of one kind are planned and shown. */
export interface WorkPlan<Its extends Work = Work> {
  /** The name of the root's kind of job. */
  readonly root: string;
  /** Checks the options, looks the source up and makes the jobs. */
  plan(work: Its, objects: ObjectOptions, signal?: AbortSignal): Promise<Planned>;
  /** Of a root's data, which anybody may have written: throws if they are not of their form. */
  describe(data: unknown): Described;
  /** The result of a root job, validated. */
  result(value: unknown, data: unknown): WorkResult;
  /** Cleans up after a cancelled task, as far as the caller can; a worker does so, too. */
  abandon?(data: unknown, objects: ObjectOptions): Promise<void>;
}
