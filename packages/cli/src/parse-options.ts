/** Parses options and operands with Node's parser, under the rules that all subcommands share. */
import { parseArgs } from 'node:util';
import { UsageError, VersionAsked, type OptionTable } from './command.ts';
import type { Argument } from './command-line.ts';
import { printable } from './terminal.ts';

/** The options of all commands. */
export const COMMON = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'V' } } as const;

interface Parsed<Options extends OptionTable> {
  readonly values: ReturnType<typeof parse<Options>>['values'];
  /** The operands, in order; file names may be bytes. */
  readonly operands: readonly Argument[];
}

/**
 * Options come once each, unless they are `multiple`, and their values are text.
 *
 * @returns `help` if that was asked for.
 * @throws UsageError for an unknown option, VersionAsked if the version was asked for.
 */
export function parseOptions<const Options extends OptionTable>(
  given: readonly Argument[],
  options: Options,
): Parsed<Options> | 'help' {
  const texts = given.map(({ text }) => text);
  const { values, tokens } = parse(texts, options);
  const isAsked = (name: string): boolean => tokens.some((token) => token.kind === 'option' && token.name === name);
  if (isAsked('help')) return 'help';
  if (isAsked('version')) throw new VersionAsked();
  const operands: Argument[] = [];
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(given[token.index]);
    else if (token.kind === 'option') {
      // Otherwise the second of two contexts or lengths would silently replace the first.
      if (seen.has(token.name) && !options[token.name].multiple)
        throw new UsageError(`--${token.name} is given more than once`);
      seen.add(token.name);
    }
  }
  if (given.some((argument) => typeof argument.path !== 'string' && !operands.includes(argument))) {
    throw new UsageError('the value of an option is not valid UTF-8');
  }
  return { values, operands };
}

function parse<Options extends OptionTable>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, tokens: true });
  } catch (error) {
    // Node's advice may take three lines; the first names the mistake.
    const [first] = (error as Error).message.split(/\.\s|\n/);
    const clear = first.replace(/ argument is ambiguous$/, ' needs a value; one that starts with a dash goes after =');
    throw new UsageError(`${printable(clear)}; --help lists the options`);
  }
}

/** The most threads that are started; an image of 100 GiB has work for more, and no machine the memory bandwidth. */
const MOST_THREADS = 256;

/** The value of `--num-threads`; undefined for as many as the machine has cores, which 0 also means, as to b3sum. */
export function threadsFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const digits = /^=?\+?(\d+)$/.exec(text)?.[1];
  if (digits === undefined || Number(digits) > MOST_THREADS)
    throw new UsageError(`--num-threads takes an integer from 0 to ${MOST_THREADS}, not '${printable(text)}'`);
  return Number(digits) || undefined;
}
