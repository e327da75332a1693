/** Tables of plain text, and their number formats. */
import Table from 'cli-table3';

const none = { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '', left: '', right: '', middle: '  ' } as const;
const edges = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
} as const;

/**
 * Without borders and colours, so that tables can be pasted and piped. The first column is text, the others are aligned
 * as given.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  alignments: readonly ('left' | 'right')[],
): string {
  const result = new Table({
    head: [...head],
    chars: { ...none, ...edges },
    colAligns: [...alignments],
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  result.push(...rows.map((row) => [...row]));
  return result
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

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
