/**
 * Parts of pictures. A picture is one file without scripts, which is read in a page as an image: it brings its own colours
 * for light and for dark surroundings, and a ground of its own, because it does not know which of the two the page has
 * chosen. It is as wide as a telephone allows its text to be read.
 */
export const WIDTH = 480;
export const FONT = 13;
/** Most characters are narrower. */
const CHARACTER = 7.3;

export interface Head {
  readonly title: string;
  /** For readers of screens: what can be seen. */
  readonly description: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]);

/** Coordinates to a tenth of a pixel. */
export const at = (value: number): string => {
  if (!Number.isFinite(value)) throw new RangeError('a picture needs finite numbers');
  return Number(value.toFixed(1)).toString();
};

/** A picture that is drawn when it is known what to say below it, as on which machine it was measured. */
export type Picture = (foot?: string) => string;

export const widthOf = (text: string): number => CHARACTER * text.length;

export interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly className?: string;
}

export const text = (x: number, y: number, words: string, { anchor, className }: TextOptions = {}): string =>
  `<text x="${at(x)}" y="${at(y)}"${anchor ? ` text-anchor="${anchor}"` : ''}${className === undefined ? '' : ` class="${className}"`}>${escaped(words)}</text>`;

/** Words on several lines, none of which is longer than this many pixels. */
export function wrapped(words: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** As much of some words as fits into this many pixels. */
const cut = (words: string, most: number): string =>
  widthOf(words) <= most ? words : `${words.slice(0, Math.floor(most / CHARACTER) - 1)}…`;

export const COLOURS = 8;
/** The palette of Okabe and Ito, which colour-blind people can tell apart; its black is grey here, its yellow darker. */
const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#b5578f', '#56a0d8', '#b98800', '#8a5a2b', '#555555'];
const DARK = ['#4aa8e8', '#f08a3c', '#2fc99a', '#e08bbf', '#8cc8f5', '#e3b73c', '#c79a6b', '#b0b0b0'];
const colours = (all: readonly string[]): string =>
  all.map((colour, i) => `.f${i}{fill:${colour}}.s${i}{stroke:${colour}}`).join('');

const STYLE = `text{fill:#333}.ground{fill:#fff}.quiet{fill:#666}.strong{font-weight:600}.grid{stroke:#888;stroke-opacity:.3}.line{fill:none;stroke-width:2}${colours(LIGHT)}@media(prefers-color-scheme:dark){text{fill:#ddd}.ground{fill:#14171b}.quiet{fill:#aaa}${colours(DARK)}}`;

/** A key: coloured squares with names, in as many rows as they need, from y on. */
export function keys(
  names: readonly string[],
  y: number,
): { readonly parts: readonly string[]; readonly height: number } {
  if (names.length < 2) return { parts: [], height: 0 };
  let [x, row] = [MARGIN, 0];
  const parts = names.map((name, i) => {
    const fitting = cut(name, WIDTH - 2 * MARGIN - 18);
    const width = 18 + widthOf(fitting) + 12;
    if (x > MARGIN && x + width > WIDTH) [x, row] = [MARGIN, row + 1];
    const [left, top] = [x, y + KEY_ROW * row];
    x += width;
    return `<rect x="${at(left)}" y="${at(top)}" width="12" height="12" rx="2" class="f${i % COLOURS}"/>${text(left + 17, top + 11, fitting)}`;
  });
  return { parts, height: KEY_ROW * (row + 1) + 6 };
}
export const MARGIN = 12;
const KEY_ROW = 20;
const TITLE_ROW = 18;
const FOOT_ROW = 18;

/** What stands at an axis. A logarithmic one says so, because lengths on it are not in proportion. */
export const axisLabel = (label: string, logarithmic = false): string =>
  logarithmic ? `${label} (logarithmic scale)` : label;

/** The title of a picture above its parts, which begin at the height given to `draw`, and a foot below them. */
export const picture =
  (
    { title, description }: Head,
    draw: (top: number) => { readonly parts: readonly string[]; readonly height: number },
  ): Picture =>
  (foot = '') => {
    const lines = wrapped(title, WIDTH - 2 * MARGIN);
    const top = 14 + TITLE_ROW * lines.length;
    const { parts, height: bottom } = draw(top);
    const below = foot === '' ? [] : wrapped(foot, WIDTH - 2 * MARGIN);
    const height = bottom + (below.length === 0 ? 0 : 4 + FOOT_ROW * below.length);
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${at(height)}" width="${WIDTH}" height="${at(height)}" font-family="system-ui,sans-serif" font-size="${FONT}" role="img" aria-labelledby="t d">`,
      `<title id="t">${escaped(title)}</title>`,
      `<desc id="d">${escaped(description)}</desc>`,
      `<style>${STYLE}</style>`,
      `<rect class="ground" width="${WIDTH}" height="${at(height)}" rx="6"/>`,
      ...lines.map((line, i) => text(MARGIN, 22 + TITLE_ROW * i, line, { className: 'strong' })),
      ...parts,
      ...below.map((line, i) => text(MARGIN, bottom + 12 + FOOT_ROW * i, line, { className: 'quiet' })),
      '</svg>',
      '',
    ].join('\n');
  };

/** Round numbers at which a linear axis from 0 is marked. */
export function linearTicks(most: number, count: number): number[] {
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= raw)!;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => Number((i * step).toPrecision(6)));
}
