/** Crews: workers that are started, given parts of messages, and ended. */
import { startWorker } from '#worker';
import type { Job, WorkerHandle } from './crew-member.ts';
import type { Surroundings } from './messages.ts';
import type { Answer, Part } from './room.ts';

const START_MILLISECONDS = 15_000;

/** A worker that handles one part at a time. */
class Member {
  readonly #handle: WorkerHandle;
  #settle!: { resolve: (answer: Answer) => void; reject: (reason: Error) => void };
  /** Resolves when the worker reports that it has started. */
  readonly started: Promise<Answer> = this.#next();

  constructor(handle: WorkerHandle) {
    this.#handle = handle;
    handle.onMessage((message) => {
      const { error, ...answer } = message as Answer & { readonly error?: string };
      if (error === undefined) this.#settle.resolve(answer);
      else this.fail(error);
    });
    handle.onError((reason) => this.fail(reason));
  }

  #next(): Promise<Answer> {
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  }

  fail(reason: string): void {
    this.#settle.reject(new Error(reason));
  }

  ask(job: Job): Promise<Answer> {
    const answer = this.#next();
    this.#handle.post(job, [job.data, job.out]);
    return answer;
  }

  end(): void {
    this.#handle.end();
  }
}

export interface Crew {
  /** Gives each part to another member, all at once. Their buffers go to the members and come back. */
  work(name: string, parts: readonly Part[], count?: number): Promise<readonly Answer[]>;
  end(): void;
}

/** Rejects with the reason where there are no workers. */
export async function startCrew(size: number, { workerUrl }: Surroundings): Promise<Crew> {
  const members: Member[] = [];
  const end = (): void => members.forEach((member) => member.end());
  const late = setTimeout(
    () => members.forEach((member) => member.fail('a worker did not start in time')),
    START_MILLISECONDS,
  );
  try {
    for (let i = 0; i < size; i++) members.push(new Member(startWorker(workerUrl)));
    await Promise.all(members.map(({ started }) => started));
  } catch (error) {
    end();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return {
    work: (name, parts, count = 0) => Promise.all(parts.map((part, i) => members[i].ask({ ...part, name, count }))),
    end,
  };
}

/** The same parts by a function again and again, in the buffers that come back; fresh ones before an output is checked. */
export function inParts(crew: Crew, name: string, fresh: () => readonly Part[]) {
  let parts = fresh();
  return {
    fresh: (): readonly Part[] => (parts = fresh()),
    run: async (): Promise<readonly Answer[]> => {
      const answers = await crew.work(name, parts);
      parts = answers.map(({ data, out }, i) => ({ ...parts[i], data, out }));
      return answers;
    },
  };
}
