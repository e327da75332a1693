/**
 * Runs test/smoke.mjs and test/smoke-streams.mjs under every server-side runtime that the library supports, on the built files as users get
 * them; and test/installed/app/program.js on the library as it is packed and installed.
 * Runtimes come from npm on demand, and stay where the lab has its own. Arguments choose some of them: `node20 bun`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUN, DENO, fetched, nodePackage, WORKERD, type Package } from '../../runtimes/src/fetched.ts';
import { HERMES, knownAnswersInHermes, METRO, SETTINGS } from '../test/installed/hermes.ts';
import { install } from '../test/installed/package.ts';
import { poolInWorkerd } from '../test/installed/workerd.ts';

const tests = join(dirname(import.meta.dirname), 'test');

interface Runtime {
  id: string;
  /** Without it: the Node of the workspace. */
  fetch?: Package;
  args?: string[];
  env?: Record<string, string>;
  /** The engines that must be available. The first must be the one that users get. */
  engines: string[];
  /** A part of the reason why a pool has no workers; without it, it must have some. */
  noWorkers?: string;
}

const all = ['simd', 'scalar', 'js'];
const node = (major: number): Runtime => ({ id: `node${major}`, fetch: nodePackage(`${major}`), engines: all });

const runtimes: Runtime[] = [
  { id: 'node20.0', fetch: nodePackage('20.0.0'), engines: all, noWorkers: 'Node 20.16' },
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

/** A host that does not run programs of Node. */
interface Other {
  id: string;
  needs: readonly Package[];
  /** The engine and the result; it rejects if something is wrong. */
  run: (paths: readonly string[]) => Promise<[engine: string, result: string]>;
}

const others: readonly Other[] = [
  { id: 'workerd', needs: [WORKERD], run: async ([path]) => ['-', await poolInWorkerd(path, installed)] },
  ...Object.entries(SETTINGS).map(([id, setting]) => ({
    id,
    needs: [METRO, HERMES],
    run: async ([metro, hermes]: readonly string[]): Promise<[string, string]> => [
      'js',
      await knownAnswersInHermes({ metro, hermes, installed, setting }),
    ],
  })),
];

const chosen = process.argv.slice(2);
const ids = [...runtimes, ...others].map(({ id }) => id);
const unknown = chosen.filter((id) => !ids.includes(id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${ids.join(', ')}`);
  process.exit(2);
}

const count = { passed: 0, failed: 0, skipped: 0 };
const row = (runtime: string, engine: string, result: string): void => {
  console.log(`${runtime.padEnd(16)}${engine.padEnd(9)}${result}`);
};

const installed = mkdtempSync(join(tmpdir(), 'lanewise-runtimes-'));
process.on('exit', () => rmSync(installed, { recursive: true, force: true }));
install(installed);
for (const name of ['check.js', 'program.js', 'own-worker.js'])
  cpSync(join(tests, 'installed/app', name), join(installed, name));

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
  const run = (program: string, args: readonly string[] = runtime.engines): boolean => {
    const its = [...(runtime.args ?? []), program, ...args];
    const { status, stdout, stderr, error } = spawnSync(path, its, {
      env: { ...process.env, ...runtime.env },
      encoding: 'utf8',
      timeout: 1_200_000,
    });
    for (const line of stdout.trim().split('\n')) {
      const [engine = '', result = ''] = line.split(/: (.*)/s);
      row(runtime.id, engine, result);
    }
    if (status !== 0) row(runtime.id, '-', `FAILED: ${error?.message ?? (stderr.trim() || `exit code ${status}`)}`);
    return status === 0;
  };
  // The first needs no permissions of Deno.
  const passed = [run(join(tests, 'smoke.mjs'))];
  const program = join(installed, 'program.js');
  const reason = runtime.noWorkers === undefined ? [] : [runtime.noWorkers];
  if (runtime.id === 'deno') {
    // It finds packages by the package.json beside the program.
    runtime.args = ['run', '--quiet', '--node-modules-dir=manual'];
    passed.push(run(program, ['default']));
    runtime.args.push('--allow-all');
  } else passed.push(run(program, ['default', ...reason]));
  passed.push(
    run(program, ['spawn', ...reason.map(() => 'no worker could be started')]),
    run(join(tests, 'smoke-streams.mjs')),
  );
  if (passed.every(Boolean)) count.passed++;
  else count.failed++;
}
for (const { id, needs, run } of others) {
  if (chosen.length > 0 && !chosen.includes(id)) continue;
  let paths: string[];
  try {
    paths = [];
    for (const needed of needs) paths.push(await fetched(needed));
  } catch (error) {
    row(id, '-', `NOT RUN, could not be fetched: ${(error as Error).message}`);
    count.skipped++;
    continue;
  }
  try {
    row(id, ...(await run(paths)));
    count.passed++;
  } catch (error) {
    row(id, '-', `FAILED: ${(error as Error).message}`);
    count.failed++;
  }
}

console.log(`\nruntimes: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
// Without a network, runtimes that could not be fetched are only reported; in CI they count as failures.
if (count.failed > 0 || (process.env['CI'] !== undefined && count.skipped > 0)) process.exitCode = 1;
