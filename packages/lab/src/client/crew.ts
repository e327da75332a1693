/** Crews: workers that are started, given parts of messages, and ended. */
import { startWorker } from '#worker';
import type { Answer, Job, WorkerHandle } from './crew-member.ts';
import type { Surroundings } from './messages.ts';
import type { Operation, Work } from './operation.ts';
import type { PartAnswer, PartJob, PeerPart } from './room.ts';

const START_MILLISECONDS = 15_000;

/** A worker that handles one message at a time and answers each. */
class Member {
  readonly #handle: WorkerHandle;
  #settle: { resolve: (answer: Answer) => void; reject: (reason: Error) => void } | undefined;

  constructor(handle: WorkerHandle) {
    this.#handle = handle;
    handle.onMessage((message) => {
      const { error, ...answer } = message as Answer;
      if (error === undefined) this.#settle?.resolve(answer);
      else this.#settle?.reject(new Error(error));
    });
    handle.onError((reason) => this.#settle?.reject(new Error(reason)));
  }

  /** Resolves when the worker reports that it has started. */
  ready(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('a worker did not start in time')), START_MILLISECONDS);
      this.#settle = {
        resolve(answer) {
          clearTimeout(late);
          resolve(answer);
        },
        reject(reason) {
          clearTimeout(late);
          reject(reason);
        },
      };
    });
  }

  ask(job: Job, transfer: readonly ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#handle.post(job, transfer);
    });
  }

  end(): void {
    this.#handle.end();
  }
}

/** A part that came back. */
export interface PeerAnswer {
  readonly part: PeerPart;
  readonly output: Uint8Array;
}

export interface Crew {
  /** Milliseconds that the first member needs to handle a message `count` times. */
  time(operation: Operation, work: Work, count: number): Promise<number>;
  /** Gives each job to another member, all at once. The buffers of their data go to the members and come back. */
  share(operation: Operation, jobs: readonly PartJob[]): Promise<readonly PartAnswer[]>;
  /** Gives each part to another member, for a library that has no pool. The buffers come back, with the output. */
  work(entry: string, name: string, parts: readonly PeerPart[]): Promise<readonly PeerAnswer[]>;
  end(): void;
}

/** Rejects with the reason where there are no workers. */
export async function startCrew(size: number, { workerUrl }: Surroundings): Promise<Crew> {
  const members: Member[] = [];
  const end = (): void => members.forEach((member) => member.end());
  try {
    for (let i = 0; i < size; i++) members.push(new Member(await startWorker(workerUrl)));
    await Promise.all(members.map((member) => member.ready()));
  } catch (error) {
    end();
    throw error;
  }
  return {
    async time({ id }, { key, nonce, data }, count) {
      const answer = await members[0].ask({ kind: 'time', operation: id, key, nonce, data, count });
      return answer.milliseconds ?? 0;
    },
    async share({ id }, jobs) {
      const answers = await Promise.all(
        jobs.map((job, i) => members[i].ask({ kind: 'part', operation: id, ...job }, [job.data])),
      );
      return answers.map((answer) => ({ ...answer, data: answer.data! }));
    },
    async work(entry, name, parts) {
      const answers = await Promise.all(
        parts.map((part, i) => members[i].ask({ kind: 'peer', entry, name, ...part }, [part.data, part.out])),
      );
      return answers.map(({ part, filled }, i) => ({
        part: { ...parts[i], ...part! },
        output: new Uint8Array(part!.out, 0, filled),
      }));
    },
    end,
  };
}
