/** A worker of a crew: it has one kind of job, and answers each. */
import { known } from './known.ts';
import type { Answer, Part, PartFunction } from './room.ts';
import { entries } from './rooms.ts';

/** The name by which a worker knows that it belongs to a crew. */
export const CREW = 'lanewise-lab-crew';
/** The worker's end of its channel, the same in browsers and in Node. */
export interface CrewPort {
  post(message: unknown, transfer: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: unknown) => void): void;
}
/** A worker as its owner sees it. */
export interface WorkerHandle extends CrewPort {
  onError(listener: (reason: string) => void): void;
  end(): void;
}

/** A part, the name of the function that handles it, and how many times more it does so for the worker's clock. */
export interface Job extends Part {
  readonly name: string;
  readonly count: number;
}

export const peerName = (entry: string, peer: string): string => `${entry} ${peer}`;

/** By the id of an operation, or of an entry of threads and the name of a peer. */
const functions = (): ReadonlyMap<string, () => Promise<PartFunction>> =>
  new Map([
    ...entries(({ sharing }) => sharing).map(({ operation, worker }) => [operation.id, worker] as const),
    ...entries(({ threads }) => threads).flatMap(({ id, peers }) =>
      peers.map(({ name, worker }) => [peerName(id, name), worker] as const),
    ),
  ]);

/** Answers jobs for as long as the worker lives. */
export function serveCrew(port: CrewPort): void {
  const all = functions();
  const loaded = new Map<string, Promise<PartFunction>>();
  const answerTo = async ({ name, count, ...part }: Job): Promise<Answer> => {
    const run = await known(loaded, name, () => all.get(name)!());
    const data = new Uint8Array(part.data);
    const views = { ...part, data, out: part.out.byteLength > 0 ? new Uint8Array(part.out) : data };
    // This call is not timed: it pays for the caches that the message itself has displaced.
    const found = run(views);
    const start = performance.now();
    for (let i = 0; i < count; i++) run(views);
    return { data: part.data, out: part.out, found, milliseconds: performance.now() - start };
  };
  port.onMessage((message) => {
    void answerTo(message as Job).then(
      (answer) => port.post(answer, [answer.data, answer.out]),
      (error: unknown) => port.post({ error: String(error) }, []),
    );
  });
  port.post({}, []);
}
