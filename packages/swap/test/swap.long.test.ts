/** The command's refusals, and that it leaves nothing half-written, with a program that stands in for npm. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const scratch = mkdtempSync(join(tmpdir(), 'lanewise-swap-test-'));
const bin = join(scratch, 'bin');
const main = join(import.meta.dirname, '../src/main.ts');
let root = '';
let count = 0;

beforeAll(() => {
  mkdirSync(bin);
  for (const name of ['npm', 'pnpm', 'deno']) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'fake-npm.mjs')}' "$@"\n`,
    );
    chmodSync(join(bin, name), 0o755);
  }
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const MANIFEST =
  '{\n\t"name": "program",\n\t"files": ["a", "b"],\n\t"dependencies": { "user": "1.0.0", "tweetnacl": "^1.0.0" }\n}\n';
const LOCK =
  '{"packages":{"node_modules/@noble/ciphers":{"version":"2.4.0"},"node_modules/tweetnacl":{"version":"1.0.3"}}}';

const write = (name: string, text: string): void => {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
};
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const installed = (name: string): string =>
  (JSON.parse(read(`node_modules/${name}/package.json`)) as { name: string }).name;

beforeEach(() => {
  root = join(scratch, `program-${count++}`);
  mkdirSync(root);
  write('package.json', MANIFEST);
  write('package-lock.json', LOCK);
  write(
    'node_modules/user/package.json',
    '{"name":"user","version":"1.0.0","dependencies":{"@noble/ciphers":"^2.0.0"}}',
  );
  write('node_modules/@noble/ciphers/package.json', '{"name":"@noble/ciphers","version":"2.4.0"}');
  write('node_modules/tweetnacl/package.json', '{"name":"tweetnacl","version":"1.0.3"}');
});

interface Ended {
  readonly status: number | null;
  readonly said: string;
}

function start(values: readonly string[], failure = '', cwd = root): { kill: () => void; ended: Promise<Ended> } {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}`, FAKE_NPM: failure };
  const child = spawn(process.execPath, [main, ...values], { cwd, env, detached: true });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  return {
    kill: () => process.kill(-child.pid!, 'SIGINT'),
    ended: new Promise((resolve) => child.on('close', (status) => resolve({ status, said }))),
  };
}
const swap = (values: readonly string[] = [], failure = '', cwd = root): Promise<Ended> =>
  start(values, failure, cwd).ended;

const isAsBefore = (): void => {
  expect(read('package.json')).toBe(MANIFEST);
  expect(read('package-lock.json')).toBe(LOCK);
  expect(existsSync(join(root, 'lanewise-swap.json'))).toBe(false);
  expect([installed('@noble/ciphers'), installed('tweetnacl')]).toEqual(['@noble/ciphers', 'tweetnacl']);
};

test('replaces, changes no other line, and takes it back byte for byte', async () => {
  const { status, said } = await swap();
  expect(said).toContain('@noble/ciphers 2.4.0 by @lanewise/noble-ciphers 2.404.0, for user 1.0.0');
  expect(status).toBe(0);
  expect([installed('@noble/ciphers'), installed('tweetnacl')]).toEqual([
    '@lanewise/noble-ciphers',
    '@lanewise/tweetnacl',
  ]);
  expect(read('package.json')).toContain('\t"files": ["a", "b"],\n');
  expect(JSON.parse(read('package.json'))).toMatchObject({
    dependencies: { user: '1.0.0', tweetnacl: 'npm:@lanewise/tweetnacl@^1.400.300' },
    overrides: {
      '@noble/ciphers@2': 'npm:@lanewise/noble-ciphers@^2.404.0',
      'tweetnacl@1': 'npm:@lanewise/tweetnacl@^1.400.300',
    },
  });
  expect((await swap(['--undo'])).said).toContain('byte for byte');
  isAsBefore();
});

test('--dry-run and --leave', async () => {
  const { status, said } = await swap(['--dry-run', '--leave', 'tweetnacl@1']);
  expect(status).toBe(0);
  expect(said).toContain('package.json: overrides > @noble/ciphers@2: npm:@lanewise/noble-ciphers@^2.404.0');
  expect(said).toContain('tweetnacl 1 for package.json: you asked to leave it');
  isAsBefore();
});

describe('imports of deno.json', () => {
  beforeEach(() => {
    rmSync(join(root, 'package-lock.json'));
    write('deno.lock', '{ "version": "5", "specifiers": {}, "npm": {} }');
  });

  test('are named, each with the specifier to write there', async () => {
    write(
      'deno.jsonc',
      `{
  // ours
  "imports": {
    "ciphers": "npm:@noble/ciphers@^2.0.0",
    "hash": "npm:/@noble/hashes@1.8.0/blake3",
    "nacl": "npm:tweetnacl@0.14.5",
    "any": "npm:tweetnacl",
    "std": "jsr:@std/assert@1",
  },
}`,
    );
    const { status, said } = await swap(['--dry-run']);
    expect(status).toBe(0);
    const left = said.split('would leave\n')[1].split('\n\n')[0].split('\n');
    expect(left).toEqual([
      '  npm:@noble/ciphers@^2.0.0 in deno.jsonc: no line reaches it; write npm:@lanewise/noble-ciphers@^2.404.0 there',
      '  npm:/@noble/hashes@1.8.0/blake3 in deno.jsonc: no line reaches it; write npm:@lanewise/noble-hashes@^1.408.0/blake3 there',
      '  npm:tweetnacl@0.14.5 in deno.jsonc: no package of ours takes the place of this version',
      '  npm:tweetnacl in deno.jsonc: it names no version',
    ]);
  });

  test('are an error where the file is not JSON', async () => {
    write('deno.json', '{ "imports": { "ciphers": ');
    const { status, said } = await swap(['--dry-run']);
    expect([status, said]).toEqual([
      1,
      expect.stringContaining('swap: deno.json is not JSON, from its character 26 on'),
    ]);
  });
});

describe('leaves all as it was', () => {
  test('if the installation fails', async () => {
    const { status, said } = await swap([], 'fail');
    expect(status).toBe(1);
    expect(said).toContain('E404');
    expect(said).toContain('Nothing has changed');
    isAsBefore();
  });

  test('if the manager installs something else and says that all is well', async () => {
    const { status, said } = await swap([], 'lie');
    expect(status).toBe(1);
    expect(said).toContain('npm did not install what the lines say: user has @noble/ciphers 2.4.0');
    isAsBefore();
  });

  test('if it is interrupted', async () => {
    const { kill, ended } = start([], 'wait');
    while (!existsSync(join(root, 'waiting'))) await new Promise((resolve) => setTimeout(resolve, 20));
    kill();
    const { status, said } = await ended;
    expect(said).toContain('Nothing has changed');
    expect(status).toBe(1);
    isAsBefore();
  });

  test('if it was killed: the next run says so, and --undo puts all back', async () => {
    expect((await swap()).status).toBe(0);
    // As it is before the installation has ended.
    const record = JSON.parse(read('lanewise-swap.json')) as { files: Record<string, { after?: string }> };
    for (const saved of Object.values(record.files)) delete saved.after;
    write('lanewise-swap.json', JSON.stringify(record));
    write('package-lock.json', 'half of it');
    expect((await swap()).said).toContain('an earlier run was cut off (lanewise-swap.json); npx @lanewise/swap --undo');
    expect((await swap(['--undo'])).status).toBe(0);
    isAsBefore();
  });
});

test('--undo keeps what was changed since, and takes only its own lines out', async () => {
  await swap();
  write('package.json', read('package.json').replace('"program"', '"renamed"'));
  const { status, said } = await swap(['--undo']);
  expect(status).toBe(0);
  expect(said).toContain('package.json: changed since the swap');
  expect(JSON.parse(read('package.json'))).toEqual({
    name: 'renamed',
    files: ['a', 'b'],
    dependencies: { user: '1.0.0', tweetnacl: '^1.0.0' },
  });
  expect([installed('@noble/ciphers'), installed('tweetnacl')]).toEqual(['@noble/ciphers', 'tweetnacl']);
});

describe('what it leaves, it names', () => {
  test.each([
    [
      'a dependent that breaks',
      (): void => {
        write('package.json', MANIFEST.replace('"user": "1.0.0"', '"ethereum-cryptography": "2.2.1"'));
        write(
          'node_modules/ethereum-cryptography/package.json',
          '{"name":"ethereum-cryptography","version":"2.2.1","dependencies":{"@noble/hashes":"1.4.0"}}',
        );
        write('node_modules/@noble/hashes/package.json', '{"name":"@noble/hashes","version":"1.4.0"}');
      },
      '@noble/hashes 1 for ethereum-cryptography 2.2.1: ethereum-cryptography 2.2.1 imports a private module',
    ],
    [
      'an old version',
      (): void => write('node_modules/@noble/ciphers/package.json', '{"name":"@noble/ciphers","version":"0.5.3"}'),
      '@noble/ciphers 0.5.3 for user 1.0.0: no package of ours',
    ],
    [
      'an override of the program',
      (): void => write('package.json', MANIFEST.replace('{', '{ "overrides": { "@noble/ciphers": "2.2.0" },')),
      '@noble/ciphers 2 for user 1.0.0: package.json already has an override of it, "@noble/ciphers"',
    ],
    [
      'what comes from elsewhere',
      (): void => write('package.json', MANIFEST.replace('^1.0.0', 'github:dchest/tweetnacl-js')),
      'tweetnacl 1 for package.json: package.json asks for "github:dchest/tweetnacl-js"',
    ],
    [
      'another package in its place',
      (): void => write('node_modules/tweetnacl/package.json', '{"name":"my-nacl","version":"1.0.3"}'),
      'tweetnacl for package.json: my-nacl is in its place',
    ],
  ])('%s', async (_, prepare, message) => {
    prepare();
    expect((await swap(['--dry-run'])).said).toContain(message);
  });
});

describe('refuses, and says what to do', () => {
  test.each([
    ['an unknown option', [], "Unknown option '--swap'", ['--swap']],
    ['an argument', [], 'Unexpected argument', ['tweetnacl']],
    ['an unknown name', [], '"--leave" expected @noble/ciphers@2 or', ['--leave', 'tweetnacl']],
    [
      'an unknown manager',
      [],
      '"--manager" expected npm or pnpm or yarn or bun or deno, got "nmp"',
      ['--manager', 'nmp'],
    ],
    ['--undo without a swap', [], 'has no lanewise-swap.json, which says what was there before', ['--undo']],
    ['two lockfiles', ['yarn.lock'], 'has lockfiles of npm and yarn; say which installs it: --manager npm', []],
  ])('%s', async (_, files, message, values) => {
    for (const file of files) write(file, '');
    const { status, said } = await swap(values);
    expect(said).toContain(message);
    expect(status).toBe(1);
    isAsBefore();
  });

  test('a folder without a lockfile, and one where nothing is installed', async () => {
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect((await swap()).said).toContain('run npm install, then this again');
    rmSync(join(root, 'package-lock.json'));
    expect((await swap()).said).toContain('has no lockfile, so nothing says what is installed');
    rmSync(join(root, 'package.json'));
    expect((await swap()).said).toContain('has no package.json, nor has a folder above it');
  });

  test('a manager that is too old', async () => {
    expect((await swap([], 'old')).said).toContain('npm expected version 10 or later, got 9.9.4');
  });

  test('a second swap', async () => {
    await swap();
    expect((await swap()).said).toContain('this program is swapped already');
  });
});
