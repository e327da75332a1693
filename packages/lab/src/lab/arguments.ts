/** The arguments of `lab`. Mistakes are reported in one line, before anything is started. */
import { relative } from 'node:path';
import type { Kind } from '../client/messages.ts';
import type { Engine } from '../engines/engine.ts';
import { enginesIn, here, natural, parsedArguments, sessionsIn, there } from '../arguments.ts';
import { UsageError } from '../terminal.ts';

export const HELP = `npm run lab -- [options]             measures in every engine of this machine
npm run lab -- compare OLD NEW       the changes from one result to another
npm run lab -- report RESULT         the tables of a result, and its report.html
npm run lab -- first [--only TEXT]   the first message of a process, as a package and as a bundle
npm run lab -- parallel              pools of threads: messages of 256 MiB, beside peers in workers
npm run lab -- scaling               what a job of a pool costs, and a model of up to 64 threads
npm run lab -- serve                 the page that measures the browser which opens it

Measuring: fresh processes of every engine, in random order, one after the other. Known answers are checked first. Prints
tables, and writes results.json and report.html. Ctrl-C stops, and keeps the findings so far.
  --engines A,B    only these: an id, or \`node\` for each Node (default: all)
  --quick          about a minute: a look, not a result
  --full           every length: hours
  --only TEXT      only contests whose id contains TEXT, as in \`platforms/\`, \`blake3\`, \`/seal/64\`;
                   contests of studies only if TEXT begins with \`studies/\`
  --sessions N     fresh processes for each engine (default 5; with --quick up to 2, while the minute lasts)
  --out DIR        where to write (default: a new folder in packages/lab/results)
  --seed N         for the order of things and the data (default: from the clock)

first, in every Node, Bun and Deno, beside noble:
  --engines A,B    only these
  --only TEXT      only what has TEXT in its name, as in \`BLAKE3\`, \`first 64 B\`, \`bundle\`
  --rounds N       fresh processes each (default 11)

parallel, in the newest Node, Bun, Deno and browsers: the options of measuring but \`--full\` and \`--only\`
  --sessions N     fresh processes for each engine (default 3)

scaling, in the newest Node, Bun, Deno and browsers:
  --engines A,B    only these; the first one's curves are drawn
  --rounds N       how often each cost is measured (default 5)
  --write          writes the figures to docs/scaling.md

compare, of two files of results:
  --threshold P    percent that a regression must exceed (default 3)
  --force          even if they come from different machines

report:
  --beside OTHER   a result of another machine: its ratios stand beside those of RESULT
  --out DIR        where to write report.html (default: beside the result)

serve, on this machine only, with the headers that give browsers a finer clock:
  --port N         (default: one that is free)

Exit codes: 0 all is well; 1 something could not be measured, an answer of ours was wrong, or \`compare\` found a regression;
2 wrong arguments, or a file that cannot be used; 130 stopped.
`;

export interface MeasureCommand {
  readonly command: 'measure';
  /** As typed; undefined for all. */
  readonly engines: readonly string[] | undefined;
  readonly kind: Kind;
  readonly only: string;
  /** Undefined unless typed. */
  readonly sessions: number | undefined;
  readonly out: string | undefined;
  readonly seed: number;
  /** Only the newest engines that have workers take part, unless others are named. */
  readonly pools?: boolean;
  /** Studies choose among engines of their own, too, and name the contests of each. */
  readonly exactly?: Exactly;
}

export interface Exactly {
  readonly engines: readonly Engine[];
  /** The ids of an engine's contests. */
  readonly contests: (engine: string) => readonly string[];
  /** The command line that repeats the run. */
  readonly words: string;
}

export type Command =
  { readonly command: 'help' } | MeasureCommand | ReturnType<(typeof READERS)[keyof typeof READERS]>;

/** A path as people would type it. */
export function forPeople(path: string): string {
  const short = relative(here, path);
  return short.startsWith('..') ? path : short || '.';
}

function exactly(positionals: readonly string[], command: string, names: readonly string[]): void {
  if (positionals.length === names.length && !positionals.includes('')) return;
  const wanted = names.length > 0 ? names.join(' and ') : 'nothing else';
  throw new UsageError(`\`${command}\` expects ${wanted}, not ${positionals.length || 'nothing'}`);
}

/** How often something is measured. */
const roundsOf = ({ rounds }: { readonly rounds?: string }, usual: number): number =>
  rounds === undefined ? usual : natural('rounds', rounds, 1, 1000);

/** The commands by their names; whatever has none of these measures. */
const READERS = {
  compare(args: readonly string[]) {
    const { values, positionals } = parsedArguments(args, ['force'], ['threshold']);
    exactly(positionals, 'compare', ['an old file of results', 'a new one']);
    const { threshold = '3' } = values;
    const percent = Number(threshold);
    if (!/^\d+(\.\d+)?$/.test(threshold) || percent > 1000)
      throw new UsageError(`--threshold expects percent, as in 3 or 2.5, not "${threshold}"`);
    const [before, after] = positionals.map(there);
    // A share, not percent.
    return { command: 'compare', before, after, threshold: percent / 100, forced: values.force === true } as const;
  },
  report(args: readonly string[]) {
    const { values, positionals } = parsedArguments(args, [], ['beside', 'out']);
    exactly(positionals, 'report', ['a file of results']);
    const [result, beside, out] = [positionals[0], values.beside, values.out].map((path) => path && there(path));
    return { command: 'report', result: result!, beside, out } as const;
  },
  first(args: readonly string[]) {
    const { values, positionals } = parsedArguments(args, [], ['engines', 'only', 'rounds']);
    exactly(positionals, 'first', []);
    const { only = '' } = values;
    return { command: 'first', engines: enginesIn(values), only, rounds: roundsOf(values, 11) } as const;
  },
  parallel: readParallel,
  scaling(args: readonly string[]) {
    const { values, positionals } = parsedArguments(args, ['write'], ['engines', 'rounds']);
    exactly(positionals, 'scaling', []);
    const write = values.write === true;
    return { command: 'scaling', engines: enginesIn(values), rounds: roundsOf(values, 5), write } as const;
  },
  serve(args: readonly string[]) {
    const { values, positionals } = parsedArguments(args, [], ['port']);
    exactly(positionals, 'serve', []);
    return { command: 'serve', port: natural('port', values.port ?? '0', 0, 65_535) } as const;
  },
};

/** Throws a UsageError. `now`, in milliseconds, is the default seed. */
export function readCommand(args: readonly string[], now: number = Date.now()): Command {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return { command: 'help' };
  const [name, ...rest] = args;
  return Object.hasOwn(READERS, name ?? '') ? READERS[name as keyof typeof READERS](rest, now) : readMeasure(args, now);
}

function readMeasure(args: readonly string[], now: number): MeasureCommand {
  const { values, positionals } = parsedArguments(
    args,
    ['quick', 'full'],
    ['engines', 'only', 'sessions', 'out', 'seed'],
  );
  if (positionals.length > 0) {
    const names = Object.keys(READERS);
    throw new UsageError(
      `there is no command "${positionals[0]}"; there are ${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`,
    );
  }
  if (values.quick && values.full) throw new UsageError('--quick and --full exclude each other');
  return {
    command: 'measure',
    engines: enginesIn(values),
    kind: values.quick ? 'quick' : values.full ? 'full' : 'default',
    only: values.only ?? '',
    sessions: sessionsIn(values),
    out: values.out === undefined ? undefined : there(values.out),
    seed: values.seed === undefined ? now % 2 ** 32 : natural('seed', values.seed, 0, 2 ** 32 - 1),
  };
}

const POOL_SESSIONS = 3;
/** In the ids of the contests with the longest message, and in no others. */
const LONG_POOLS = `/${2 ** 28}`;

/** A run of the contests of pools, with the longest message unless it is quick, in the newest engines that have workers. */
function readParallel(args: readonly string[], now: number): MeasureCommand {
  const mine = ['--full', '--only'].find((name) => args.some((arg) => arg === name || arg.startsWith(`${name}=`)));
  if (mine !== undefined) throw new UsageError(`\`parallel\` takes no ${mine}`);
  const { kind, sessions, ...rest } = readMeasure(args, now);
  return kind === 'quick'
    ? { ...rest, kind, sessions, only: 'parallel/pool/', pools: true }
    : { ...rest, kind: 'full', sessions: sessions ?? POOL_SESSIONS, only: LONG_POOLS, pools: true };
}
