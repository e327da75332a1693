/** Workers of browsers. The bundle is also the program that they run: it checks whether it is in one. */
import { CREW, serveCrew, type WorkerHandle } from './crew-member.ts';

export function startWorker(url: string = import.meta.url): WorkerHandle {
  if (typeof Worker !== 'function') throw new Error('there are no workers here');
  const worker = new Worker(url, { type: 'module', name: CREW });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    onMessage: (listener) => worker.addEventListener('message', ({ data }) => listener(data)),
    onError: (listener) =>
      worker.addEventListener('error', ({ message }) => listener(message || 'a worker could not be started')),
    end: () => worker.terminate(),
  };
}

/** Answers jobs, if the lab started this worker. */
export function serveIfInCrew(): void {
  if ((globalThis as { name?: unknown }).name !== CREW) return;
  const scope = globalThis as unknown as Worker;
  serveCrew({
    post: (message, transfer) => scope.postMessage(message, [...transfer]),
    onMessage: (listener) => scope.addEventListener('message', ({ data }) => listener(data)),
  });
}
