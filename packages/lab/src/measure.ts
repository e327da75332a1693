/** Collects all that the chosen figures need: processes, contests, cold starts, memory, bundle. */
import { bundleBytes } from './bundle-size.ts';
import { messageOf } from './checks.ts';
import { contests } from './contests.ts';
import type { Figure, Source } from './figures.ts';
import { seeded, shuffled } from './random.ts';
import type { Plan } from './sampler.ts';
import type { Progress } from './terminal.ts';
import { runWorker } from './worker.ts';
import { coldContestants, type ColdResult } from './worker-cold.ts';
import type { MemoryResult } from './worker-memory.ts';
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
  readonly cold: Record<string, ColdResult[]>;
  memory?: MemoryResult;
  bundleBytes?: number;
  /** Everything that went wrong, in sentences. */
  readonly problems: string[];
}

export async function measure(
  figures: readonly Figure[],
  settings: Settings,
  progress: Progress,
): Promise<Measurements> {
  const result: Measurements = { contests: {}, cold: {}, problems: [] };
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
    }
  };

  const random = seeded(settings.seed);
  const ids = new Set(needed('ratio').map(({ contest }) => contest));
  const chosen = contests.map(({ id }) => id).filter((id) => ids.has(id));
  for (let process = 0; process < settings.processes; process++) {
    for (const id of shuffled(chosen, random)) {
      progress.show(`process ${process + 1} of ${settings.processes}: ${id}`);
      await attempt(id, async () => {
        const task: SampleTask = { contest: id, seed: Math.floor(random() * 2 ** 32), plan: settings.plan };
        const samples = await runWorker<SampleResult>('worker-sample.ts', JSON.stringify(task));
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

  if (needed('memory').length > 0) {
    progress.show('linear memory');
    await attempt('linear memory', async () => {
      result.memory = await runWorker<MemoryResult>('worker-memory.ts', '');
    });
  }
  if (needed('bundle').length > 0) {
    progress.show('bundle size');
    await attempt('bundle size', async () => {
      result.bundleBytes = await bundleBytes(`export { xchacha20poly1305 } from 'lanewise/chacha.js';`);
    });
  }
  progress.clear();
  return result;
}
