/** The worker of the page: it runs the client, and is started anew for each session. */
import type * as Client from '../client/web.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const scope = globalThis as unknown as Worker;
const tell = (message: FromWorker): void => scope.postMessage(message);

const { catalogue, plans, run } = (await import(new URL('client.js', import.meta.url).href)) as typeof Client;
const stop = new AbortController();

scope.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.say === 'stop') stop.abort(new Error('stopped'));
  else void run(data.task, (message) => tell({ say: 'message', message }), { signal: stop.signal });
});
const [quick, thorough] = (['quick', 'default'] as const).map((kind) => catalogue(kind, 'worker'));
tell({ say: 'ready', catalogues: { quick, default: thorough }, plans });
