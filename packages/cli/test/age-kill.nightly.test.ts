/** Runs of `lanewise encrypt` and `decrypt` that are ended at any moment: the output is whole, or as it was before. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { get, IDENTITY, put, RECIPIENT } from './age-programs.ts';
import { bytes, folder, lanewise, main } from './programs.ts';
import { generator } from './random.ts';

const size = 40_000_000;
const OLD = Buffer.from('as it was');

beforeAll(() => {
  put('key.txt', `${IDENTITY}\n`);
  put('large', bytes(size));
  lanewise(['encrypt', '-r', RECIPIENT, '-o', 'large.age', 'large']);
});

it.each([
  ['SIGTERM', 'encrypt'],
  ['SIGINT', 'decrypt'],
  ['SIGKILL', 'encrypt'],
  ['SIGKILL', 'decrypt'],
] as const)('%s while it would %s', async (signal, command) => {
  const values = command === 'encrypt' ? ['-r', RECIPIENT, 'large'] : ['-i', 'key.txt', 'large.age'];
  const whole = (content: Buffer): boolean =>
    command === 'decrypt'
      ? content.equals(get('large'))
      : content.length === get('large.age').length && content.subarray(0, 21).toString() === 'age-encryption.org/v1';
  const draw = generator(command.length + signal.length);
  let ended = 0;
  for (let i = 0; i < 12; i++) {
    put('out', OLD);
    const child = spawn(process.execPath, [main, command, '--num-threads=2', '-o', 'out', ...values], {
      cwd: folder,
      stdio: 'ignore',
    });
    const over = once(child, 'close') as Promise<[number | null, string | null]>;
    // Most moments are within the run, whose length depends on the machine's load.
    const drafted = (): boolean => readdirSync(folder).some((name) => name.startsWith('out.'));
    while (i % 3 && !drafted() && child.exitCode === null) await sleep(1);
    await sleep(draw() * (i % 3 ? 40 : 200));
    child.kill(signal);
    const [status, by] = await over;
    if (by === signal) ended++;
    else expect(status).toBe(0);
    const content = get('out');
    expect(whole(content) || (by === signal && content.equals(OLD))).toBe(true);
    const drafts = readdirSync(folder).filter((name) => name.startsWith('out.'));
    // No program can clean up after SIGKILL.
    if (signal !== 'SIGKILL') expect(drafts).toEqual([]);
    for (const name of drafts) rmSync(join(folder, name));
  }
  expect(ended).toBeGreaterThan(0);
});
