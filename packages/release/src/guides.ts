/**
 * `npm run test:guides`: runs every example of the README, the guides, the pages on migrating and the comments of exports, from the packed
 * packages in an empty folder, in Node 22 and 26, Bun and Deno.
 */
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUN, DENO, fetched, nodePackage, type Package } from '../../runtimes/src/fetched.ts';
import {
  examplesOfComments,
  examplesOfDocuments,
  fileServer,
  promisedBy,
  runnerOf,
  SERVER,
  WITH_SERVERS,
  type Outcome,
} from '../../lanewise/test/support/examples.ts';
import { tarballFrom } from '../../lanewise/scripts/tarballs.ts';
import { workspace } from './packages.ts';
import { run } from './run.ts';

interface Runtime {
  readonly name: string;
  /** Without it: the Node of the workspace. */
  readonly fetch?: Package;
  readonly args?: readonly string[];
}

const RUNTIMES: readonly Runtime[] = [
  { name: 'Node 22', fetch: nodePackage('22'), args: ['--disable-warning=ExperimentalWarning'] },
  { name: 'Node 26' },
  { name: 'Bun', fetch: BUN },
  { name: 'Deno', fetch: DENO, args: ['run', '--quiet', '--allow-all', '--node-modules-dir=manual'] },
];
/** Examples that a runtime can't run, with its reason: they have to fail there, so that an entry goes when the runtime gains the feature. */
const LACKS: readonly (readonly [runtime: string, code: string, reason: string])[] = [
  ['Bun', "createCipheriv('chacha20-poly1305'", "Bun's node:crypto lacks ChaCha20-Poly1305"],
];
/** Longer than all examples take on a busy machine. */
const MOST_MILLISECONDS = 300_000;

const examples = [...examplesOfDocuments(), ...examplesOfComments()];
const numbers = examples.flatMap(({ name }, i) => (WITH_SERVERS.some((file) => name.startsWith(file)) ? [] : [i]));

/** The packages that examples import, besides ours, in the versions of the workspace. */
async function othersOf(): Promise<readonly string[]> {
  const names = new Set(
    examples.flatMap(({ code }) =>
      [...code.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)/g)].map(([, name]) => name).filter((name) => name !== 'node'),
    ),
  );
  const { packages } = JSON.parse(await readFile(join(workspace, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
  };
  return [...names].flatMap((name) => {
    const found = packages[`node_modules/${name}`];
    return found?.version === undefined || found.link === true ? [] : [`${name}@${found.version}`];
  });
}

async function installed(folder: string): Promise<void> {
  const tarballs = ['lanewise', 'age', 'sqlite'].map((name) => tarballFrom(join(workspace, 'packages', name), folder));
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...tarballs, ...(await othersOf())],
    folder,
  );
}

/** Runs the runner, and ends it if it hangs. */
async function outcomesOf(program: string, args: readonly string[], folder: string): Promise<readonly Outcome[]> {
  const child = spawn(program, [...args, 'run.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MILLISECONDS);
  const code = await new Promise((resolve) => child.on('close', (exit, signal) => resolve(exit ?? signal)));
  clearTimeout(timer);
  if (code !== 0) throw new Error(`it ended with ${String(code)}: ${errors.trim()}`);
  return JSON.parse(output) as readonly Outcome[];
}

/** The fault of an example, if it has one. */
function faultOf(i: number, { printed, error }: Outcome): string | undefined {
  if (error !== undefined) return error;
  const promised = promisedBy(examples[i].code);
  const missing = promised.filter((line) => !printed.includes(line));
  return missing.length > 0
    ? `it printed ${printed.join(' | ')}, and should have printed ${missing.join(' | ')}`
    : undefined;
}

const folder = await mkdtemp(join(tmpdir(), 'lanewise-guides-'));
const { address, server } = await fileServer();
const count = { passed: 0, failed: 0, skipped: 0 };
try {
  await installed(folder);
  await copyFile(join(workspace, 'packages/lanewise/test/support/browser-files.ts'), join(folder, 'browser-files.ts'));
  await writeFile(join(folder, 'film.mp4'), new Uint8Array(3_000_000).fill(5));
  for (const i of numbers)
    await writeFile(join(folder, `example-${i}.ts`), `${examples[i].code.replaceAll(SERVER, address)}\nexport {};\n`);
  await writeFile(join(folder, 'run.mjs'), runnerOf(numbers, 'lanewise/engine.js', './browser-files.ts'));
  for (const { name, fetch, args = [] } of RUNTIMES) {
    let program: string;
    try {
      program = fetch ? await fetched(fetch) : process.execPath;
    } catch (error) {
      console.log(`${name}: NOT RUN, could not be fetched: ${(error as Error).message}`);
      count.skipped += numbers.length;
      continue;
    }
    try {
      const outcomes = await outcomesOf(program, args, folder);
      for (const i of numbers) {
        const lacks = LACKS.find(([runtime, code]) => runtime === name && examples[i].code.includes(code));
        const its = faultOf(i, outcomes[i]);
        const fault = lacks === undefined ? its : its === undefined ? 'it runs now: take it out of LACKS' : undefined;
        if (lacks) console.log(`${name}, ${examples[i].name}: fails, as it must: ${lacks[2]}`);
        if (fault === undefined) count.passed++;
        else {
          count.failed++;
          console.log(`${name}, ${examples[i].name}: ${fault}`);
        }
      }
      console.log(`${name}: ${numbers.length} examples were run`);
    } catch (error) {
      count.failed += numbers.length;
      console.log(`${name}: FAILED: ${(error as Error).message}`);
    }
  }
} finally {
  server.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(`\nguides: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
// Without a network, runtimes that could not be fetched are only reported; in CI they count as failures.
if (count.failed > 0 || (process.env.CI !== undefined && count.skipped > 0)) process.exitCode = 1;
