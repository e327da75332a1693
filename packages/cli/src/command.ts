/** What every subcommand is. */
import type { Argument } from './command-line.ts';

export interface Command {
  /** @returns the exit code: 0 all is right; 1 a mismatch, or something could not be read or written. */
  run(given: readonly Argument[]): Promise<number>;
}

/** A mistake of the person at the keyboard: one line, exit code 2. */
export class UsageError extends Error {}

/** What could not be done at all: one line, exit code 1. */
export class Failure extends Error {}
