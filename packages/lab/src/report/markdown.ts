/** Tables and sections of documents in Markdown that programs write. */

import { aligned } from './text-table.ts';

/** A table in the format of Prettier. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[], names: number): string {
  const [first, ...rest] = aligned([head, ...rows], names, Infinity, 3);
  const rule = first.map(({ length }, i) => (i < names ? '-'.repeat(length) : `${'-'.repeat(length - 1)}:`));
  return [first, rule, ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Where the marks of a command end and begin: `<!-- `COMMAND` writes from here … -->` and `<!-- … to here. -->`. */
export function marksIn(document: string, command: string): readonly [from: number, to: number] | undefined {
  const start = `<!-- \`${command}\` writes from here … -->`;
  const from = document.indexOf(start);
  const to = document.indexOf('<!-- … to here. -->', from);
  return from < 0 || to < 0 ? undefined : [from + start.length, to];
}

/**
 * Replaces the text between the marks of a command.
 *
 * @throws Error if the document lacks the marks.
 */
export function between(document: string, command: string, text: string): string {
  const marks = marksIn(document, command);
  if (!marks) throw new Error(`the document lacks the marks between which \`${command}\` writes`);
  return `${document.slice(0, marks[0])}\n\n${text}\n\n${document.slice(marks[1])}`;
}
