/** Tables of plain text, and their number formats. */
/** Cells as wide as their columns. Those from `names` on are numbers, up to `end`. */
export function aligned(
  rows: readonly (readonly string[])[],
  names: number,
  end = Infinity,
  least = 0,
): readonly (readonly string[])[] {
  const widths = rows[0].map((_, i) => Math.max(least, ...rows.map((row) => row[i].length)));
  return rows.map((row) =>
    row.map((cell, i) => (i >= names && i < end ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))),
  );
}

/** Without borders and colours, so that tables can be pasted and piped. */
export const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  names: number,
  end?: number,
): string =>
  aligned([head, ...rows], names, end)
    .map((cells) => cells.join('  ').trimEnd())
    .join('\n');

/** Words on several lines that fit, as far as a single word does. */
export function wrapped(words: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Three significant digits, or all digits before the point. */
export const significant = (value: number): string =>
  value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);

/** A million bytes in a second. */
export const megabytesPerSecond = (bytes: number, nanoseconds: number): string =>
  significant((bytes * 1e3) / nanoseconds);

export function duration(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${significant(nanoseconds / 1e3)} µs`;
  return `${significant(nanoseconds / 1e6)} ms`;
}

export function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return step === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
}
