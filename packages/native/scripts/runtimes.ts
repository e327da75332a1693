/**
 * The library's known answers on native code in Node 20, Node 26, Bun and Deno, which are fetched into a cache, in each width that this
 * machine has. `npm run test:native` runs it; arguments choose some: `node20 bun`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundle } from '../../lanewise/test/browsers/bundle.ts';
import { broken, type Result } from '../../lanewise/test/browsers/page/messages.ts';
import { report, type Outcome } from '../../lanewise/test/browsers/report.ts';
import { inEveryMode, suite } from '../../lanewise/test/browsers/suite.ts';
import { BUN, DENO, fetched, nodePackage, type Package } from '../../runtimes/src/fetched.ts';
import { inWords, start } from '../../runtimes/src/processes.ts';
import { versionOf } from '../../runtimes/src/programs.ts';
import { lanesHere } from '../src/kernels.ts';
import { addon, compiledWith } from '../test/support/compiled.ts';
import { notOnNative, rooms } from '../test/support/rooms.ts';

interface Host {
  readonly id: string;
  readonly name: string;
  /** Without it: the Node of the workspace. */
  readonly wanted?: Package;
  readonly before: readonly string[];
}
const hosts: readonly Host[] = [
  { id: 'node20', name: 'Node', wanted: nodePackage('20'), before: [] },
  { id: 'node26', name: 'Node', before: [] },
  { id: 'bun', name: 'Bun', wanted: BUN, before: [] },
  { id: 'deno', name: 'Deno', wanted: DENO, before: ['run', '--quiet', '--no-config', '--allow-all'] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !hosts.some((host) => host.id === id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${hosts.map(({ id }) => id).join(' ')}`);
  process.exit(2);
}

const files = suite.filter(
  (name) => inEveryMode[name] === 'known answers' && rooms.includes(name.split('/')[0]) && !notOnNative.includes(name),
);
const widths = addon ? lanesHere(addon) : [];

const LIMIT_MILLISECONDS = 600_000;

/** All files in one process, as starting it costs as much as some of them: a line for each. */
async function run(path: string, operands: readonly string[], files: readonly string[]): Promise<readonly Result[]> {
  const running = await start({ path, arguments: [...operands, ...files] }, ['ignore', 'pipe', 'pipe']);
  const slow = setTimeout(() => void running.stop(), LIMIT_MILLISECONDS);
  try {
    const said = await text(running.child.stdout!);
    const ending = inWords(await running.ended);
    // Tests may print lines, too.
    const lines = said.split('\n').filter((line) => line.startsWith('{"file":'));
    const results = lines.map((line) => JSON.parse(line) as Result);
    const missing = files.filter((name) => !results.some(({ file }) => file === name));
    return [...results, ...missing.map((file) => broken(file, `the process ${ending}`))];
  } finally {
    clearTimeout(slow);
    await running.stop();
  }
}

const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-native-runtimes-'));
const outcomes: Outcome[] = [];
const missing: string[] = [];
try {
  await bundle(folder, files, seed, { native: join(import.meta.dirname, '../test/hosts/program.ts') });
  const program = join(folder, 'native.js');
  const addonHere = compiledWith([]);
  // The tests see a wrong bit: of each width, in one host.
  for (const lanes of widths) {
    const [{ failed }] = await run(process.execPath, [program, addonHere, `${lanes}`, 'wrong'], ['salsa/salsa']);
    if (failed.length === 0) throw new Error(`${lanes} lanes: tests passed with a wrong bit in each answer`);
    console.error(`native, lanes: ${lanes}, with a wrong bit: ${failed.length} tests fail, as they have to`);
  }
  const work = async ({ id, name, wanted: its, before }: Host): Promise<void> => {
    let path: string;
    try {
      path = its ? await fetched(its) : process.execPath;
    } catch (error) {
      missing.push(`${id}: ${(error as Error).message}`);
      return;
    }
    const host = `${name} ${await versionOf(path)}`;
    for (const lanes of widths) {
      const started = performance.now();
      const results = await run(path, [...before, program, addonHere, `${lanes}`, 'right'], files);
      const mode = `native, lanes: ${lanes}`;
      outcomes.push({ host, mode, results, seconds: (performance.now() - started) / 1000 });
      const [passed, failed] = [(one: Result) => one.passed, (one: Result) => one.failed.length].map((count) =>
        results.reduce((sum, one) => sum + count(one), 0),
      );
      console.error(`${host}, ${mode}: ${passed} passed, ${failed} failed`);
    }
  };
  const queue = hosts.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  const worker = async (): Promise<void> => {
    for (let host; (host = queue.shift());) await work(host);
  };
  await Promise.all([worker(), worker()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
outcomes.sort((a, b) => a.host.localeCompare(b.host));
// Without a network, runtimes that could not be fetched are only reported; in CI they count as failures.
if (
  !report(outcomes, missing, seed, [`\nFiles: ${files.join(', ')}`]) ||
  (process.env['CI'] !== undefined && missing.length > 0)
)
  process.exitCode = 1;
