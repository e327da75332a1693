/** The signals that end a command, and the cleanup before they do. */

/** Interrupt and quit from the keyboard (Ctrl-C, Ctrl-\), the request of a system that shuts down, and the end of a terminal. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'] as const satisfies NodeJS.Signals[];

/**
 * Runs `work` when a signal comes, then ends the process by the same signal, because shells look at how a process ended.
 *
 * @returns a function that removes the handlers.
 */
export function onSignals(work: () => void): () => void {
  const off = (): void => {
    for (const signal of ENDING_SIGNALS) process.off(signal, leave);
  };
  const leave = (signal: NodeJS.Signals): void => {
    off();
    work();
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, leave);
  return off;
}
