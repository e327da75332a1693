/** What a worker may do, as its threads are told. */
import type { ObjectOptions } from '../objects/object.ts';

export interface ThreadSettings {
  readonly allow: readonly string[];
  readonly allowWrite: readonly string[];
  readonly keyFiles: Readonly<Record<string, string>>;
  readonly identityFile: string | undefined;
  readonly objects: ObjectOptions;
}
