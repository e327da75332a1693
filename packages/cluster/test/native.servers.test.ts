/** Native code in the threads of a worker: installed, broken, refused, and not there. The package is a small one that says when it is loaded. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorker } from '../src/index.ts';
import { hasServer } from './servers/available.ts';
import { startRedis, type RedisServer } from './servers/redis.ts';

const place = mkdtempSync(join(tmpdir(), 'lanewise-native-threads-'));
const modules = join(place, 'node_modules');
const native = join(modules, '@lanewise/native');
afterAll(() => rmSync(place, { recursive: true }));

const WORKS = `
import { offerNative } from 'lanewise/engine.js';
import { writeSync } from 'node:fs';
offerNative({ lanes: 8, instructions: 'AVX2', instanceOf: () => undefined });
// At once: lines of a thread's console are lost if it ends.
writeSync(1, 'native is loaded\\n');`;

const BROKEN = "throw new Error('an old system');";

/** Prints the notices of a worker of two threads, until all have loaded it or failed to, and the engine of the program itself. */
const NOTICES = `
import { cluster, createWorker } from '@lanewise/cluster';
import { describe } from 'lanewise/engine.js';
import { writeFileSync } from 'node:fs';
const [url, folder, its] = process.argv.slice(2);
const native = its !== 'refused';
const log = ({ event, notice }) => event === 'notice' && console.log(notice);
const worker = await createWorker(url, { allow: [folder], threads: 2, native, log });
const queue = cluster(url);
// Each thread loads it before its first job. A queue has the results of objects that it knows.
const name = process.pid + '-';
await Promise.all([1, 2].map((number) => {
  writeFileSync(new URL(name + number, folder), name + number);
  return queue.blake3(folder + name + number);
}));
await queue.close();
await worker.stop();
console.log(describe().engine === 'native' ? 'native' : 'its own engine');`;

/** A thread that gets a job which it refuses: the first job waits until all is loaded. */
const THREAD = `
import { Worker } from 'node:worker_threads';
const settings = { allow: [], allowWrite: [], keyFiles: {}, identityFile: undefined, objects: {}, native: process.argv[2] !== 'refused' };
const url = new URL('./node_modules/@lanewise/cluster/dist/thread.js', import.meta.url);
const thread = new Worker(url, { workerData: settings });
thread.postMessage({ task: { action: 'run', name: 'none', data: {}, children: [] } });
thread.on('message', (answer) => {
  console.log(Object.keys(answer).join());
  if ('error' in answer) void thread.terminate();
});`;

function install(code: string): void {
  mkdirSync(native, { recursive: true });
  writeFileSync(join(native, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(native, 'index.js'), code);
}

/** The lines of a program, each once, in any order: those of threads come when they come. */
async function lines(code: string, ...values: readonly string[]): Promise<readonly string[]> {
  writeFileSync(join(place, 'program.mjs'), code);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['program.mjs', ...values], { cwd: place });
  return [...new Set(`${stdout}${stderr}`.trim().split('\n'))].sort();
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

test.each([
  ['not installed', undefined, 'works', ['error']],
  ['installed', WORKS, 'works', ['error', 'native is loaded']],
  ['installed, and refused', WORKS, 'refused', ['error']],
  ['broken', BROKEN, 'works', ['error', 'notice']],
  ['broken, and refused', BROKEN, 'refused', ['error']],
])('a thread: %s', async (_, code, its, expected) => {
  if (code !== undefined) install(code);
  expect(await lines(THREAD, its)).toEqual(expected);
});

describe.skipIf(!hasServer('redis-server'))('a worker', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
    mkdirSync(join(place, 'objects'));
  });
  afterAll(() => redis.stop());

  // The program's own engine is its own choice.
  test.each([
    ['not installed', undefined, 'works', ['its own engine']],
    ['installed, in its threads', WORKS, 'works', ['its own engine', 'native is loaded']],
    ['installed, and refused', WORKS, 'refused', ['its own engine']],
    ['broken', BROKEN, 'works', ['@lanewise/native cannot be loaded: an old system', 'its own engine']],
    [
      'broken, by something that is no error',
      "throw 'up';",
      'works',
      ['@lanewise/native cannot be loaded: up', 'its own engine'],
    ],
    ['broken, and refused', BROKEN, 'refused', ['its own engine']],
  ])('%s', async (_, code, its, expected) => {
    if (code !== undefined) install(code);
    expect(await lines(NOTICES, redis.url, `file://${place}/objects/`, its)).toEqual(expected);
  });
});

test('the option is a boolean', async () => {
  await expect(createWorker('redis://127.0.0.1:1', { allow: ['file:///x/'], native: 'no' as never })).rejects.toThrow(
    new TypeError('"native" expected boolean, got type=string'),
  );
});
