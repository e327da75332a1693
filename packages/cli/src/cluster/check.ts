/** Checks lines of checkfiles that name objects, by the workers of a queue. It is reached when the first such line is there. */
import { equalBytes } from 'lanewise/utils.js';
import { follow, type Session } from './follow.ts';
import { reasonFor } from './library.ts';
import type { Queue } from './queue.ts';

export class ObjectChecks {
  readonly #who: string;
  readonly #queue: Queue;
  readonly #begun = new Set<Promise<unknown>>();
  #session: Promise<Session> | undefined;
  #following: Promise<void> | undefined;
  #finish: (() => void) | undefined;

  constructor(who: string, queue: Queue) {
    this.#who = who;
    this.#queue = queue;
  }

  /**
   * Has an object hashed.
   *
   * @returns undefined if it has that hash, `''` if it has another one, otherwise why it could not be hashed.
   */
  async faultOf(url: string, hash: Uint8Array): Promise<string | undefined> {
    const { cluster, signal, following } = await (this.#session ??= this.#open());
    const hashed = cluster.blake3(url, following());
    this.#begun.add(hashed);
    try {
      return equalBytes((await hashed).hash, hash) ? undefined : '';
    } catch (error) {
      // Nothing more is said of objects after a signal, which ends the process when all of them are given up.
      if (signal.aborted) return await new Promise<never>(() => undefined);
      const reason = reasonFor(url, error, this.#queue);
      return reason.startsWith(`${url}: `) ? reason.slice(url.length + 2) : reason;
    } finally {
      this.#begun.delete(hashed);
    }
  }

  /** Erases the progress line, as something is printed. */
  async quiet(): Promise<void> {
    (await this.#session)?.quiet();
  }

  /** Closes the connection, if there is one. */
  async close(): Promise<void> {
    this.#finish?.();
    await this.#following;
  }

  #open(): Promise<Session> {
    return new Promise((resolve, reject) => {
      const farewell = 'cancelled; what another caller had asked for before goes on';
      this.#following = follow(this.#who, 'objects', this.#queue, farewell, async (session) => {
        const finished = new Promise<void>((finish, fail) => {
          this.#finish = finish;
          session.signal.addEventListener('abort', () => {
            void Promise.allSettled(this.#begun).then(() => fail(session.signal.reason as Error));
          });
        });
        resolve(session);
        await finished;
      });
      this.#following.catch(reject);
    });
  }
}
