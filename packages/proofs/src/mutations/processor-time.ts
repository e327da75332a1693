/** The processor time of this thread in milliseconds: on a busy machine, clocks tell how busy it is. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
