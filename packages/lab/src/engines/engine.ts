/** An engine of JavaScript that the client can run in, and what a session with it is. */
import type { Found, Missing, Settings } from '../../../runtimes/src/found.ts';
import type { Message, Task } from '../client/messages.ts';

export interface SessionOptions {
  /** The client: the file that esbuild made. Beside it may be others, which it loads. */
  readonly client: string;
  /** After it the session is ended, whatever it does. */
  readonly limitMilliseconds: number;
  /** In browsers: in the page itself, or in a worker of it. */
  readonly place?: 'page' | 'worker';
}

export interface Engine {
  /** Stable across versions of the lab. */
  readonly id: string;
  readonly name: string;
  readonly settings: Settings;
  /** What somebody must know who reads its figures, in sentences. */
  readonly remarks: readonly string[];
  /** Fetches what may be fetched. */
  find(): Promise<Found | Missing>;
  /**
   * One session in a fresh process, which is gone when this resolves, with all that it started and kept. Never rejects: what
   * goes wrong is an `error` without a contest, and the last message.
   */
  run(task: Task, options: SessionOptions, onMessage: (message: Message) => void, signal?: AbortSignal): Promise<void>;
}
