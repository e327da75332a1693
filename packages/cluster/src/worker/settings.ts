/** The permissions of a worker, as its threads get them. */
import type { MessagePort } from 'node:worker_threads';
import type { ObjectOptions } from '../objects/object.ts';

export interface ThreadSettings {
  readonly allow: readonly string[];
  readonly allowWrite: readonly string[];
  readonly keyFiles: Readonly<Record<string, string>>;
  readonly identityFile: string | undefined;
  readonly objects: ObjectOptions;
  /** Whether native code may be used. */
  readonly native: boolean;
}

/** The same as they are sent to a thread, which asks at a port for the results of the caller's functions. */
export interface SentSettings extends ThreadSettings {
  readonly credentials?: MessagePort | undefined;
}
