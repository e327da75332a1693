/** Native code in the command: installed, broken, refused, and not there. The package is a small one that says when it is loaded. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { built } from './loaded-files.ts';
import { file, lanewise, main, program, type Result } from './programs.ts';

const MIB = 2 ** 20;
const place = mkdtempSync(join(tmpdir(), 'lanewise-native-command-'));
const modules = join(place, 'node_modules');
const native = join(modules, '@lanewise/native');
const command = join(modules, '@lanewise/cli/dist/main.js');
afterAll(() => rmSync(place, { recursive: true }));

/** Kernels that it has none of: all that runs is WebAssembly, and the engine is called native. */
const WORKS = `
import { offerNative } from 'lanewise/engine.js';
import { Worker } from 'node:worker_threads';
process.stderr.write('native is loaded\\n');
offerNative({ lanes: 8, instructions: 'AVX2', instanceOf: () => undefined });
export const spawn = () => {
  process.stderr.write('native starts a worker\\n');
  return new Worker(new URL('./worker.js', import.meta.url));
};`;
const LOADED = 'native is loaded\n';
const STARTED = 'native starts a worker\n';

/** Installs a package of that code. */
function install(code: string): void {
  mkdirSync(native, { recursive: true });
  writeFileSync(join(native, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(native, 'index.js'), code);
  writeFileSync(join(native, 'worker.js'), "import 'lanewise/worker.js';");
}

beforeAll(() => {
  const repository = join(dirname(import.meta.dirname), '../..');
  cpSync(dirname(built), dirname(command), { recursive: true });
  cpSync(join(dirname(built), '../package.json'), join(dirname(command), '../package.json'));
  for (const name of ['lanewise', '@lanewise/age', '@scure/bip39', 'cli-progress']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), join(modules, name));
  }
  file('long', new Uint8Array(17 * MIB));
  file('short', 'hello');
  file('key', new Uint8Array(32));
});
beforeEach(() => rmSync(native, { recursive: true, force: true }));

type Variables = Readonly<Record<string, string>>;
const run = (values: readonly string[], input: string | Uint8Array = '', variables: Variables = {}): Result =>
  program(process.execPath, [command, ...values], input, variables);
const said = ({ stdout, stderr, status }: Result) => ({ stdout: stdout.toString(), stderr, status });
/** By the command of the sources, without native code. */
const right = (...values: readonly string[]): string => lanewise(['hash', '--no-native', ...values]).stdout.toString();

describe('lanewise info', () => {
  it('not installed', () => {
    const { stdout, stderr, status } = said(run(['info']));
    expect(stdout).toMatch(/^engine {3}simd.*\nnative {3}no: @lanewise\/native is not installed\nthreads {2}\d+\n$/);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it('installed, and refused', () => {
    install(WORKS);
    expect(said(run(['info']))).toMatchObject({ stderr: LOADED, status: 0 });
    expect(said(run(['info'])).stdout).toMatch(/^engine {3}native, 8 lanes by AVX2\nnative {3}yes\nthreads {2}\d+\n$/);
    const json = JSON.parse(said(run(['info', '--json'])).stdout) as object;
    expect(json).toMatchObject({ engine: 'native', lanes: 8, instructions: 'AVX2', relaxed: false });
    for (const [values, variables] of [
      [['info', '--no-native'], {}],
      [['info'], { LANEWISE_NATIVE: 'off' }],
    ] as const) {
      const { stdout, stderr } = said(run(values, '', variables));
      expect(stdout).toMatch(/^engine {3}simd.*\nnative {3}no: refused\n/);
      expect(stderr).toBe('');
    }
  });

  it.each([
    [
      'it throws',
      "throw new Error('an old system\\nand more');",
      /^no: @lanewise\/native cannot be loaded: an old system$/m,
    ],
    [
      'a package is missing',
      "import 'lost-package';",
      /^no: .* cannot be loaded: Cannot find package 'lost-package' /m,
    ],
    [
      'it says why',
      "import { offerNative } from 'lanewise/engine.js'; offerNative({ reason: 'no addon' });",
      /^no: no addon$/m,
    ],
    ['it has another library', 'export {};', /^no: it belongs to another copy of lanewise than this command$/m],
  ])('broken: %s', (_, code, expected) => {
    install(code);
    const { stdout, stderr, status } = said(run(['info']));
    expect(stdout.replace(/^native {3}/m, '')).toMatch(expected);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    // Works go on in WebAssembly, and say nothing.
    expect(said(run(['hash', 'long']))).toEqual({ stdout: right('long'), stderr: '', status: 0 });
  });

  it('its file is missing', () => {
    install(WORKS);
    rmSync(join(native, 'index.js'));
    expect(said(run(['info'])).stdout).toContain('no: @lanewise/native cannot be loaded: Cannot find module ');
  });

  it('wrong arguments', () => {
    expect(said(run(['info', 'x']))).toMatchObject({
      stderr: "lanewise info: 'x': info takes options only\n",
      status: 2,
    });
  });
});

describe('a command', () => {
  beforeEach(() => install(WORKS));
  const sum = (values: readonly string[], input?: Uint8Array, variables?: Variables): object =>
    said(run(['hash', ...values], input, variables));

  it.each([['--help'], ['--version'], ['hash', '--help'], ['hash', 'short'], ['keygen'], ['disk', '--help']])(
    'does not load it for %s %s',
    (...values) => expect(run(values).stderr).not.toContain('native'),
  );

  it('loads it for long files, and for many short ones', () => {
    expect(sum(['long'])).toEqual({ stdout: right('long'), stderr: LOADED, status: 0 });
    expect(sum(['--num-threads=1', 'long'])).toMatchObject({ stderr: LOADED });
    expect(sum(['--outboard', 'tree', 'long'])).toMatchObject({ stderr: LOADED });
    file('some', new Uint8Array(MIB - 1));
    const many = Array.from({ length: 18 }, () => 'some');
    expect(sum(many)).toEqual({ stdout: right(...many), stderr: LOADED, status: 0 });
  });

  it('loads it once a pipe has given so much', () => {
    const one = ['--num-threads=1', '--no-names'];
    expect(sum(one, new Uint8Array(17 * MIB))).toEqual({
      stdout: right('--no-names', 'long'),
      stderr: LOADED,
      status: 0,
    });
    expect(sum(one, new Uint8Array(MIB))).toMatchObject({ stderr: '' });
  });

  it('starts workers that load it', () => {
    file('longest', new Uint8Array(33 * MIB));
    const { stdout, stderr } = said(run(['hash', '--num-threads=3', 'longest']));
    expect(stdout).toBe(right('longest'));
    expect(stderr).toContain(LOADED);
    expect(stderr).toContain(STARTED);
    // Two threads are this one and the one that reads.
    expect(said(run(['hash', '--num-threads=2', 'longest']))).toEqual({ stdout, stderr: LOADED, status: 0 });
  });

  it('encrypts and decrypts with it', () => {
    const variables = { AGE_PASSPHRASE: 'five words', AGE_PASSPHRASE_WORK_FACTOR: '10' };
    expect(said(run(['encrypt', '-p', '-o', 'sealed', 'long'], '', variables))).toMatchObject({
      stderr: LOADED,
      status: 0,
    });
    const { stdout, stderr } = run(['decrypt', '-o', '-', 'sealed'], '', variables);
    expect(stderr).toBe(LOADED);
    expect(Buffer.compare(stdout, Buffer.alloc(17 * MIB))).toBe(0);
    const image = ['disk', 'encrypt', 'long', '--key-file', 'key', '--force', '-o', 'image'];
    expect(run(image).stderr).toBe(LOADED);
    expect(run([...image, '--no-native']).stderr).toBe('');
  });

  it('refuses it: by an option, and by a variable', () => {
    const [stdout, status] = [right('long'), 0];
    expect(sum(['--no-native', 'long'])).toEqual({ stdout, stderr: '', status });
    expect(sum(['long'], undefined, { LANEWISE_NATIVE: 'off' })).toEqual({ stdout, stderr: '', status });
    expect(sum(['long'], undefined, { LANEWISE_NATIVE: 'on' })).toEqual({ stdout, stderr: LOADED, status });
    expect(sum(['long'], undefined, { LANEWISE_NATIVE: '' })).toEqual({ stdout, stderr: LOADED, status });
    expect(sum(['long'], undefined, { LANEWISE_NATIVE: 'no' })).toEqual({
      stdout: '',
      stderr: "lanewise hash: LANEWISE_NATIVE is on or off, not 'no'\n",
      status: 2,
    });
  });
});

it.each([
  ['hash', '--no-native', '--queue=redis://127.0.0.1', 's3://a/b'],
  ['encrypt', '--no-native', '--queue=redis://127.0.0.1', '-r', 'age1', '-o', 's3://a/c', 's3://a/b'],
  ['disk', 'encrypt', '--in-place', '--no-native', '--key-file', 'key', 'image'],
  ['disk', 'resume', '--no-native', '--key-file', 'key', 'image'],
])('is an option of works of this machine only: %s', (...values) => {
  const { stderr, status } = program(process.execPath, [main, ...values], '');
  expect(stderr).toMatch(/no-native/);
  expect(status).toBe(2);
});
