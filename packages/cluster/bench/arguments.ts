/** The arguments of `npm run figures:cluster` and `npm run scaling:cluster`. Mistakes are reported in one line, before anything is started. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { wrongArguments } from '../../lab/src/arguments.ts';
import { UsageError } from '../../lab/src/terminal.ts';

/** The measurements of `npm run figures:cluster`. */
export const PARTS = ['speed', 'overhead', 'killed', 'turns', 'ended'] as const;
export type Part = (typeof PARTS)[number];

export interface FiguresCommand {
  readonly rounds: number;
  readonly mebibytes: number;
  readonly parts: readonly Part[];
}

export interface ScalingCommand {
  readonly measure: boolean;
  readonly write: boolean;
}

export const FIGURES_HELP = `npm run figures:cluster [-- options]

Measures what the queue costs, with workers and a redis-server that it starts on this machine, and prints a table.
  --rounds N       how often things that are compared are run in turns (default 7)
  --mebibytes N    the size of the file that is hashed (default 1024)
  --only A,B       only these of ${PARTS.join(', ')} (default: all)
`;

export const SCALING_HELP = `npm run scaling:cluster [-- options]

Prints the figures of docs/cluster-scaling.md, from the costs in docs/cluster-scaling/costs.json.
  --measure        measures the costs on this machine before: minutes
  --write          writes the document, its picture and the costs
`;

/** Values of options that come once each; `help` if that was asked for. */
function parse<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      tokens: true,
    });
  } catch (error) {
    throw wrongArguments(error);
  }
  const names = parsed.tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new UsageError(`--${twice} is given more than once`);
  return parsed.values;
}

function integer(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new UsageError(`--${name} expects a whole number from 1 to ${most}, not "${text}"`);
  return value;
}

const isPart = (name: string): name is Part => (PARTS as readonly string[]).includes(name);

export function readFiguresCommand(args: readonly string[]): FiguresCommand | 'help' {
  const values = parse(args, {
    rounds: { type: 'string' },
    mebibytes: { type: 'string' },
    only: { type: 'string' },
  });
  if (values.help === true) return 'help';
  const parts = values.only?.split(',').map((name) => name.trim()) ?? PARTS;
  const strange = parts.find((name) => !isPart(name));
  if (strange !== undefined) throw new UsageError(`--only expects some of ${PARTS.join(', ')}, not "${strange}"`);
  return {
    rounds: integer('rounds', values.rounds, 7, 1000),
    mebibytes: integer('mebibytes', values.mebibytes, 1024, 1_048_576),
    parts: parts.filter(isPart),
  };
}

export function readScalingCommand(args: readonly string[]): ScalingCommand | 'help' {
  const values = parse(args, { measure: { type: 'boolean' }, write: { type: 'boolean' } });
  if (values.help === true) return 'help';
  return { measure: values.measure === true, write: values.write === true };
}
