/** A call that takes options, as the tables of them have it: `options.ts`. */
import { sample } from './bytes.ts';

export interface OptionsCall {
  /** What a user calls, as the table of calls has it. */
  readonly title: string;
  /** What errors call the options. */
  readonly name: string;
  /** All that there are, each with a value that makes a difference. */
  readonly all: Readonly<Record<string, unknown>>;
  /** What the call cannot do without. */
  readonly required: Readonly<Record<string, unknown>>;
  /** Options of other calls that a user might give to this one, and what the error says about them. */
  readonly others: Readonly<Record<string, string>>;
  /** Makes the call, and shows what it did; what an error says is a result, too. */
  use(options: never): Uint8Array;
}

export const key = sample(32, 31);
export const message = sample(48, 32);
export const page = sample(1024, 33);
export const iv = sample(16, 34);
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
