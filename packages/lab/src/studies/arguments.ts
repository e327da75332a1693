/** The arguments of `npm run studies`. Mistakes are reported in one line, before anything is started. */
import { enginesIn, parsedArguments, sessionsIn } from '../arguments.ts';
import { UsageError } from '../terminal.ts';

export const HELP = `npm run studies [-- STUDY …] [options]

Draws docs/studies from results of the lab, and before that measures the contests that no result of this processor has:
minutes the first time, and nothing afterwards. All studies take part unless some are named.
  --draw           draws only, from the results that are there
  --check          draws nothing: fails if a page differs from what the results give
  --full           measures every length, too: hours
  --again          measures all contests of the studies, also those of which there is a result
  --contribute     measures everything, and draws nothing: one file of results to send
  --engines A,B    measures in these only (default: all)
  --sessions N     fresh processes for each engine (default 5)
  --results FILE   draws from this file of results only; may be repeated
  --out DIR        writes the pages to this folder instead of docs/studies (with --results)

Results of this machine are written to docs/studies/results.
Exit codes: 0 all is well; 1 a page differs, or something could not be measured; 2 wrong arguments; 130 stopped.
`;

export interface StudiesCommand {
  readonly studies: readonly string[];
  readonly mode: 'measure' | 'draw' | 'check' | 'contribute';
  readonly full: boolean;
  readonly again: boolean;
  readonly engines: readonly string[] | undefined;
  readonly sessions: number | undefined;
  readonly results: readonly string[];
  readonly out: string | undefined;
}

/** Undefined if help is wanted. Throws a UsageError. */
export function readStudiesCommand(args: readonly string[]): StudiesCommand | undefined {
  const { values, positionals } = parsedArguments(
    args,
    ['help', 'draw', 'check', 'full', 'again', 'contribute'],
    ['engines', 'sessions', 'out'],
    ['results'],
  );
  if (values.help === true) return undefined;
  const modes = (['draw', 'check', 'contribute'] as const).filter((name) => values[name] === true);
  if (modes.length > 1) throw new UsageError(`--${modes[0]} and --${modes[1]} exclude each other`);
  const results = values.results ?? [];
  if (results.includes('')) throw new UsageError('--results expects a file of results');
  if (values.out === '') throw new UsageError('--out expects a folder for the pages');
  const mode = modes.at(0) ?? (results.length > 0 ? 'draw' : 'measure');
  const measures = mode === 'measure' || mode === 'contribute';
  for (const name of ['full', 'again', 'engines', 'sessions'] as const)
    if (values[name] !== undefined && !measures)
      throw new UsageError(`--${name} is for measuring, and --${mode} measures nothing`);
  if (results.length > 0 && measures) throw new UsageError('--results is for drawing, and --contribute draws nothing');
  if (values.out !== undefined && results.length === 0)
    throw new UsageError('--out expects --results, because docs/studies has the pages of its own results');
  if (results.length > 0 && (values.out === undefined || mode !== 'draw'))
    throw new UsageError('--results expects --out, a folder for the pages');
  return {
    studies: positionals,
    mode,
    full: values.full === true,
    again: values.again === true || mode === 'contribute',
    engines: enginesIn(values),
    sessions: sessionsIn(values),
    results,
    out: values.out,
  };
}
