/** Output of this package's programs: data to standard output, everything else to standard error. */

import { printable } from './results/names.ts';

/** A mistake in the arguments or files: reported in one line, with exit code 2. */
export class UsageError extends Error {}

export interface Progress {
  show(text: string): void;
  clear(): void;
}

/** A log has no more than a line of progress each second. */
const BETWEEN_LINES_MILLISECONDS = 1000;

/** Whether lines can be rewritten in place. */
export const isTerminal = (stream: NodeJS.WriteStream): boolean => stream.isTTY && process.env['TERM'] !== 'dumb';

/** A line that is rewritten in place on a terminal. Elsewhere whole lines, after a second and not more often than each second. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  if (!isTerminal(stream)) {
    let last = performance.now();
    return {
      show(text) {
        if (performance.now() < last + BETWEEN_LINES_MILLISECONDS) return;
        last = performance.now();
        stream.write(`${text}\n`);
      },
      clear() {},
    };
  }
  const erase = '\r\x1b[2K';
  return {
    show(text) {
      // A line that wraps could not be erased.
      stream.write(erase + text.slice(0, (stream.columns || 80) - 1));
    },
    clear() {
      stream.write(erase);
    },
  };
}

/** A reader that has seen enough (`| head`) closes the pipe, which isn't an error. */
export function quietOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      throw error;
    });
  }
}

/** Runs a program: its result is the exit code. */
export async function run(name: string, main: () => number | Promise<number>): Promise<void> {
  quietOnClosedPipe();
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${name}: ${printable(error.message)}\n`);
    process.exitCode = 2;
  }
}
