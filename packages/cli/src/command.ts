/** The interface of subcommands, and the errors that end them. */
import type { ParseArgsConfig } from 'node:util';
import type { Argument } from './command-line.ts';

/** Options by their long names. Man pages and completions are made from the same tables (`pages.ts`). */
export type OptionTable = NonNullable<ParseArgsConfig['options']>;

export interface Command {
  /** The text of --help: usage, description, a line for each option. */
  readonly HELP: string;
  readonly options: OptionTable;
  /** @returns the exit code: 0 for success; 1 for a mismatch, or if a file could not be read or written. */
  run(given: readonly Argument[]): Promise<number>;
}

/** The command was asked for its version, and for nothing else. */
export class VersionAsked extends Error {}

/** Wrong arguments: one line on standard error, exit code 2. */
export class UsageError extends Error {}

/** The operation failed: one line on standard error, exit code 1. */
export class Failure extends Error {}
