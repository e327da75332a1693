/** What is left to do when a signal ends the command. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does it, at once, and ends as the signal would have ended us: shells ask for that.
 *
 * @returns what takes it back.
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
