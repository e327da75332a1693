/** The client as one file, in the form that engines load. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientBundle } from '../src/bundle.ts';
import { catalogue } from '../src/client/catalogue.ts';
import type { Catalogue, Message, Run, Task } from '../src/client/messages.ts';
import { kernelModules } from '../src/kernel-modules.ts';
import { lab } from '../src/host.ts';

mkdirSync(join(lab, '.cache'), { recursive: true });
const folder = mkdtempSync(join(lab, '.cache/test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = { rounds: [3, 3], budgetMilliseconds: 0, batchMilliseconds: 0.05, warmUpMilliseconds: 1 } as const;
const task = (...contests: string[]): Task => ({ seed: 3, kind: 'default', plan, contests });

interface Client {
  readonly run: Run;
  readonly catalogue: Catalogue;
  readonly PROTOCOL: number;
}
let web: Client;
let webText: string;
const node = join(folder, 'client.node.mjs');

beforeAll(async () => {
  webText = await clientBundle({ target: 'web' });
  writeFileSync(join(folder, 'client.web.mjs'), webText);
  writeFileSync(node, await clientBundle({ target: 'node' }));
  web = (await import(pathToFileURL(join(folder, 'client.web.mjs')).href)) as Client;
}, 60_000);

test('for browsers it imports nothing', () => {
  // Matches remaining imports of ECMAScript modules; libraries that detect their host may contain `require` of
  // CommonJS.
  const imported = [
    ...webText.matchAll(/^\s*(?:import|export)[^'"()\n]*from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm),
  ];
  expect(imported.map(([text]) => text)).toEqual([]);
  for (const name of builtinModules) expect(webText).not.toContain(`from "${name}"`);
});

test('it is the same twice, and smaller where that is wanted', async () => {
  expect(await clientBundle({ target: 'web' })).toBe(webText);
  const small = await clientBundle({ target: 'web', minify: true });
  expect(small.length).toBeLessThan(webText.length);
});

test('for browsers it has everything in it', async () => {
  expect(web.PROTOCOL).toBe(1);
  expect(web.catalogue('default', 'page')).toEqual(catalogue('default', 'page'));
  const messages: Message[] = [];
  await web.run(task('platforms/blake3/hash/96', 'platforms/chacha20poly1305/seal/1024'), (message) =>
    messages.push(message),
  );
  const cases = messages.flatMap((message) =>
    message.type === 'contest-start' ? message.cases.map(({ id }) => id) : [],
  );
  for (const id of [
    'blake3-wasm',
    'fuzdev',
    'hash-wasm',
    'blake3-jit',
    'Hugging Face',
    'libsodium.js',
    'stablelib',
    'lanewise simd',
  ]) {
    expect(cases).toContain(id);
  }
  expect(messages.filter(({ type }) => type === 'fault' || type === 'error')).toEqual([]);
  const absent = messages.flatMap((message) => (message.type === 'unavailable' ? [message.case] : []));
  expect(new Set(absent)).toEqual(
    new Set([
      'lanewise native',
      'native',
      'node:crypto',
      'node:crypto, SHA-256',
      'node:crypto, AES-256-GCM',
      'hacl-wasm',
      'hacl-wasm, SHA-256',
      ...(absent.includes('WebCrypto') ? ['WebCrypto'] : []),
    ]),
  );
});

test('where nothing can be compiled, it takes modules that were', async () => {
  const compiled = Object.fromEntries(
    Object.entries(await kernelModules()).map(([name, bytes]) => [name, new WebAssembly.Module(bytes)]),
  );
  const fresh = (await import(`${pathToFileURL(join(folder, 'client.web.mjs')).href}?again`)) as Client;
  const module = WebAssembly.Module;
  const messages: Message[] = [];
  try {
    WebAssembly.Module = new Proxy(module, {
      construct() {
        throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
      },
    });
    await fresh.run(task('boundary/chacha20/encrypt/1024'), (message) => messages.push(message), { modules: compiled });
  } finally {
    WebAssembly.Module = module;
  }
  const hello = messages.find((message) => message.type === 'hello');
  expect(hello?.refused.simd).toContain('disallowed by embedder');
  expect(messages.find((message) => message.type === 'canary')).toMatchObject({ kernel: 'simd' });
  const start = messages.find((message) => message.type === 'contest-start');
  expect(start?.cases.map(({ id }) => id)).toEqual(['simd kernel', 'scalar kernel']);
  expect(messages.filter(({ type }) => type === 'samples')).toHaveLength(1);
  expect(messages.filter(({ type }) => type === 'error' || type === 'fault')).toEqual([]);
});

/** Runs a session in a fresh process, and returns the messages that it printed. */
function program(of: Task, onMessage?: (message: Message, stop: () => void) => void): Promise<Message[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [node], { stdio: ['pipe', 'pipe', 'ignore'] });
    const messages: Message[] = [];
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const message = JSON.parse(line) as Message;
        messages.push(message);
        onMessage?.(message, () => child.kill('SIGTERM'));
      }
    });
    child.on('close', (code) => (code === 0 ? resolve(messages) : reject(new Error(`ended with ${code}`))));
    child.stdin.end(JSON.stringify(of));
  });
}

test('as a program it takes a task and prints messages, workers and all', async () => {
  const messages = await program(task('boundary/worker/chacha20/encrypt/65536', 'platforms/poly1305/mac/65536'));
  expect(messages[0].type).toBe('hello');
  expect(messages.at(-1)).toMatchObject({ type: 'done', contests: 2, stopped: false });
  expect(messages.filter(({ type }) => ['fault', 'error', 'unavailable'].includes(type))).toEqual([]);
  const samples = messages.filter((message) => message.type === 'samples');
  expect(Object.keys(samples[1].nanoseconds)).toEqual(['main thread', 'worker']);
});

test('as a program it ends early on a signal, with the results it has', async () => {
  const slow = { ...task('platforms/poly1305/mac/65536'), plan: { ...plan, rounds: [1e6, 1e6] } } as const;
  const messages = await program(slow, ({ type }, stop) => {
    if (type === 'contest-start') stop();
  });
  expect(messages.at(-1)).toMatchObject({ type: 'done', contests: 0, stopped: true });
});
