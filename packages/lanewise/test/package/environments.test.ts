/** The programs of the guide docs/guide/environments.md, as they stand, on hosts that lack the features named by the guide. */
// Runs in Node only: starts Node with other flags, on the built package.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { block } from '../installed/guide.ts';

const workspace = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-environments-'));
afterAll(() => rmSync(folder, { recursive: true }));

const modules = join(folder, 'node_modules');
mkdirSync(modules);
symlinkSync(join(workspace, 'packages/lanewise'), join(modules, 'lanewise'), 'junction');
// The effect of an app's generator of random numbers on its host.
mkdirSync(join(modules, 'react-native-get-random-values'));
writeFileSync(
  join(modules, 'react-native-get-random-values/index.js'),
  'globalThis.crypto = { getRandomValues: globalThis.nativeRandom };',
);

/** The lines that a program prints by its own comments. */
const promisedBy = (code: string): string =>
  [...code.matchAll(/^.*console\.log\(.*\/\/ prints (.*)$/gm)].map(([, line]) => `${line}\n`).join('');

function put(name: string): string {
  const code = block(name, 'environments');
  writeFileSync(join(folder, name), code);
  return code;
}

const run = (...values: string[]): string =>
  execFileSync(process.execPath, values, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: 'pipe',
  });

/** Takes away the features of Node that Hermes lacks. WebAssembly is taken by the flag `--jitless`. */
const HERMES = `{
  const { crypto } = globalThis;
  Object.defineProperty(globalThis, 'nativeRandom', { value: crypto.getRandomValues.bind(crypto) });
  for (const name of ['crypto', 'TextEncoder', 'TextDecoder', 'Worker', 'SharedArrayBuffer',
    'ReadableStream', 'WritableStream', 'TransformStream', 'ReadableByteStreamController']) delete globalThis[name];
}`;

async function bundle(target: string): Promise<string> {
  const outfile = join(folder, `bundle-${target}.js`);
  const common = { bundle: true, format: 'iife', logLevel: 'error', absWorkingDir: folder } as const;
  await build({ ...common, entryPoints: ['app.js'], outfile, target, banner: { js: HERMES } });
  return outfile;
}

test('app.js on a host without WebAssembly, streams, TextEncoder, and a generator of its own', async () => {
  const code = put('app.js');
  const file = await bundle('es2022');
  expect(run('--jitless', file)).toBe(promisedBy(code));
  // Without the line that the guide demands, there are no random numbers.
  writeFileSync(join(folder, 'app.js'), code.replace(/^import 'react-native.*\n/, ''));
  const missing = await bundle('es2021');
  expect(() => run('--jitless', missing)).toThrow('crypto.getRandomValues is not available');
});

test('app.js translated for older browsers', async () => {
  const code = put('app.js');
  const [, target] = /--target=(\w+)/.exec(
    readFileSync(join(workspace, 'docs/guide/environments.md'), 'utf8'),
  ) as RegExpExecArray;
  const file = await bundle(target);
  expect(readFileSync(file, 'utf8')).not.toMatch(/\?\?=|^ *static \{/m);
  expect(run(file)).toBe(promisedBy(code).replace('js', 'simd'));
});

test('required.cjs', () => {
  const code = put('required.cjs');
  expect(run('required.cjs')).toBe(promisedBy(code));
});
