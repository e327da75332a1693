/**
 * Of transactions that wait for one another PostgreSQL ends one, and expects its client to make it again. BullMQ doesn't: a job whose end
 * is lost so runs a second time when its lease has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend } from 'bullmq';

type Query = (text: string, parameters: unknown) => Promise<unknown>;

/** serialization_failure and deadlock_detected (PostgreSQL, appendix A): nothing of the transaction was done. */
const GAVE_WAY: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const MOST_TRIES = 10;
/** Both sides of a conflict may be clients of this kind, so that equal pauses could repeat it. */
const PAUSE_MS = 20;

/** A query that is made again when its transaction gave way to another one. It has to be a transaction of its own. */
export const repeated =
  (query: Query): Query =>
  async (text, parameters) => {
    for (let tries = 1; ; tries++)
      try {
        return await query(text, parameters);
      } catch (error) {
        if (tries === MOST_TRIES || !GAVE_WAY.has((error as NodeJS.ErrnoException).code)) throw error;
        await sleep(tries * PAUSE_MS * Math.random());
      }
  };

/** BullMQ's backend. Each of its commands is one statement, which calls one stored function, so it is a transaction of its own. */
export const createRepeatingBackend: typeof createPostgresBackend = (...options) => {
  const backend = createPostgresBackend(...options);
  // BullMQ sends every command by this method, which its types don't show.
  const commands = backend as unknown as { query: Query };
  commands.query = repeated(commands.query.bind(backend));
  return backend;
};
