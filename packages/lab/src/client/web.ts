/** What a bundle for browsers, workers, workerd and everything else without Node's modules exports. */
import { serveIfInCrew } from './web-worker.ts';

export { catalogue, plans } from './catalogue.ts';
export { run } from './client.ts';
export { PROTOCOL } from './messages.ts';

serveIfInCrew();
