/** Options that become a timer: hosts make 1 ms of more than 2^31 - 1 ms, so a call refuses them, or its timers are shorter. */
import { outboard, verifiedReader } from 'lanewise/bao.js';
import { createPool } from 'lanewise/pool.js';
import { createWorker } from '@lanewise/cluster';
import { expect, test, vi } from 'vitest';
import { readFetchOptions } from '../../cli/src/bao/fetch-options.ts';
import { objectOptionsOf } from '../../cluster/src/objects/settings.ts';

const content = new Uint8Array(5000);
const made = await outboard(content);
const fetching = (...given: string[]) =>
  readFetchOptions(['http://127.0.0.1/x', '0'.repeat(64), ...given].map((text) => ({ text, path: text })));

/** Each call with a value that is too long for a timer. */
const rows: Readonly<Record<string, (value: number) => unknown>> = {
  'verifiedReader, patience': (patience) =>
    verifiedReader(content, made.hash, { outboard: made.outboard, sources: [content], patience }),
  'createPool, idle': async (idle) => {
    const pool = createPool({ threads: 2, idle, threshold: 0 });
    await pool.blake3(new Uint8Array(3_000_000));
    await pool.close();
  },
  'createWorker, lease': (lease) => createWorker('redis://127.0.0.1:1', { allow: ['file:///nothing/'], lease }),
  'objects, timeout': (timeout) => objectOptionsOf({ timeout }),
  'lanewise fetch --patience': (value) => fetching('--outboard', 'x', `--patience=${Math.ceil(value / 1000)}`),
  'lanewise fetch --timeout': (value) => fetching(`--timeout=${Math.ceil(value / 1000)}`),
};

test.each(Object.entries(rows))('%s', async (_, call) => {
  for (const value of [2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
    const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    try {
      const failure = await new Promise((resolve) => resolve(call(value))).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      );
      if (failure !== undefined)
        expect(failure).toMatch(/expected integer from \d+ to \d+, got|takes seconds, above 0/);
      for (const { mock } of timers) for (const [, delay] of mock.calls) expect(delay ?? 0).toBeLessThan(2 ** 31);
    } finally {
      timers.forEach((timer) => timer.mockRestore());
    }
  }
});

test('the longest patience', async () => {
  const reader = await verifiedReader(content, made.hash, {
    outboard: made.outboard,
    sources: [content],
    patience: 2 ** 31 - 1,
  });
  expect(await reader.read(0, 10)).toEqual(content.subarray(0, 10));
  reader.destroy();
});
