/** What the rows of BLAKE3 need beside contestants. */
import { blake3 } from '@noble/hashes/blake3.js';
import { describe, expect, test } from 'vitest';
import { levels, Native, noNative } from '../src/native.ts';
import { runWorker } from '../src/worker.ts';
import type { GenerateResult, UseResult } from '../src/worker-module.ts';

describe.each(levels)('the official crate at $name', (level) => {
  const reason = noNative(level);

  test('hashes what it was given, and tells the time', (context) => {
    if (reason !== undefined) context.skip(reason);
    const message = Uint8Array.from({ length: 100_003 }, (_, i) => i % 251);
    const native = new Native(level, message);
    const [one, many] = [native.time(1), native.time(200)];
    expect(native.digest).toEqual(blake3(message));
    expect(one).toBeGreaterThan(0);
    expect(many).toBeGreaterThan(one);
  });
});

test('nothing is compiled at import, and no vectors up to 2 KiB', async () => {
  const { bytes } = await runWorker<GenerateResult>('worker-module.ts', 'generate');
  const { compiled } = await runWorker<UseResult>('worker-module.ts', 'use');
  expect(compiled.import).toBe(0);
  expect(compiled.short).toBeGreaterThan(0);
  expect(compiled.short).toBeLessThan(bytes);
  expect(compiled.long).toBeGreaterThan(compiled.short);
  expect(bytes).toBeLessThanOrEqual(40_000);
});
