/** Collects all that the chosen figures need: processes, contests, cold starts, memory, bundle. */
import { bunCommand } from './bun.ts';
import { bundleBytes } from './bundle-size.ts';
import { BLAKE3_NATIVE } from './blake3-contests.ts';
import { HPOLYC_PAGES, PAGES, SECTORS_EACH } from './disk-contests.ts';
import { SERPENT } from './serpent-contests.ts';
import { messageOf } from './client/checks.ts';
import { seeded, shuffled } from './client/random.ts';
import type { Plan } from './client/sampler.ts';
import { contests } from './contests.ts';
import type { Figure, Source } from './figures.ts';
import { buildWithCargo, buildWithGo } from './native.ts';
import type { Progress } from './terminal.ts';
import { runWorker } from './worker.ts';
import { coldContestants, type ColdResult } from './worker-cold.ts';
import type { MemoryResult } from './worker-memory.ts';
import type { GenerateResult, UseResult } from './worker-module.ts';
import type { SampleResult, SampleTask } from './worker-sample.ts';

export interface Settings {
  readonly processes: number;
  readonly coldProcesses: number;
  readonly plan: Plan;
  readonly seed: number;
}

export interface Measurements {
  /** By contest: the results of its processes. */
  readonly contests: Record<string, SampleResult[]>;
  /** What did not take place, and why: a contest, or something else. */
  readonly failed: Record<string, string>;
  readonly cold: Record<string, ColdResult[]>;
  memory?: MemoryResult;
  readonly generated: GenerateResult[];
  readonly used: UseResult[];
  /** By program. */
  readonly bundleBytes: Record<string, number>;
  /** Everything that went wrong, in sentences. */
  readonly problems: string[];
}

export async function measure(
  figures: readonly Figure[],
  settings: Settings,
  progress: Progress,
): Promise<Measurements> {
  const result: Measurements = {
    contests: {},
    failed: {},
    cold: {},
    generated: [],
    used: [],
    bundleBytes: {},
    problems: [],
  };
  const needed = <Kind extends Source['kind']>(kind: Kind) =>
    figures
      .map(({ source }) => source)
      .filter((source): source is Extract<Source, { kind: Kind }> => source.kind === kind);
  const problem = (sentence: string): void => {
    if (!result.problems.includes(sentence)) result.problems.push(sentence);
  };
  const attempt = async (what: string, measurement: () => Promise<void>): Promise<void> => {
    try {
      await measurement();
    } catch (error) {
      problem(`${what}: ${messageOf(error)}`);
      result.failed[what] = messageOf(error);
    }
  };

  const random = seeded(settings.seed);
  const ids = new Set(needed('ratio').map(({ contest }) => contest));
  const chosen = contests.filter(({ id }) => ids.has(id));
  if (ids.has(BLAKE3_NATIVE) || ids.has(SERPENT)) {
    progress.show('cargo build');
    await attempt('the official crate', buildWithCargo);
  }
  if (ids.has(PAGES) || ids.has(SECTORS_EACH) || ids.has(HPOLYC_PAGES)) {
    progress.show('go build');
    await attempt('Go', buildWithGo);
  }
  for (let process = 0; process < settings.processes; process++) {
    for (const { id, runtime } of shuffled(chosen, random)) {
      progress.show(`process ${process + 1} of ${settings.processes}: ${id}`);
      await attempt(id, async () => {
        const task: SampleTask = { contest: id, seed: Math.floor(random() * 2 ** 32), plan: settings.plan };
        const program = runtime === 'bun' ? await bunCommand() : undefined;
        const samples = await runWorker<SampleResult>('worker-sample.ts', JSON.stringify(task), program);
        for (const { contestant, fault } of samples.faults) problem(`WRONG: ${contestant} ${fault} (${id})`);
        for (const { contestant, reason } of samples.unavailable) problem(`${contestant} is not available: ${reason}`);
        (result.contests[id] ??= []).push(samples);
      });
    }
  }

  const libraries = needed('cold').map(({ contestant }) => contestant);
  // libsodium takes part in any case: its result is what the others' are compared with.
  const starters = coldContestants.filter((name) => name === 'libsodium.js' || libraries.includes(name));
  for (let process = 0; libraries.length > 0 && process < settings.coldProcesses; process++) {
    progress.show(`cold start ${process + 1} of ${settings.coldProcesses}`);
    for (const name of shuffled(starters, random)) {
      await attempt(`cold start of ${name}`, async () => {
        (result.cold[name] ??= []).push(await runWorker<ColdResult>('worker-cold.ts', name));
      });
    }
  }
  const expected = result.cold['libsodium.js']?.[0]?.sealed;
  for (const [name, results] of Object.entries(result.cold)) {
    if (results.every(({ sealed }) => sealed === expected)) continue;
    problem(`WRONG: ${name} seals to other bytes than libsodium.js (cold start)`);
    result.cold[name] = [];
  }

  for (let process = 0; needed('module').length > 0 && process < settings.coldProcesses; process++) {
    progress.show(`module of BLAKE3, process ${process + 1} of ${settings.coldProcesses}`);
    await attempt('module of BLAKE3', async () => {
      result.generated.push(await runWorker<GenerateResult>('worker-module.ts', 'generate'));
      result.used.push(await runWorker<UseResult>('worker-module.ts', 'use'));
    });
  }

  if (needed('memory').length > 0) {
    progress.show('linear memory');
    await attempt('linear memory', async () => {
      result.memory = await runWorker<MemoryResult>('worker-memory.ts', '');
    });
  }
  if (needed('bundle').length > 0) {
    progress.show('bundle size');
    await attempt('bundle size', async () => {
      for (const { code } of needed('bundle')) result.bundleBytes[code] = await bundleBytes(code);
    });
  }
  progress.clear();
  return result;
}
