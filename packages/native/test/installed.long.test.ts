/** Runs in Node only: the package as a user installs it, compiles it and runs it, and where there is no compiler. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compilerHere } from '../src/compiler.ts';

const isHere = compilerHere() !== undefined;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-native-'));
const installed = join(folder, 'node_modules/@lanewise/native');
const command = join(installed, 'dist/main.js');

/** Runs Node in the folder, with additional variables of the environment. */
function node(operands: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, operands, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  return { status, stdout, stderr };
}

/** The output of a program. */
function printed(code: string, ...options: readonly string[]): string {
  writeFileSync(join(folder, 'program.mjs'), code);
  const { stdout, stderr } = node([...options, 'program.mjs']);
  return stdout.trim() || stderr;
}

const ENGINE = `
import { describe } from 'lanewise/engine.js';
const { engine, reason } = describe();
console.log(reason ?? engine);`;

/**
 * In every thread: a worker tells again and again whether the file that computes there has taken instances of native code.
 * `describe()` there is about another copy of the engine, which computes nothing.
 */
const TELLS = `
import { isMainThread, BroadcastChannel } from 'node:worker_threads';
const channel = isMainThread ? undefined : new BroadcastChannel('engines');
let engine = 'simd';
let code;
const watched = (given) => given.instanceOf && {
  ...given,
  instanceOf(source, Instance) {
    const its = given.instanceOf(source, Instance);
    if (its) engine = 'native';
    return its;
  },
};
const OFFERED = Symbol.for('@lanewise/native');
if (channel) {
  code = globalThis[OFFERED] && watched(globalThis[OFFERED]);
  Object.defineProperty(globalThis, OFFERED, { get: () => code, set: (given) => (code = watched(given)) });
  setInterval(() => channel.postMessage(engine), 5);
}`;

/** A pool of one worker, which has to tell this engine within half a minute, and a digest that has to be right. */
const POOL = (engine: string, options = '') => `
import { blake3 } from 'lanewise/blake3.js';
import { createPool } from 'lanewise/pool.js';
import { BroadcastChannel } from 'node:worker_threads';
const channel = new BroadcastChannel('engines');
const told = new Promise((resolve, reject) => {
  channel.onmessage = ({ data }) => data === '${engine}' && resolve(data);
  setTimeout(() => reject(new Error('no worker has told it')), 30_000).unref();
});
const pool = createPool({ threads: 1, threshold: 0, idle: 60_000, ${options} });
const message = new Uint8Array(5 << 20).map((_, i) => i % 251);
// As long as the worker isn't ready, the caller's thread does the work.
let isTold = false;
told.then(() => (isTold = true));
let digest;
do digest = await pool.blake3(message);
while (!isTold);
console.log(await told, Buffer.compare(digest, blake3(message)));
channel.close();
await pool.close();`;

beforeAll(() => {
  // The files of the tarball, as npm would pack it.
  const [{ files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root, encoding: 'utf8' }),
  ) as [{ files: readonly { path: string }[] }];
  for (const { path } of files) cpSync(join(root, path), join(installed, path));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(join(root, '../lanewise'), join(folder, 'node_modules/lanewise'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('before it is compiled, the library goes on in WebAssembly, and says why', () => {
  expect(printed(`import '@lanewise/native';${ENGINE}`)).toMatch(
    /^no native: nothing is compiled for [\w-]+: run npx lanewise-native$/,
  );
});

test('without a compiler the command says so', () => {
  const { status, stderr } = node([command], { CC: '', PATH: join(folder, 'nothing') });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'lanewise-native: there is no C compiler here: install gcc or clang, or set CC. lanewise goes on in WebAssembly.\n',
  });
});

test('an operand that it lacks, and help', () => {
  expect(node([command, '--fast'])).toMatchObject({ status: 2, stdout: '' });
  expect(node([command, '--help'])).toMatchObject({ status: 0, stderr: '' });
});

describe.skipIf(!isHere)('once it is compiled', () => {
  test('a compiler that fails leaves nothing', () => {
    writeFileSync(join(folder, 'cc'), '#!/bin/sh\n[ "$1" = --version ]\n', { mode: 0o755 });
    expect(node([command], { CC: join(folder, 'cc') }).status).toBe(1);
    expect(readdirSync(join(installed, 'build'))).toEqual([]);
  });

  test('programs run it', () => {
    const { status, stdout } = node([command], { CFLAGS: '-O1' });
    expect(stdout).toMatch(/^compiled for .*; lanes here: 1/);
    expect(status).toBe(0);
    expect(printed(`import '@lanewise/native';${ENGINE}`)).toMatch(/^native$|^no native: the processor has vectors of/);
  });

  test('and that of the package for the system, where nothing is compiled', () => {
    const build = join(installed, 'build');
    const [system] = readdirSync(build);
    const own = join(folder, 'node_modules/@lanewise', `native-${system}`);
    mkdirSync(own);
    writeFileSync(join(own, 'package.json'), '{ "main": "lanewise.node" }');
    renameSync(join(build, system, 'lanewise.node'), join(own, 'lanewise.node'));
    expect(printed(`import '@lanewise/native';${ENGINE}`)).toMatch(/^native$|^no native: the processor has vectors of/);
    renameSync(join(own, 'lanewise.node'), join(build, system, 'lanewise.node'));
    // Without its file, the one that was compiled is still found.
    expect(printed(`import '@lanewise/native';${ENGINE}`)).toMatch(/^native$|^no native: the processor has vectors of/);
    rmSync(own, { recursive: true });
  });

  test('and a file that is not an addon is told', () => {
    const build = join(installed, 'build');
    const addon = join(build, readdirSync(build)[0], 'lanewise.node');
    cpSync(addon, join(folder, 'kept'));
    rmSync(addon);
    writeFileSync(addon, 'no addon');
    expect(printed(`import '@lanewise/native';${ENGINE}`)).toMatch(
      /^no native: the addon for [\w-]+ can't be loaded: /,
    );
    cpSync(join(folder, 'kept'), addon);
  });

  test('workers of a pool that are started by spawn run it, and so do those of --import', () => {
    writeFileSync(join(folder, 'tells.mjs'), TELLS);
    const tells = ['--import', './tells.mjs'];
    const engine = printed(`import '@lanewise/native';${ENGINE}`) === 'native' ? 'native' : 'simd';
    const spawned = `import { spawn } from '@lanewise/native';${POOL(engine, 'spawn')}`;
    expect(printed(spawned, ...tells)).toBe(`${engine} 0`);
    expect(printed(POOL(engine), '--import', '@lanewise/native', ...tells)).toBe(`${engine} 0`);
    expect(printed(POOL('simd'), ...tells)).toBe('simd 0');
  });
});
