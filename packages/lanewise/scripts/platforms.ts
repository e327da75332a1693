/**
 * Self-tests, fallbacks and known answers on processors that this machine does not have, under emulation: ARM64, and s390x, which is
 * big-endian. `--night` runs the known answers of every primitive. Arguments choose some of the modes. Missing emulators are reported; they make the run fail with --require only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { emulated, platforms } from '../../runtimes/src/emulated.ts';
import { bundle } from '../test/browsers/bundle.ts';
import { report, type Outcome } from '../test/browsers/report.ts';
import { runInProcess } from '../test/browsers/runs.ts';
import { platformModes, platformRemarks } from '../test/browsers/suite.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { require: { type: 'boolean' }, night: { type: 'boolean' } },
});
const ids = platformModes.map(({ id }) => id);
const unknown = positionals.filter((id) => !ids.includes(id));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${ids.join(' ')}`);
  process.exit(2);
}
const chosen = platformModes
  .filter(({ id }) => positionals.length === 0 || positionals.includes(id))
  .map((mode) => ({ ...mode, files: values.night ? [...new Set([...mode.files, ...mode.later])] : mode.files }));

const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
const outcomes: Outcome[] = [];
const missing: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'lanewise-platforms-'));

/** One mode after the other, while the other platform has the other core. */
async function runAll(platform: (typeof platforms)[number]): Promise<void> {
  const modes = chosen.filter((mode) => mode.platform === platform.id);
  if (modes.length === 0) return;
  const found = await emulated(platform);
  if (found.missing !== undefined) {
    missing.push(`${platform.name}: there is no ${found.missing}: ${found.howToGet}`);
    return;
  }
  for (const mode of modes) {
    const started = performance.now();
    const run = runInProcess(found.path, [...found.arguments, ...mode.arguments], true);
    const results = await run(made, mode, mode.files);
    const host = `Node ${found.version}, ${platform.name}`;
    outcomes.push({ host, mode: mode.title, results, seconds: (performance.now() - started) / 1000 });
    console.error(`${host}, ${mode.title}: done`);
  }
}

let made: Awaited<ReturnType<typeof bundle>>;
try {
  made = await bundle(folder, [...new Set(chosen.flatMap(({ files }) => files))], seed);
  await Promise.all(platforms.map(runAll));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
outcomes.sort((a, b) => a.host.localeCompare(b.host));
const files = new Set(chosen.flatMap((mode) => mode.files));
const passed = report(outcomes, missing, seed, [`\nFiles: ${[...files].join(', ')}`, ...platformRemarks]);
if (!passed || (values.require && missing.length > 0)) process.exitCode = 1;
