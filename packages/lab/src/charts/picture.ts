/**
 * A picture is one file without scripts, which is read in a page as an image: it brings its own colours for light and for
 * dark surroundings, and a ground of its own, because it does not know which of the two the page has chosen. Its text can
 * be read on a telephone, and it fills the column of a page.
 */
import type * as Plots from '@observablehq/plot';
import { wrapped } from '../report/numbers.ts';
import { colourOf, COLOURS } from './palette.ts';
import { plotted } from './plotting.ts';

/** The units of its coordinates, and the pixels that it takes where there is room. */
export const WIDTH = 500;
const SHOWN_WIDTH = 640;
export const FONT = 13;
export const MARGIN = 12;
/** Most characters are narrower. */
const CHARACTER = 7.3;
const ROW = 18;

export interface Head {
  readonly title: string;
  /** For readers of screens: the picture in words. */
  readonly description: string;
}

/** A picture that is drawn once the words below it are known, as on which machine it was measured. */
export type Picture = (foot?: string) => string;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]);

export const widthOf = (text: string): number => CHARACTER * text.length;

const text = (x: number, y: number, words: string, className = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${className && ` class="${className}"`}>${escaped(words)}</text>`;

const STYLE = `svg{color:#333;${COLOURS.light}}text{fill:#333}.ground{fill:#fff}.quiet{fill:#666}.strong{font-weight:600}@media(prefers-color-scheme:dark){svg{color:#ddd;${COLOURS.dark}}text{fill:#ddd}.ground{fill:#14171b}.quiet{fill:#aaa}}`;

/** The strokes of lines; areas are squares in the key. */
type Strokes = ((index: number) => { readonly stroke: string; readonly strokeDasharray?: string }) | undefined;

/** A key: coloured strokes or squares with names, in as many rows as they need, from y on. */
function keyOf(names: readonly string[], y: number, strokeOf: Strokes): { parts: string[]; height: number } {
  if (names.length < 2) return { parts: [], height: 0 };
  let [x, row] = [MARGIN, 0];
  const parts = names.map((name, i) => {
    const width = 22 + widthOf(name) + 16;
    if (x > MARGIN && x + width > WIDTH) [x, row] = [MARGIN, row + 1];
    const [left, top] = [x, y + ROW * row];
    x += width;
    const { stroke = colourOf(i), strokeDasharray: dashes } = strokeOf?.(i) ?? {};
    const mark = strokeOf
      ? `<path d="M${left.toFixed(1)} ${top + 7}h18" stroke="${stroke}" stroke-width="3"${dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`}/>`
      : `<rect x="${(left + 3).toFixed(1)}" y="${top + 1}" width="12" height="12" rx="2" fill="${stroke}"/>`;
    return mark + text(left + 22, top + 11, name);
  });
  return { parts, height: ROW * (row + 1) + 2 };
}

/** The label of an axis. A logarithmic one says so, because lengths on it are not in proportion. */
export const axisLabel = (label: string, logarithmic = false): string =>
  logarithmic ? `${label} (logarithmic scale)` : label;

/** A drawing of a given height, with a title and a key above it and a foot below. */
export const picture =
  ({ title, description }: Head, names: readonly string[], strokeOf: Strokes, drawing: Plots.PlotOptions): Picture =>
  (foot = '') => {
    const [above, below] = [title, foot].map((words) =>
      words === '' ? [] : wrapped(words, (line) => widthOf(line) <= WIDTH - 2 * MARGIN),
    );
    const key = keyOf(names, 12 + ROW * above.length, strokeOf);
    const top = 10 + ROW * above.length + key.height;
    const bottom = top + drawing.height!;
    const height = bottom + 10 + ROW * below.length;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${SHOWN_WIDTH}" height="${((height * SHOWN_WIDTH) / WIDTH).toFixed(0)}" font-family="system-ui,sans-serif" font-size="${FONT}" role="img" aria-labelledby="t d">`,
      `<title id="t">${escaped(title)}</title>`,
      `<desc id="d">${escaped(description)}</desc>`,
      `<style>${STYLE}</style>`,
      `<rect class="ground" width="${WIDTH}" height="${height}" rx="6"/>`,
      ...above.map((line, i) => text(MARGIN, 22 + ROW * i, line, 'strong')),
      ...key.parts,
      plotted(
        { width: WIDTH, ...drawing, style: { background: 'none', fontFamily: 'inherit', fontSize: `${FONT}px` } },
        { y: String(top) },
      ),
      ...below.map((line, i) => text(MARGIN, bottom + 14 + ROW * i, line, 'quiet')),
      '</svg>',
      '',
    ].join('\n');
  };
