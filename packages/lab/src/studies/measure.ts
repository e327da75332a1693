/** Measures the contests of studies that have no result of this processor. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { contests as allContests } from '../client/catalogue.ts';
import { engines as usualEngines, studyEngines } from '../engines/all.ts';
import { chosenEngines, placeOf, takesPart } from '../lab/field.ts';
import { measure } from '../lab/measure.ts';
import { thisHost } from '../results/host.ts';
import { processorName } from '../results/processor.ts';
import { readResult, writeResult } from '../results/store.ts';
import type { StudiesCommand } from './arguments.ts';
import type { Result } from '../results/schema.ts';
import { machineOf, processorOf, shortProcessor, type Machine, type NamedResult } from './machine.ts';
import { committedResults, contestsOf, IN_RESULTS, RESULTS } from './pages.ts';
import type { Study } from './study.ts';

const ENGINES = [...usualEngines, ...studyEngines];

/** The contests of studies that an engine has: studies name those of the engines that only they start. */
export function wantedIn(id: string, studies: readonly Study[], full: boolean): readonly string[] {
  const own = studyEngines.some((engine) => engine.id === id);
  const names = studies.flatMap((study) => (own ? (study.alsoIn?.[id] ?? []) : study.contests));
  const ids = new Set(contestsOf(names, full));
  const place = placeOf({ id });
  return allContests
    .filter(
      ({ id: contest, axis, places }) =>
        ids.has(contest) && (places?.includes(place) ?? true) && takesPart({ id }, ENGINES, axis),
    )
    .map((contest) => contest.id);
}

/** Those that have neither samples in an engine, nor a reason why it has none. */
export function missingIn(machine: Machine | undefined, id: string, wanted: readonly string[]): readonly string[] {
  const sessions = (machine?.results ?? []).flatMap(({ result }) =>
    result.sessions.filter(({ engine }) => engine === id),
  );
  const unavailable = new Set(sessions.flatMap((session) => session.unavailable.map(({ contest }) => contest)));
  return wanted.filter((contest) => !machine || (machine.cases(id, contest).length === 0 && !unavailable.has(contest)));
}

/** The engines and contests that have samples in a result. */
const sampledIn = ({ sessions }: Result): readonly string[] =>
  sessions.flatMap(({ engine, contests }) => contests.map(({ contest }) => `${engine} ${contest}`));

/** Files of studies of the same processor that show nothing any more, because a newer result has it all. */
export function supersededBy(newest: Result, older: readonly NamedResult[]): readonly string[] {
  const there = new Set(sampledIn(newest));
  return older
    .filter(({ name, result }) => name.startsWith(IN_RESULTS) && sampledIn(result).every((each) => there.has(each)))
    .map(({ name }) => name);
}

/** `amd-epyc-zen-5-2026-11-23`: the processor and the day, without the characters that file names cannot have. */
export function fileNameOf(processor: string, startedAt: string): string {
  const name = shortProcessor(processor)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${name}-${startedAt.slice(0, 16).replaceAll(':', '')}.json`;
}

/** Returns the exit code. */
export async function measureMissing(
  studies: readonly Study[],
  { full, again, engines, sessions }: Pick<StudiesCommand, 'full' | 'again' | 'engines' | 'sessions'>,
): Promise<number> {
  const processor = processorName(thisHost());
  const own = committedResults().filter(({ result }) => processorOf(result) === processor);
  const machine = own.length > 0 && !again ? machineOf(own) : undefined;
  const wanted = new Map(
    chosenEngines(ENGINES, engines).map(({ id }) => [id, missingIn(machine, id, wantedIn(id, studies, full))] as const),
  );
  const taking = [...wanted].filter(([, contests]) => contests.length > 0).map(([id]) => id);
  if (taking.length === 0) {
    process.stdout.write(`There are results of ${processor} for all of ${studies.map(({ id }) => id).join(', ')}.\n`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-studies-'));
  try {
    const exitCode = await measure(
      {
        command: 'measure',
        engines: taking,
        kind: full ? 'full' : 'default',
        only: '',
        sessions,
        out: folder,
        seed: Date.now() % 2 ** 32,
        exactly: {
          engines: ENGINES,
          contests: (id) => wanted.get(id) ?? [],
          words: `npm run studies -- ${studies.map(({ id }) => id).join(' ')}`,
        },
      },
      [],
    );
    const path = join(folder, 'results.json');
    const result = readResult(path);
    if (result.sessions.some(({ contests }) => contests.length > 0)) {
      const name = fileNameOf(processor, result.startedAt);
      mkdirSync(RESULTS, { recursive: true });
      writeResult(join(RESULTS, name), result);
      for (const old of supersededBy(result, own)) rmSync(join(RESULTS, basename(old)));
      process.stdout.write(`docs/studies/results/${name} has the samples\n`);
    }
    return exitCode;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
