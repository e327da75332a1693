/** A worker of a crew: its jobs and its answers. */
import type { PartAnswer, PartJob, PeerPart } from './room.ts';
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
/** A part of a message for a library that has no pool of its own. */
interface PeerJob extends PeerPart {
  readonly kind: 'peer';
  /** The id of the entry, and the name of the peer. */
  readonly entry: string;
  readonly name: string;
}
export type Job = ShareJob | TimeJob | PeerJob;
/** A worker's answer: the data of its job with its findings, the part with the bytes that were filled, or milliseconds. */
export interface Answer extends Partial<PartAnswer> {
  readonly part?: Pick<PeerPart, 'data' | 'out'>;
  readonly filled?: number;
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

  const peers = new Map<string, Promise<(part: PeerPart) => number>>();
  const peerOf = ({ entry, name }: PeerJob): Promise<(part: PeerPart) => number> => {
    const key = `${entry} ${name}`;
    const peer =
      peers.get(key) ??
      entries(({ threads }) => threads)
        .find(({ id }) => id === entry)!
        .peers.find((each) => each.name === name)!
        .worker();
    peers.set(key, peer);
    return peer;
  };

  const answerTo = async (job: Job): Promise<Answer> => {
    if (job.kind === 'peer') {
      const filled = (await peerOf(job))(job);
      return { part: { data: job.data, out: job.out }, filled };
    }
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
    void answerTo(message as Job)
      .catch((error: unknown): Answer => ({ error: String(error) }))
      .then((answer) => {
        const { data, part } = answer;
        port.post(answer, part ? [part.data, part.out] : data ? [data] : []);
      });
  });
  port.post({}, []);
}
