/**
 * Figures of the report: they go into it as SVG, twice, for wide screens and for narrow ones. Colours are variables of the
 * style sheet, so that one drawing serves light and dark mode.
 */
import type * as Plots from '@observablehq/plot';
import { html, Markup } from '../report/markup.ts';
import { colourOf, isDashed } from './palette.ts';
import { Plot, plotted } from './plotting.ts';

/** The case that a line, an area or a dot stands for. */
export interface Key {
  readonly name: string;
  readonly colour: string;
  readonly dashed?: boolean;
}

export interface Figure {
  /** The caption, and a description for people who cannot see the figure. */
  readonly caption: string;
  readonly description: string;
  readonly keys?: readonly Key[];
  readonly draw: (width: number) => Plots.PlotOptions;
}

const WIDTHS = [
  ['wide', 920],
  ['narrow', 340],
] as const;

export const key = (name: string, index: number): Key => ({ name, colour: colourOf(index), dashed: isDashed(index) });

/** Whether the drawing is for a narrow screen. */
export const isNarrow = (width: number): boolean => width < 500;

export interface Labels {
  readonly marginLeft: number;
  readonly rowHeight: number;
  readonly axis: Plots.Markish;
}

const FONT = 12;
const ROW = 20;
const LINE = 13;

/** Labels of rows, on several lines where they do not fit on one. */
export function labelsFor(names: readonly string[], width: number): Labels {
  // Most characters are narrower than 6.4 pixels.
  const longest = 6.4 * Math.max(...names.map(({ length }) => length));
  const most = isNarrow(width) ? 120 : 300;
  const room = Math.min(longest, most);
  // Lines break between words, so they are rarely full.
  const lines = longest <= most ? 1 : Math.ceil((1.3 * longest) / most);
  return {
    marginLeft: room + 14,
    rowHeight: lines === 1 ? ROW : LINE * lines + 4,
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

export const figure = ({ draw, caption, description, keys = [] }: Figure): Markup =>
  html`<figure>
    ${keysOf(keys)}
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

const keysOf = (keys: readonly Key[]): Markup | undefined =>
  keys.length < 2
    ? undefined
    : html`<ul class="keys">
        ${keys.map(
          ({ name, colour, dashed }) =>
            html`<li><i class="${dashed ? 'dashed' : 'solid'}" style="color:${colour}"></i>${name}</li>`,
        )}
      </ul>`;
