/** Streams on a pool at the length from which the pool takes them; pool.test.ts has others. */
// Runs in browsers, too: workers are those of the host.
// Needs workers: a request handler has none, and too little memory for messages that are long enough.
import { afterAll, describe, it } from 'vitest';
import { edges, expectLength, formats, MiB, names, warmPool } from '../support/stream-pool.ts';

const pool = await warmPool();
afterAll(() => pool.close());

describe.each(names)('%s', (name) => {
  const format = formats[name];
  it.each(edges(format.chunkLength, 4 * MiB))('%i bytes', async (length) => {
    await expectLength(format, length, pool);
  });
});
