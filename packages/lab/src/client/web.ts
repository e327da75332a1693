/** The exports of the bundle for browsers, workers, workerd and other hosts without Node's modules. */
import { serveIfInCrew } from './web-worker.ts';

export { catalogue, plans } from './catalogue.ts';
export { run } from './client.ts';
export { PROTOCOL } from './messages.ts';

serveIfInCrew();
