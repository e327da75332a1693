/** Tables and sections of documents in Markdown that programs write. */

/** A table in the format of Prettier. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[], names: number): string {
  const widths = head.map((title, i) => Math.max(title.length, 3, ...rows.map((row) => row[i].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => (i < names ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i < names ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/**
 * Replaces what is between the marks of a command: `<!-- `COMMAND` writes from here … -->` and `<!-- … to here. -->`.
 *
 * @throws Error if the document lacks the marks.
 */
export function between(document: string, command: string, text: string): string {
  const [start, end] = [`<!-- \`${command}\` writes from here … -->`, '<!-- … to here. -->'];
  const from = document.indexOf(start);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the document lacks the marks "${start}" and "${end}"`);
  return `${document.slice(0, from + start.length)}\n\n${text}\n\n${document.slice(to)}`;
}
