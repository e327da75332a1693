/** A call that takes options, as the tables of them have it: `options.ts`. */
import { sample } from './bytes.ts';

export interface OptionsCall {
  /** The name of the call in the table of calls. */
  readonly title: string;
  /** The name of the options in errors. */
  readonly name: string;
  /** All that there are, each with a value that makes a difference. */
  readonly all: Readonly<Record<string, unknown>>;
  /** Options that the call requires. */
  readonly required: Readonly<Record<string, unknown>>;
  /** Options of other calls that a user might give to this one, with the advice in the error. */
  readonly others: Readonly<Record<string, string>>;
  /** Makes the call, and returns bytes that show its effect; the text of an error is a result, too. */
  use(options: never): Uint8Array;
}

export const key = sample(32, 31);
export const message = sample(48, 32);
export const page = sample(1024, 33);
export const iv = sample(16, 34);
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
