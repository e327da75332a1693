/** The interface of subcommands, and the errors that end them. */
import type { Argument } from './command-line.ts';

export interface Command {
  /** @returns the exit code: 0 for success; 1 for a mismatch, or if a file could not be read or written. */
  run(given: readonly Argument[]): Promise<number>;
}

/** Wrong arguments: one line on standard error, exit code 2. */
export class UsageError extends Error {}

/** The operation failed: one line on standard error, exit code 1. */
export class Failure extends Error {}
