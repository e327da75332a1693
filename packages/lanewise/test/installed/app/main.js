/** The page: checks the pool, reports to the address that it was given, and goes to the page that it is told. */
import { check } from './check.js';
import { pool } from './pool.js';

/** Answers of workers, except their greetings. */
let answers = 0;
const Native = globalThis.Worker;
if (Native)
  globalThis.Worker = class extends Native {
    constructor(...its) {
      super(...its);
      answers--;
      this.addEventListener('message', () => answers++);
    }
  };

async function report() {
  const to = new URLSearchParams(location.search).get('report');
  const body = JSON.stringify({ ...(await check(pool)), answers, isolated: globalThis.crossOriginIsolated });
  const next = await (await fetch(to, { method: 'POST', body })).text();
  if (next) location.replace(next);
}
void report();
