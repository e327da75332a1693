/**
 * Figures of the report: they go into it as SVG, twice, for wide screens and for narrow ones. Colours are variables of the
 * style sheet, so that one drawing serves light and dark mode.
 */
import type * as Plots from '@observablehq/plot';
import { html, Markup } from '../report/markup.ts';
import { colourOf, isDashed } from './palette.ts';
import { Plot, plotted } from './plotting.ts';

export interface Figure {
  /** The caption, and a description for people who cannot see the figure. */
  readonly caption: string;
  readonly description: string;
  /** The names of the colours, in their order. */
  readonly keys?: readonly string[];
  /** Other colours than those of data. */
  readonly colour?: (index: number) => string;
  readonly draw: (width: number) => Plots.PlotOptions;
}

const WIDTHS = [
  ['wide', 920],
  ['narrow', 340],
] as const;

/** Whether the drawing is for a narrow screen. */
export const isNarrow = (width: number): boolean => width < 500;

const FONT = 12;
const ROW = 20;
const LINE = 13;

/** A drawing of rows with their labels, on several lines where they do not fit on one; `gap` is between rows. */
export function rowsOf(names: readonly string[], width: number, gap = 0) {
  // Most characters are narrower than 6.4 pixels.
  const longest = 6.4 * Math.max(...names.map(({ length }) => length));
  const most = isNarrow(width) ? 120 : 300;
  const room = Math.min(longest, most);
  // Lines break between words, so they are rarely full.
  const lines = longest <= most ? 1 : Math.ceil((1.3 * longest) / most);
  return {
    frame: {
      height: 46 + ((lines === 1 ? ROW : LINE * lines + 4) + gap) * names.length,
      marginLeft: room + 14,
      y: { domain: names, label: null },
    },
    axis: Plot.axisY({ label: null, tickSize: 0, ...(lines > 1 && { lineWidth: most / FONT }) }),
  };
}

const style = {
  background: 'none',
  color: 'currentColor',
  fontFamily: 'inherit',
  fontSize: `${FONT}px`,
  overflow: 'visible',
} as const;

export const figure = ({ draw, caption, description, keys = [], colour = colourOf }: Figure): Markup =>
  html`<figure>
    ${keysOf(keys, colour)}
    ${WIDTHS.map(
      ([name, width]) =>
        new Markup(
          plotted(
            { ...draw(width), width, ariaLabel: caption, ariaDescription: description, style },
            { role: 'img', class: name },
          ),
        ),
    )}
    <figcaption>${caption}</figcaption>
  </figure>`;

const keysOf = (keys: readonly string[], colour: (index: number) => string): Markup | undefined =>
  keys.length < 2
    ? undefined
    : html`<ul class="keys">
        ${keys.map(
          (name, i) =>
            html`<li><i class="${isDashed(i) ? 'dashed' : 'solid'}" style="color:${colour(i)}"></i>${name}</li>`,
        )}
      </ul>`;
