/** The arguments of this package's programs. Mistakes are reported in one line, before anything is started. */
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './terminal.ts';

/** npm runs scripts in the folder of the workspace; paths are relative to the folder in which it was called. */
export const here = process.env['INIT_CWD'] ?? process.cwd();
export const there = (path: string): string => resolve(here, path);

/** The error of `parseArgs` in one line; its advice may take three. */
export const wrongArguments = (error: unknown): UsageError =>
  new UsageError(`${(error as Error).message.split(/\.\s/)[0]}; --help lists the options`);

export interface Arguments<Flag extends string, Text extends string, List extends string = never> {
  readonly values: Readonly<Partial<Record<Flag, boolean> & Record<Text, string> & Record<List, readonly string[]>>>;
  readonly positionals: readonly string[];
}

/** The options of these names: flags, texts, and texts that may be repeated. Throws a UsageError. */
export function parsedArguments<Flag extends string, Text extends string, List extends string = never>(
  args: readonly string[],
  flags: readonly Flag[],
  texts: readonly Text[],
  lists: readonly List[] = [],
): Arguments<Flag, Text, List> {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const name of flags) options[name] = { type: 'boolean', ...(name === 'help' && { short: 'h' }) };
  for (const name of texts) options[name] = { type: 'string' };
  for (const name of lists) options[name] = { type: 'string', multiple: true };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options }) as unknown as Arguments<Flag, Text, List>;
  } catch (error) {
    throw wrongArguments(error);
  }
}

/** The number that an option has. */
export function natural(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`--${name} expects a whole number from ${least} to ${most}, not "${text}"`);
}

/** How many fresh processes each engine has; undefined if that was not typed. */
export const sessionsIn = ({ sessions }: { readonly sessions?: string }): number | undefined =>
  sessions === undefined ? undefined : natural('sessions', sessions, 1, 1000);

/** The engines that were named; undefined for all. */
export function enginesIn({ engines }: { readonly engines?: string }): readonly string[] | undefined {
  const names = engines?.split(',').map((name) => name.trim());
  if (names?.includes('')) throw new UsageError('--engines expects names, separated by commas');
  return names;
}
