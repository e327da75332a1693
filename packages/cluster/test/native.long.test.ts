/** Native code in the threads of a worker: installed, broken, refused, and not there. The package is a small one that says when it is loaded. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWorker } from '../src/index.ts';

const place = mkdtempSync(join(tmpdir(), 'lanewise-native-threads-'));
const modules = join(place, 'node_modules');
const native = join(modules, '@lanewise/native');
afterAll(() => rmSync(place, { recursive: true }));

const WORKS = `
import { offerNative } from 'lanewise/engine.js';
offerNative({ lanes: 8, instructions: 'AVX2', instanceOf: () => undefined });
console.log('native is loaded');`;

/** Prints the notices of a worker that finds no queue. */
const NOTICES = `
import { createWorker } from '@lanewise/cluster';
const native = process.argv[2] !== 'refused';
const log = ({ event, notice }) => event === 'notice' && console.log(notice);
const failed = await createWorker('redis://127.0.0.1:1', { allow: ['file:///nothing/'], native, log }).catch(() => 'no queue');
console.log(failed);
process.exit();`;

/** A thread that gets a job which it refuses: the first job waits until all is loaded. */
const THREAD = `
import { Worker } from 'node:worker_threads';
const settings = { allow: [], allowWrite: [], keyFiles: {}, identityFile: undefined, objects: {}, native: process.argv[2] !== 'refused' };
const url = new URL('./node_modules/@lanewise/cluster/dist/thread.js', import.meta.url);
const thread = new Worker(url, { workerData: settings });
thread.postMessage({ task: { action: 'run', name: 'none', data: {}, children: [] } });
thread.on('message', (answer) => {
  console.log(Object.keys(answer).join());
  void thread.terminate();
});`;

function install(code: string): void {
  mkdirSync(native, { recursive: true });
  writeFileSync(join(native, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(native, 'index.js'), code);
}

/** The lines of a program, in any order: those of threads come when they come. */
function lines(code: string, ...values: readonly string[]): readonly string[] {
  writeFileSync(join(place, 'program.mjs'), code);
  const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs', ...values], { cwd: place, encoding: 'utf8' });
  return `${stdout}${stderr}`.trim().split('\n').sort();
}

beforeAll(() => {
  const cluster = dirname(import.meta.dirname);
  cpSync(join(cluster, 'dist'), join(modules, '@lanewise/cluster/dist'), { recursive: true });
  cpSync(join(cluster, 'package.json'), join(modules, '@lanewise/cluster/package.json'));
  for (const name of ['lanewise', '@lanewise/age', 'aws4fetch', 'bullmq', 'ioredis']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(cluster, '../../node_modules', name), join(modules, name));
  }
});
beforeEach(() => rmSync(native, { recursive: true, force: true }));

test('not installed: nothing is said', () => {
  expect(lines(THREAD)).toEqual(['error']);
  expect(lines(NOTICES)).toEqual(['no queue']);
});

test('installed: threads load it, and a refusal is heeded', () => {
  install(WORKS);
  expect(lines(THREAD)).toEqual(['error', 'native is loaded']);
  expect(lines(THREAD, 'refused')).toEqual(['error']);
  expect(lines(NOTICES, 'refused')).toEqual(['no queue']);
});

test('broken: the log has the reason, and threads work', () => {
  install("throw new Error('an old system');");
  expect(lines(NOTICES)).toEqual(['@lanewise/native cannot be loaded: an old system', 'no queue']);
  expect(lines(NOTICES, 'refused')).toEqual(['no queue']);
  expect(lines(THREAD)).toEqual(['error']);
});

test('the option is a boolean', async () => {
  await expect(createWorker('redis://127.0.0.1:1', { allow: ['file:///x/'], native: 'no' as never })).rejects.toThrow(
    new TypeError('"native" expected boolean, got type=string'),
  );
});
