// A thread of prove.ts: proves the claims whose numbers it is sent.
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { allClaims } from './claims/index.ts';
import { outcomeOf, type Outcome } from './prove-outcome.ts';
import { forgetTerms } from './terms/term.ts';

const MOST_HEAP_BYTES = 400e6;

const claims = allClaims(workerData as SharedArrayBuffer[]);

async function prove(number: number): Promise<Outcome> {
  const outcome = await outcomeOf(claims[number], number);
  // Terms of one claim may help the next, unless there are too many of them.
  if (getHeapStatistics().used_heap_size > MOST_HEAP_BYTES) forgetTerms();
  return outcome;
}

parentPort?.on('message', (number: number) => {
  void prove(number).then((outcome) => parentPort?.postMessage(outcome));
});
