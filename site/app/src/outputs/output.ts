/** Where the result of a job goes. */
import { savedAs } from '../names.ts';

/** A file that is being written. Nothing of it stays if it is discarded. */
export interface Output {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Completes the file. */
  finish(): Promise<Result>;
  /** Removes the output. It does not fail. */
  discard(): Promise<void>;
}

/** A result that the person still has to save. */
export interface Unsaved {
  readonly name: string;
  /** Rejects if the browser did not take all of it. */
  save(): Promise<void>;
  /** Removes the page's copy. It does not fail. */
  remove(): Promise<void>;
}

/** The result of a file. */
export interface Result {
  /** In words, for the list of files. */
  readonly note: string;
  readonly size: number;
  readonly unsaved?: Unsaved;
}

/** A place for the results of one run. */
export interface Place {
  /** In words: `to the file that you chose`. */
  readonly description: string;
  /** Whether bytes leave the page before the file is complete, so that they cannot be taken back in every browser. */
  readonly releasesEarly?: boolean;
  /** Begins a file at this path; folders of the path are made if the place has any. The size is told if it is known exactly. */
  open(path: string, size: number | undefined): Promise<Output>;
  /** Removes everything that was made for a file that was never begun. It does not fail. */
  unused?(): Promise<void>;
}

/** The last part of a path, as a file is saved. */
export const nameOf = (path: string): string => savedAs(path.slice(path.lastIndexOf('/') + 1));
