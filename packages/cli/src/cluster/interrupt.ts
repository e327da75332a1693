/** Signals that end a command which has work in the queue: the first asks for an orderly end, the second ends at once. */
import { ENDING_SIGNALS } from '../signals.ts';

/** Thrown after an orderly end that a signal asked for. */
export class Interrupted extends Error {
  readonly by: NodeJS.Signals;
  constructor(by: NodeJS.Signals, options?: ErrorOptions) {
    super(`interrupted by ${by}`, options);
    this.by = by;
  }
}

/** Ends this process by the signal, because shells look at how a process ended. */
export function endBy({ by }: Interrupted): never {
  process.kill(process.pid, by);
  // The signal may come a moment later.
  process.exit(1);
}

/**
 * Does work whose signal is aborted by the first of the operating system's signals.
 *
 * @param onSignal - Is called before, to say so.
 * @throws Interrupted if the work ended after a signal, whichever way it did.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  onSignal: () => void,
): Promise<Result> {
  const controller = new AbortController();
  let interrupted: Interrupted | undefined;
  const off = (): void => {
    for (const signal of ENDING_SIGNALS) process.off(signal, handle);
  };
  const handle = (by: NodeJS.Signals): void => {
    if (interrupted) {
      off();
      endBy(interrupted);
    }
    interrupted = new Interrupted(by);
    onSignal();
    controller.abort(interrupted);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, handle);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw interrupted ? new Interrupted(interrupted.by, { cause: error }) : error;
  } finally {
    off();
  }
}
