/** The page: runs each test file in a realm of its own, one after the other, and sends each result to the server. */
import { broken, queryOf, type Plan, type Result } from './messages.ts';

function inWorker(file: string, query: string): Promise<Result> {
  return new Promise((resolve) => {
    const worker = new Worker(`/realm.js?${query}`, { type: 'module' });
    const end = (result: Result): void => {
      worker.terminate();
      resolve(result);
    };
    worker.onmessage = ({ data }: MessageEvent<Result>) => end(data);
    worker.onerror = (event) => end(broken(file, `the worker: ${event.message || 'could not be loaded'}`));
  });
}

function inFrame(_: string, query: string): Promise<Result> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    const listen = ({ source, data }: MessageEvent<Result>): void => {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      frame.remove();
      resolve(data);
    };
    addEventListener('message', listen);
    frame.src = `/realm.html?${query}`;
    document.body.append(frame);
  });
}

const post = (path: string, body: unknown): Promise<unknown> =>
  fetch(path, { method: 'POST', body: JSON.stringify(body) });

const { files, place, ...surroundings } = (await (await fetch('/plan.json')).json()) as Plan;
const run = place === 'worker' ? inWorker : inFrame;
for (const file of files) {
  await post('/started', file);
  await post('/result', await run(file, queryOf(file, surroundings)));
}
await post('/done', null);
