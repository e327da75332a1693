/**
 * Figures: Observable Plot draws them into a document of jsdom, and they go into the report as SVG, twice, for wide
 * screens and for narrow ones. Colours are variables of the style sheet, so that one drawing serves light and dark
 * mode.
 */
import type * as Plots from '@observablehq/plot';
import { html, Markup } from './markup.ts';

export type PlotLibrary = typeof Plots;
export type PlotOptions = Plots.PlotOptions;

export interface Draw {
  readonly Plot: PlotLibrary;
  figure(figure: Figure): Markup;
}

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
  readonly draw: (width: number) => PlotOptions;
}

const WIDTHS = [
  ['wide', 920],
  ['narrow', 340],
] as const;

const COLOURS = 8;
/**
 * The palette of Okabe and Ito, which colour-blind people can tell apart; after its end it starts again with dashed
 * lines.
 */
export const key = (name: string, index: number): Key => ({
  name,
  colour: `var(--c${index % COLOURS})`,
  dashed: index >= COLOURS,
});

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
export function labelsFor({ Plot }: Pick<Draw, 'Plot'>, names: readonly string[], width: number): Labels {
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

/** Ticks in each decade, from sparse to dense. */
const LOGARITHMIC = [
  [1],
  [1, 3],
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
  [1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9],
];

/** The densest ticks of a logarithmic axis that still fit. */
export function logTicks(low: number, high: number, most: number): number[] {
  const decades = Array.from(
    { length: Math.floor(Math.log10(high)) - Math.floor(Math.log10(low)) + 1 },
    (_, i) => 10 ** (Math.floor(Math.log10(low)) + i),
  );
  const all = LOGARITHMIC.map((steps) =>
    decades
      .flatMap((decade) => steps.map((step) => Number((decade * step).toPrecision(3))))
      .filter((tick) => tick >= low && tick <= high),
  );
  return all.findLast(({ length }) => length <= most) ?? all[0];
}

/** Loads Plot and jsdom only when they are needed, because both are large. */
export async function drawing(): Promise<Draw> {
  const [Plot, { JSDOM }] = await Promise.all([import('@observablehq/plot'), import('jsdom')]);
  const { document } = new JSDOM('').window;
  const svg = ({ draw, caption, description }: Figure, [name, width]: (typeof WIDTHS)[number]): Markup => {
    const element = Plot.plot({
      ...draw(width),
      width,
      document,
      ariaLabel: caption,
      ariaDescription: description,
      style: {
        background: 'none',
        color: 'currentColor',
        fontFamily: 'inherit',
        fontSize: '12px',
        overflow: 'visible',
      },
    });
    element.setAttribute('role', 'img');
    // The whole is an image with a name and a description. Plot also names groups within, which have no roles.
    for (const part of element.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
    element.classList.add(name);
    return new Markup(element.outerHTML);
  };
  return {
    Plot,
    figure: (figure) =>
      html`<figure>
        ${keysOf(figure.keys ?? [])} ${WIDTHS.map((width) => svg(figure, width))}
        <figcaption>${figure.caption}</figcaption>
      </figure>`,
  };
}

const keysOf = (keys: readonly Key[]): Markup | undefined =>
  keys.length < 2
    ? undefined
    : html`<ul class="keys">
        ${keys.map(
          ({ name, colour, dashed }) =>
            html`<li><i class="${dashed ? 'dashed' : 'solid'}" style="color:${colour}"></i>${name}</li>`,
        )}
      </ul>`;
