/**
 * Runs test/smoke.mjs and test/smoke-streams.mjs under every server-side runtime that the library supports, on the built files as users get them.
 * Runtimes come from npm on demand, and stay where the lab has its own. Arguments choose some of them: `node20 bun`.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { BUN, DENO, fetched, nodePackage, type Package } from '../../runtimes/src/fetched.ts';

const tests = join(dirname(import.meta.dirname), 'test');

interface Runtime {
  id: string;
  /** Without it: the Node of the workspace. */
  fetch?: Package;
  args?: string[];
  env?: Record<string, string>;
  /** The engines that must be available. The first must be the one that users get. */
  engines: string[];
}

const all = ['simd', 'scalar', 'js'];
const node = (major: number): Runtime => ({ id: `node${major}`, fetch: nodePackage(`${major}`), engines: all });

const runtimes: Runtime[] = [
  node(20),
  node(22),
  node(24),
  { id: 'node26', engines: all },
  { id: 'node26-jitless', args: ['--jitless'], engines: ['js'] },
  // Other architectures have no flag that takes SIMD away.
  ...(process.arch === 'x64' ? [{ id: 'node26-nosimd', args: ['--no-enable-sse4-1'], engines: ['scalar', 'js'] }] : []),
  { id: 'bun', fetch: BUN, engines: all },
  { id: 'bun-nosimd', fetch: BUN, env: { BUN_JSC_useWasmSIMD: '0' }, engines: ['scalar', 'js'] },
  { id: 'bun-nowasm', fetch: BUN, env: { BUN_JSC_useWasm: '0' }, engines: ['js'] },
  { id: 'deno', fetch: DENO, args: ['run', '--quiet', '--no-config'], engines: all },
];

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
    path = runtime.fetch ? await fetched(runtime.fetch) : process.execPath;
  } catch (error) {
    row(runtime.id, '-', `NOT RUN, could not be fetched: ${(error as Error).message}`);
    count.skipped++;
    continue;
  }
  const run = (program: string): boolean => {
    const its = [...(runtime.args ?? []), join(tests, program), ...runtime.engines];
    const { status, stdout, stderr, error } = spawnSync(path, its, {
      env: { ...process.env, ...runtime.env },
      encoding: 'utf8',
      timeout: 300_000,
    });
    for (const line of stdout.trim().split('\n')) {
      const [engine = '', result = ''] = line.split(/: (.*)/s);
      row(runtime.id, engine, result);
    }
    if (status !== 0) row(runtime.id, '-', `FAILED: ${error?.message ?? (stderr.trim() || `exit code ${status}`)}`);
    return status === 0;
  };
  // The first needs no permissions of Deno.
  const passed = run('smoke.mjs');
  if (runtime.id === 'deno') runtime.args!.splice(1, 0, '--allow-all');
  if (run('smoke-streams.mjs') && passed) count.passed++;
  else count.failed++;
}

console.log(`\nruntimes: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
// Without a network, runtimes that could not be fetched are only reported; in CI they count as failures.
if (count.failed > 0 || (process.env['CI'] !== undefined && count.skipped > 0)) process.exitCode = 1;
