// A thread of prove.ts: proves the claims whose numbers it is sent.
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { allClaims } from './claims/index.ts';
import { forgetTerms } from './terms/term.ts';

/** What became of a claim. */
export interface Outcome {
  readonly number: number;
  readonly seconds: number;
  /** Why it is not proved. */
  readonly failure: string | undefined;
}

const MOST_HEAP_BYTES = 400e6;

const claims = allClaims();

async function prove(number: number): Promise<Outcome> {
  const start = performance.now();
  let failure: string | undefined;
  try {
    await claims[number].prove();
  } catch (error) {
    // A Failure is what a claim says; anything else, such as a run that cannot go on, is no proof either.
    failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  // What a claim has shown may help the next, unless there is too much of it.
  if (getHeapStatistics().used_heap_size > MOST_HEAP_BYTES) forgetTerms();
  return { number, seconds: (performance.now() - start) / 1000, failure };
}

parentPort?.on('message', (number: number) => {
  void prove(number).then((outcome) => parentPort?.postMessage(outcome));
});
