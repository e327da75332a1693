/** A worker of a crew: its jobs and its answers. */
import type { PartAnswer, PartJob } from './room.ts';
import { entries } from './rooms.ts';

/** The name by which a worker knows that it belongs to a crew. */
export const CREW = 'lanewise-lab-crew';
/** A worker as its owner sees it, the same in browsers and in Node. */
export interface WorkerHandle {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
  onError(listener: (reason: string) => void): void;
  end(): void;
}
/** The worker's end of the same channel. */
export interface CrewPort {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** A message of an operation, handled again and again, and timed by the worker's own clock. */
interface TimeJob {
  readonly kind: 'time';
  readonly operation: string;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
  readonly count: number;
}
/** A part of a message of an operation. */
interface ShareJob extends PartJob {
  readonly kind: 'part';
  readonly operation: string;
}
export type Job = ShareJob | TimeJob;
/** A worker's answer: the data of its job with its findings, or milliseconds. */
export interface Answer extends Partial<PartAnswer> {
  readonly milliseconds?: number;
  readonly error?: string;
}

/** Answers jobs for as long as the worker lives. */
export async function serveCrew(port: CrewPort): Promise<void> {
  const sharing = entries((contests) => contests.sharing);
  const functions = new Map(
    await Promise.all(sharing.map(async ({ operation, worker }) => [operation.id, await worker()] as const)),
  );
  let out = new Uint8Array();

  const answerTo = (job: Job): Answer => {
    const { part, whole } = functions.get(job.operation)!;
    if (job.kind === 'part') {
      const found = part(job);
      return { data: job.data, found };
    }
    if (!whole) throw new Error(`no worker handles whole messages of ${job.operation}`);
    if (out.length !== job.data.length) out = new Uint8Array(job.data.length);
    // The first call is not timed: it pays for the caches that the message itself has displaced.
    whole(job, out);
    const start = performance.now();
    for (let i = 0; i < job.count; i++) whole(job, out);
    return { milliseconds: performance.now() - start };
  };

  port.onMessage((message) => {
    let answer: Answer;
    try {
      answer = answerTo(message as Job);
    } catch (error) {
      answer = { error: String(error) };
    }
    port.post(answer, answer.data ? [answer.data] : []);
  });
  port.post({}, []);
}
