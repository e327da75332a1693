/** Workers as processes, which tests kill. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LogLine, WorkerOptions } from '../../src/index.ts';

export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Its log. */
  readonly lines: readonly LogLine[];
  /** Ends it by a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts a worker and waits until it takes jobs. */
export async function startWorker(queue: string, options: Omit<WorkerOptions, 'log'>): Promise<WorkerProcess> {
  const program = join(import.meta.dirname, 'process.ts');
  const child = spawn(process.execPath, [program, queue, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: LogLine[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as LogLine;
      lines.push(line);
      if (line.event === 'ready') resolve();
    });
  });
  await ready;
  return {
    child,
    lines,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}
