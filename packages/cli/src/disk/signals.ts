/** Cleanup when a signal ends the command. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` when a signal comes, then ends the process by the same signal, because shells look at how a process ended.
 *
 * @returns a function that removes the handlers.
 */
export function onSignals(work: () => void): () => void {
  const off = (): void => {
    for (const signal of signals) process.off(signal, leave);
  };
  const leave = (signal: NodeJS.Signals): void => {
    off();
    work();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, leave);
  return off;
}
