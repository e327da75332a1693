/**
 * Runs test/smoke.mjs under every server-side runtime that the library supports, on the built files as users get them.
 * Runtimes come from npm on demand and stay in .cache/runtimes. Arguments choose some of them: `node20 bun`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const cache = join(root, '../../.cache/runtimes');
const smoke = join(root, 'test/smoke.mjs');

interface Runtime {
  id: string;
  /** What npm installs, and the program in it. Without it: the Node of the workspace. */
  fetch?: { spec: string; program: string };
  args?: string[];
  env?: Record<string, string>;
  /** The engines that must be available. The first must be the one that users get. */
  engines: string[];
}

const all = ['simd', 'scalar', 'js'];

/** Node's programs are one package for each platform. */
function node(major: number): Runtime {
  const windows = process.platform === 'win32';
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = [prefix, windows ? 'win' : process.platform, process.arch].join('-');
  const program = `node_modules/${name}/bin/node${windows ? '.exe' : ''}`;
  return { id: `node${major}`, fetch: { spec: `${name}@${major}`, program }, engines: all };
}

const bun = { spec: 'bun@1.4.5', program: 'node_modules/bun/bin/bun.exe' }; // the name on every platform
const deno = {
  spec: 'deno@2.9.6',
  program: `node_modules/deno/deno${process.platform === 'win32' ? '.exe' : ''}`,
};

const runtimes: Runtime[] = [
  node(20),
  node(22),
  node(24),
  { id: 'node26', engines: all },
  { id: 'node26-jitless', args: ['--jitless'], engines: ['js'] },
  // Other architectures have no flag that takes SIMD away.
  ...(process.arch === 'x64' ? [{ id: 'node26-nosimd', args: ['--no-enable-sse4-1'], engines: ['scalar', 'js'] }] : []),
  { id: 'bun', fetch: bun, engines: all },
  { id: 'bun-nosimd', fetch: bun, env: { BUN_JSC_useWasmSIMD: '0' }, engines: ['scalar', 'js'] },
  { id: 'bun-nowasm', fetch: bun, env: { BUN_JSC_useWasm: '0' }, engines: ['js'] },
  { id: 'deno', fetch: deno, args: ['run', '--quiet', '--no-config'], engines: all },
];

/** The program's path, fetched when it is not there yet. Throws what npm said. */
function program({ fetch }: Runtime): string {
  if (fetch === undefined) return process.execPath;
  const folder = join(cache, fetch.spec.replace('@', '-'));
  const path = join(folder, fetch.program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...options, '--prefix', folder, fetch.spec], {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: 300_000,
    });
  }
  return path;
}

const chosen = process.argv.slice(2);
const unknown = chosen.filter((id) => !runtimes.some((runtime) => runtime.id === id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${runtimes.map(({ id }) => id).join(', ')}`);
  process.exit(2);
}

const count = { passed: 0, failed: 0, skipped: 0 };
const row = (runtime: string, engine: string, result: string): void => {
  console.log(`${runtime.padEnd(16)}${engine.padEnd(9)}${result}`);
};

row('runtime', 'engine', 'result');
for (const runtime of runtimes) {
  if (chosen.length > 0 && !chosen.includes(runtime.id)) continue;
  let path: string;
  try {
    path = program(runtime);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n').slice(0, 2).join(' ');
    row(runtime.id, '-', `NOT RUN, could not be fetched: ${said ?? (error as Error).message}`);
    count.skipped++;
    continue;
  }
  const { status, stdout, stderr, error } = spawnSync(path, [...(runtime.args ?? []), smoke, ...runtime.engines], {
    env: { ...process.env, ...runtime.env },
    encoding: 'utf8',
    timeout: 300_000,
  });
  for (const line of stdout.trim().split('\n')) {
    const [engine = '', result = ''] = line.split(/: (.*)/s);
    row(runtime.id, engine, result);
  }
  if (status === 0) count.passed++;
  else {
    count.failed++;
    row(runtime.id, '-', `FAILED: ${error?.message ?? (stderr.trim() || `exit code ${status}`)}`);
  }
}

console.log(`\nruntimes: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
// Offline, what could not be fetched is only said; where the check decides, it counts.
if (count.failed > 0 || (process.env['CI'] !== undefined && count.skipped > 0)) process.exitCode = 1;
