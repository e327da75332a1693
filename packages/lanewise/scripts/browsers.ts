/**
 * The tests of the library, the same files as in Node, in the engines of browsers and in workerd, with no driver between.
 * `--night` runs all files in each host; without it, hosts that share a JavaScript engine don't repeat files that depend on it alone.
 * Arguments choose some of them: `chromium firefox webkit workerd bun deno`. Missing browsers are reported; they make the run fail with --require only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser, type Browser } from '../../runtimes/src/browsers.ts';
import { chromium } from '../../runtimes/src/chromium.ts';
import { BUN, DENO, fetched, WORKERD } from '../../runtimes/src/fetched.ts';
import { firefox } from '../../runtimes/src/firefox.ts';
import { versionOf } from '../../runtimes/src/programs.ts';
import { webkit } from '../../runtimes/src/webkit.ts';
import { bundle } from '../test/browsers/bundle.ts';
import { exclusions, report, type Outcome } from '../test/browsers/report.ts';
import { runProvided } from '../test/browsers/provided.ts';
import { runInBrowser, runInProcess, runInWorkerd, type Runner } from '../test/browsers/runs.ts';
import {
  filesOf,
  modes,
  modesOf,
  programMode,
  providedMode,
  suite,
  workerdMode,
  type Mode,
} from '../test/browsers/suite.ts';

// The slower ones first, so that none is left alone at the end.
const browsers: readonly Browser[] = [webkit, firefox, chromium];
const ids = ['chromium', 'firefox', 'webkit', 'workerd', 'bun', 'deno'];
const modeIds = [...modes, workerdMode, providedMode, programMode].map(({ id }) => id);

const several = { type: 'string', multiple: true, default: [] as string[] } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { require: { type: 'boolean' }, night: { type: 'boolean' }, mode: several, file: several },
});
const unknown = [
  ...positionals.filter((id) => !ids.includes(id)),
  ...values.mode.filter((id) => !modeIds.includes(id)),
  ...values.file.filter((name) => !suite.includes(name)),
];
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${ids.join(' ')}`);
  console.error(`--mode: ${modeIds.join(' ')}\n--file: ${suite.join(' ')}`);
  process.exit(2);
}
const isChosen = (id: string, chosen: readonly string[]): boolean => chosen.length === 0 || chosen.includes(id);

interface Run {
  readonly host: string;
  readonly mode: Mode;
  readonly start: Runner;
}
const runs: Run[] = [];
const missing: string[] = [];
for (const browser of browsers.filter(({ id }) => isChosen(id, positionals))) {
  const found = await findBrowser(browser);
  if (found.missing !== undefined) missing.push(`${browser.id}: there is no ${found.missing}: ${found.howToGet}`);
  else {
    const host = `${browser.name} ${found.version}`;
    for (const mode of modesOf(browser.id)) runs.push({ host, mode, start: runInBrowser(browser, found.path) });
  }
}
if (isChosen('workerd', positionals))
  try {
    const path = await fetched(WORKERD);
    const host = `workerd ${await versionOf(path)}`;
    runs.push({ host, mode: workerdMode, start: runInWorkerd(path) });
    if (values.file.length === 0) runs.push({ host, mode: providedMode, start: runProvided(path) });
  } catch (error) {
    missing.push(`workerd: ${(error as Error).message}`);
  }
for (const { id, name, wanted, before } of [
  { id: 'bun', name: 'Bun', wanted: BUN, before: [] },
  { id: 'deno', name: 'Deno', wanted: DENO, before: ['run', '--quiet', '--no-config', '--allow-all'] },
])
  if (isChosen(id, positionals))
    try {
      const path = await fetched(wanted);
      runs.push({
        host: `${name} ${await versionOf(path)}`,
        mode: programMode,
        start: runInProcess(path, before, false),
      });
    } catch (error) {
      missing.push(`${id}: ${(error as Error).message}`);
    }

const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
const folder = mkdtempSync(join(tmpdir(), 'lanewise-browsers-'));
const outcomes: Outcome[] = [];
try {
  const made = await bundle(folder, suite, seed);
  const queue = runs
    .filter(({ mode }) => isChosen(mode.id, values.mode))
    .sort((a, b) => b.mode.engines.length - a.mode.engines.length);
  const work = async (): Promise<void> => {
    for (let run; (run = queue.shift());) {
      const { host, mode, start } = run;
      // A file that is asked for by its name runs in each mode that can run it.
      const files = filesOf(mode, values.night === true || values.file.length > 0).filter((name) =>
        isChosen(name, values.file),
      );
      const started = performance.now();
      const results = await start(made, mode, files);
      outcomes.push({ host, mode: mode.title, results, seconds: (performance.now() - started) / 1000 });
      console.error(`${host}, ${mode.title}: done`);
    }
  };
  // One more than cores, because runs also wait: for workers that have ended, and for time to pass.
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism() + 1) }, work));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
outcomes.sort((a, b) => a.host.localeCompare(b.host));
const passed = report(outcomes, missing, seed, exclusions(values.night === true));
const nothing = outcomes.length === 0 && missing.length === 0;
if (!passed || nothing || (values.require && missing.length > 0)) process.exitCode = 1;
