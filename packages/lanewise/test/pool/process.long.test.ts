/** Pools and the end of a process, and work that is dropped: in processes of their own. */
// Runs in Node only: starts processes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { bundled } from '../support/pool/bundled.ts';

const source = (name: string): string => new URL(`../../src/${name}.ts`, import.meta.url).href;
const run = (...values: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, values, { encoding: 'utf8', timeout: 30_000 });
const folder = mkdtempSync(join(tmpdir(), 'lanewise-process-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Runs a program from a file: workers do not start under --input-type. */
function inNode(code: string): ReturnType<typeof run> {
  const path = join(folder, 'program.mjs');
  writeFileSync(path, `import { createPool } from '${source('pool')}';\n${code}`);
  return run(path);
}

it('keys of dropped work are wiped in workers', () => {
  const { stdout, stderr } = run(
    '--expose-gc',
    new URL('../support/pool/dropped.ts', import.meta.url).pathname,
    bundled('searching-worker.ts').href,
  );
  expect(stderr).toBe('');
  expect(stdout).toBe('blake3: true, false\nencrypt: true, false\n');
});

it('a hash whose source waits, and is held by nothing else, hears of the end of its pool', () => {
  const path = join(folder, 'waits.mjs');
  writeFileSync(
    path,
    `import { createPool } from '${source('pool')}';
    const pool = createPool({ threads: 1 });
    const waiting = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3_000_000)) });
    setTimeout(async () => {
      for (let i = 0; i < 5; i++) {
        gc();
        await new Promise((then) => setTimeout(then, 20));
      }
      await pool.close();
    }, 50);
    const late = setTimeout(() => console.log('it waits for ever'), 20_000);
    console.log(await pool.blake3(waiting()).catch((error) => error.message));
    clearTimeout(late);`,
  );
  const { status, stdout, stderr } = run('--expose-gc', path);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^(the pool was closed while it worked|the work was given up)\n$/);
});

it('work keeps a process running, idle workers do not', () => {
  const { status, stdout, stderr } = inNode(`
    const pool = createPool({ threads: 2, idle: 1_000_000, threshold: 12_000_000 });
    while (pool.describe().running < 2) await pool.blake3(new Uint8Array(40_000_000));
    const digest = await pool.blake3(new Uint8Array(40_000_000));
    console.log(digest.length, pool.describe().running);`);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '32 2\n', stderr: '' });
});

it('workers that start do not keep a process running', () => {
  const { status, stdout, stderr } = inNode(`
    const pool = createPool({ threads: 2, idle: 1_000_000, threshold: 12_000_000 });
    console.log((await pool.blake3(new Uint8Array(34_000_000))).length);`);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '32\n', stderr: '' });
});

it('a host without FinalizationRegistry and WeakRef', () => {
  const { status, stdout, stderr } = run(
    '--input-type=module',
    '-e',
    `delete globalThis.FinalizationRegistry; delete globalThis.WeakRef;
    const { createPool } = await import('${source('pool')}');
    await using pool = createPool({ threads: 1, threshold: 12_000_000 });
    const { stack, message } = await pool.blake3(new Uint8Array(40_000_000), { onProgress() { throw new Error('no more'); } }).catch((e) => e);
    console.log(message, (await pool.blake3(new Uint8Array(40_000_000))).length);`,
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'no more 32\n', stderr: '' });
});

it('10,000 small calls leave nothing', () => {
  const { stdout, stderr } = run(
    '--expose-gc',
    '--input-type=module',
    '-e',
    `import { createPool } from '${source('pool')}';
    await using pool = createPool({ threads: 1 });
    const bytes = new Uint8Array(1000);
    const many = async () => {
      for (let i = 0; i < 10_000; i++) await pool.blake3(bytes);
      for (let i = 0; i < 5; i++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        gc();
      }
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    await many();
    const before = await many();
    console.log((await many()) - before < 200_000);`,
  );
  expect(stderr).toBe('');
  expect(stdout).toBe('true\n');
});
