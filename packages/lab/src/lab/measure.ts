/** The main command of `lab`: from the arguments to tables, a file of results and a report. */
import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { plans } from '../client/catalogue.ts';
import type { Kind } from '../client/messages.ts';
import { engines as allEngines } from '../engines/all.ts';
import type { Found } from '../../../runtimes/src/found.ts';
import type { Engine } from '../engines/engine.ts';
import { lab } from '../host.ts';
import { buildNative } from '../native.ts';
import { writeReport } from '../report/report.ts';
import { summaryText } from '../report/text.ts';
import { beginning, load } from '../results/host.ts';
import { asName } from '../results/names.ts';
import { createStore, writeResult, type Store } from '../results/store.ts';
import { viewOf } from '../results/view.ts';
import { UsageError } from '../terminal.ts';
import { forPeople, type MeasureCommand } from './arguments.ts';
import { buildClients, type Clients } from './clients.ts';
import { conduct, type Entrant, type Terms } from './conduct.ts';
import { checkOnly, chosenEngines, contestsOf, placeOf, poolEngines } from './field.ts';
import { Scoreboard } from './scoreboard.ts';

const MINUTE = 60_000;
const terms: Readonly<Record<Kind, Omit<Terms, 'kind' | 'plan' | 'seed'>>> = {
  quick: { sessions: 2, atMostMilliseconds: 0.8 * MINUTE, limitMilliseconds: 2 * MINUTE, silenceMilliseconds: MINUTE },
  default: { sessions: 5, limitMilliseconds: 5 * MINUTE, silenceMilliseconds: MINUTE },
  full: { sessions: 5, limitMilliseconds: 600 * MINUTE, silenceMilliseconds: 5 * MINUTE },
};

function termsOf({ kind, sessions, seed }: MeasureCommand): Terms {
  const { atMostMilliseconds, ...rest } = terms[kind];
  // A number of sessions that was typed is not reduced.
  const bound = sessions === undefined ? { atMostMilliseconds } : { sessions };
  return { ...rest, ...bound, kind, seed, plan: plans[kind] };
}

/** The command line that repeats the run. */
const wordsOf = (args: readonly string[]): string =>
  [
    'npm run lab',
    ...(args.length > 0 ? ['--'] : []),
    ...args.map((arg) => (/[\s"'$]/.test(arg) ? `'${arg}'` : arg)),
  ].join(' ');

interface Output {
  readonly lines: string;
  readonly results: string;
  readonly report: string;
}

function outputIn(folder: string): Output {
  const [results, report, lines] = ['results.json', 'report.html', 'results.jsonl'].map((name) => join(folder, name));
  for (const path of [results, lines]) {
    if (existsSync(path)) throw new UsageError(`${forPeople(path)} is there already; choose another --out`);
  }
  return { results, report, lines };
}

/** Returns the exit code. */
export async function measure(command: MeasureCommand, args: readonly string[]): Promise<number> {
  if (!command.exactly) checkOnly(command.only, command.kind);
  const engines = command.exactly?.engines ?? allEngines;
  const chosen =
    command.pools === true && !command.engines ? poolEngines(engines) : chosenEngines(engines, command.engines);
  const header = beginning({
    kind: command.kind,
    seed: command.seed,
    plan: plans[command.kind],
    command:
      command.exactly?.words ??
      wordsOf([...args, ...(args.includes('--seed') ? [] : ['--seed', String(command.seed)])]),
  });
  const output = outputIn(command.out ?? join(lab, 'results', `lab-${header.id}`));
  const clients = await buildClients();
  const store = createStore(output.lines, header);
  const scores = new Scoreboard(chosen, process.stderr);
  const stop = stopOnSignals(() => scores.stop());
  try {
    const entrants = await entrantsOf(chosen, command, clients, store, scores);
    // Compilers take minutes the first time, and a look needs no yardsticks.
    if (command.kind !== 'quick' && command.pools !== true && entrants.some(({ engine }) => placeOf(engine) === 'node'))
      for (const reason of await buildNative()) scores.notice(reason);
    if (entrants.length > 0) {
      const these = termsOf(command);
      scores.start(entrants, these.sessions);
      await conduct(entrants, these, listenerOf(scores, store), stop.signal);
    }
  } finally {
    scores.end();
    clients.remove();
    stop.forget();
  }
  return conclude(store, output, scores, { stopped: stop.signal.aborted, tables: !command.exactly });
}

interface Conclusion {
  readonly stopped: boolean;
  /** Whether the tables are printed, and the report is written. */
  readonly tables: boolean;
}

async function conclude(
  store: Store,
  output: Output,
  scores: Scoreboard,
  { stopped, tables }: Conclusion,
): Promise<number> {
  store.end(load());
  const result = store.result();
  writeResult(output.results, result);
  rmSync(output.lines);
  const written = [forPeople(output.results)];
  const sampled = result.sessions.some(({ contests }) => contests.length > 0);
  if (sampled && tables) {
    process.stdout.write(summaryText(viewOf(result)));
    await writeReport(output.report, result, { jsonName: basename(output.results) });
    written.push(forPeople(output.report));
  }
  if (tables)
    process.stdout.write(
      `\n${stopped ? 'Stopped; the findings so far are in' : 'Written:'} ${written.join(' and ')}\n`,
    );
  for (const line of [...scores.notices, ...scores.problems]) process.stderr.write(`lab: ${line}\n`);
  if (stopped) return 130;
  if (!sampled) process.stderr.write('lab: nothing was measured\n');
  return sampled && scores.problems.length === 0 ? 0 : 1;
}

const listenerOf = (scores: Scoreboard, store: Store): Parameters<typeof conduct>[2] => ({
  begin({ engine }, session, seed) {
    const keep = store.session(engine.id, seed);
    scores.begin(engine.id, session);
    return (message) => {
      keep(message);
      // The canary finds what an engine was told to be.
      if (message.type !== 'canary' || engine.tier === undefined) scores.hear(engine.id, message);
    };
  },
  end: ({ engine }, milliseconds, failure) => scores.finish(engine.id, milliseconds, failure),
  giveUp: ({ engine }, reason) => scores.giveUp(engine.id, reason),
});

/** Finds all engines at once, because some are fetched. */
async function entrantsOf(
  chosen: readonly Engine[],
  { kind, only, exactly }: MeasureCommand,
  clients: Clients,
  store: Store,
  scores: Scoreboard,
): Promise<Entrant[]> {
  const found = new Map<Engine, Found>();
  await Promise.all(
    chosen.map(async (engine) => {
      const answer = await engine.find();
      if (answer.missing === undefined) {
        found.set(engine, answer);
        scores.found(engine.id, answer.version);
      } else {
        scores.missing(engine.id, `${answer.missing} is missing: ${answer.howToGet}`);
        store.missing({ id: engine.id, name: engine.name, missing: answer.missing, howToGet: answer.howToGet });
      }
    }),
  );
  const entrants: Entrant[] = [];
  const present = chosen.filter((engine) => found.has(engine));
  for (const engine of present) {
    const { settings, remarks, id, name } = engine;
    const { arguments: flags = [], environment = {}, preferences = {} } = settings;
    const { version } = found.get(engine)!;
    store.engine({
      id,
      name,
      version: asName(version),
      arguments: [...flags],
      environment,
      preferences,
      remarks: [...remarks],
      ...(engine.tier !== undefined && { tier: engine.tier }),
    });
    const contests = exactly ? exactly.contests(id) : contestsOf(engine, present, kind, only);
    if (contests.length === 0) scores.missing(id, `--only "${only}" fits none of its contests`);
    else entrants.push({ engine, contests, client: clients.fileFor(placeOf(engine)) });
  }
  return entrants;
}

/** The first Ctrl-C ends the run, the second ends the process. */
function stopOnSignals(onStop: () => void): { readonly signal: AbortSignal; forget(): void } {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    onStop();
    stop.abort(new Error('stopped'));
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: stop.signal,
    forget: () => names.forEach((name) => process.off(name, onSignal)),
  };
}
