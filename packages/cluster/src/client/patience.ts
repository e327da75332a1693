/** A queue that restarts comes back; one that does not is an error, and nothing waits for it for ever. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLost } from '../queue/lost.ts';

/** How long a queue may be out of reach. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;

/** Asks the queue, again while it is out of reach and the caller has not closed it. The request must be harmless when it is sent twice. */
export async function patiently<Result>(
  shown: string,
  ask: () => Promise<Result>,
  isClosed: () => boolean,
): Promise<Result> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const aborter = new AbortController();
    // The driver of Redis keeps a command until the server is there again, however long.
    const late = sleep(Math.max(1, deadline - performance.now()), undefined, { signal: aborter.signal }).then(() => {
      throw new Error(`the queue ${shown} did not answer in ${PATIENCE_MS / 1000} s`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([ask(), late]);
    } catch (error) {
      if (isClosed()) throw new Error('the connection to the queue is closed', { cause: error });
      if (!isLost(error) || performance.now() > deadline) throw error;
    } finally {
      aborter.abort();
    }
    await sleep(PAUSE_MS);
  }
}
