/** A session: a fresh worker and its messages. */
import type { Message, Task } from '../client/messages.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** After `stop`, a worker has this long to send its findings. */
const PATIENCE_MILLISECONDS = 3000;

type Ready = Extract<FromWorker, { say: 'ready' }>;

export interface Session {
  /** Rejects if the worker does not start. */
  readonly ready: Promise<Ready>;
  /** Resolves when no more messages will come and the worker is gone. Never rejects. */
  run(task: Task, onMessage: (message: Message) => void, signal: AbortSignal): Promise<void>;
}

export function freshSession(): Session {
  const worker = new Worker('session-worker.js', { type: 'module', name: 'lanewise-lab' });
  const tell = (message: ToWorker): void => worker.postMessage(message);
  const ready = new Promise<Ready>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.say === 'ready') resolve(data);
    });
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'the worker could not be started')));
  });
  return {
    ready,
    run: (task, onMessage, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          worker.terminate();
          resolve();
        };
        const hear = (message: Message): void => {
          onMessage(message);
          if (message.type === 'done' || (message.type === 'error' && message.contest === undefined)) end();
        };
        worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
          if (data.say === 'message') hear(data.message);
        });
        worker.addEventListener('error', ({ message }) =>
          hear({ type: 'error', message: message || 'the worker failed' }),
        );
        signal.addEventListener('abort', () => {
          tell({ say: 'stop' });
          setTimeout(end, PATIENCE_MILLISECONDS);
        });
        tell({ say: 'run', task });
      }),
  };
}
