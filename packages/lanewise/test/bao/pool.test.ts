/** Outboards and encodings by the threads of a pool: the same bytes as by one. */
// Runs in Node only: starts worker threads from the sources.
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encode, outboard } from '../../src/bao.ts';
import { createPool } from '../../src/pool.ts';
import { sample } from '../support/bytes.ts';
import { modelOf } from '../support/bao.ts';

const MiB = 2 ** 20;
const pool = createPool({ threads: 2 });
afterAll(() => pool.close());
const content = sample(3 * MiB + 12_345, 4);

test.each([0, 5, MiB - 1, MiB, MiB + 1, 2 * MiB, content.length])('%i bytes', async (length) => {
  const its = content.subarray(0, length);
  for (const groupLength of [1024, 16_384]) {
    const made = await outboard(its, { groupLength, pool });
    expect(made).toEqual(await outboard(its, { groupLength }));
    expect((await encode(its, { groupLength, pool })).encoded).toEqual(modelOf(its, groupLength, true));
  }
});

test('a Blob, a stream and a file', async () => {
  const expected = await outboard(content, { groupLength: 16_384 });
  const folder = await mkdtemp(join(tmpdir(), 'lanewise-bao-'));
  try {
    await writeFile(join(folder, 'file'), content);
    const file = await open(join(folder, 'file'));
    try {
      for (const source of [new Blob([content]), new Response(content), file])
        expect(await outboard(source, { groupLength: 16_384, pool })).toEqual(expected);
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('progress, and a signal', async () => {
  let last = 0;
  await outboard(content, { pool, onProgress: (done) => (last = done) });
  expect(last).toBe(content.length);
  const controller = new AbortController();
  const onProgress = (): void => controller.abort(new Error('enough'));
  await expect(outboard(content, { pool, signal: controller.signal, onProgress })).rejects.toThrow('enough');
});
