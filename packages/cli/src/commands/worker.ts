/** `lanewise worker`: does jobs of a queue until it is told to stop. */
import type { ClusterWorker, LogLine } from '@lanewise/cluster';
import { answerHealth } from '../cluster/health.ts';
import { asCommandError, clusterLibrary } from '../cluster/library.ts';
import { WorkerLog } from '../cluster/worker-log.ts';
import { readWorkerOptions, WORKER_HELP, type WorkerCommand } from '../cluster/worker-options.ts';
import type { Argument } from '../command-line.ts';
import { ENDING_SIGNALS } from '../signals.ts';
import { print } from '../terminal.ts';

export { WORKER_HELP as HELP, workerOptions as options } from '../cluster/worker-options.ts';

/** How often idle works are looked for. */
const IDLE_MILLISECONDS = 10_000;

async function start(command: WorkerCommand, log: (line: LogLine) => void): Promise<ClusterWorker> {
  const { queue, threads, allow, allowWrite, keyFiles, identityFile, native } = command;
  const { createWorker } = await clusterLibrary(queue);
  try {
    return await createWorker(queue.address, {
      allow,
      allowWrite,
      keyFiles,
      native,
      log,
      ...(queue.name !== undefined && { name: queue.name }),
      ...(threads !== undefined && { threads }),
      ...(identityFile !== undefined && { identityFile }),
    });
  } catch (error) {
    throw asCommandError(error, queue);
  }
}

/** Resolves when the worker has stopped because a signal said so. */
function stopped(worker: ClusterWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    let told = false;
    const handle = (): void => {
      const end = told ? worker.close() : worker.stop();
      told = true;
      end.then(resolve, reject);
    };
    for (const signal of ENDING_SIGNALS) process.on(signal, handle);
  });
}

export async function run(given: readonly Argument[]): Promise<number> {
  const command = readWorkerOptions(given);
  if (command === 'help') {
    await print(WORKER_HELP);
    return 0;
  }
  const log = new WorkerLog(command.level, command.queue, command.json, (text) => void process.stdout.write(text));
  const worker = await start(command, (line) => log.add(line));
  const timer = setInterval(() => log.tellIdle(new Date()), IDLE_MILLISECONDS);
  const end = stopped(worker);
  try {
    const health = command.health && (await answerHealth(command.health, () => worker.health()));
    if (health) log.health(health.url);
    await end;
    health?.close();
    return 0;
  } finally {
    clearInterval(timer);
    await worker.close();
  }
}
