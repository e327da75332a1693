/** An engine of JavaScript that the client can run in, and its sessions. */
import type { Found, Missing, Settings } from '../../../runtimes/src/found.ts';
import type { Message, Task } from '../client/messages.ts';

export interface SessionOptions {
  /** The bundle of the client. It may load other files of its folder. */
  readonly client: string;
  /** The session is ended after this time, even if the client still runs. */
  readonly limitMilliseconds: number;
}

export interface Engine {
  /** Stable across versions of the lab. */
  readonly id: string;
  readonly name: string;
  readonly settings: Settings;
  /** Sentences that readers of its figures should know. */
  readonly remarks: readonly string[];
  /** The engine is told to stay in its baseline tier, so the canary's doubt is expected, and its sessions count. */
  readonly tier?: 'baseline';
  /** Finds the engine, and fetches it if it comes from a registry. */
  find(): Promise<Found | Missing>;
  /**
   * Runs one session in a fresh process. When this resolves, the process is gone, with everything that it started or
   * stored. Never rejects: a failure is the last message, an `error` without a contest.
   */
  run(task: Task, options: SessionOptions, onMessage: (message: Message) => void, signal?: AbortSignal): Promise<void>;
}
