/** Workers of Node, Bun and Deno. This file, or the bundle that contains it, is also the program that they run. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CREW, serveCrew, type WorkerHandle } from '../crew-member.ts';

export function startWorker(url: string = import.meta.url): WorkerHandle {
  const worker = new Worker(new URL(url), { workerData: CREW });
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    onMessage: (listener) => void worker.on('message', listener),
    onError: (listener) => void worker.on('error', (error) => listener(String(error))),
    end: () => void worker.terminate(),
  };
}

export const inCrew: boolean = !isMainThread && workerData === CREW;

if (inCrew && parentPort) {
  const port = parentPort;
  serveCrew({
    post: (message, transfer) => port.postMessage(message, [...transfer]),
    onMessage: (listener) => void port.on('message', listener),
  });
}
