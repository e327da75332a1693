/** Shared by all charts: Observable Plot draws it into a document of jsdom, and it becomes a part of a page or of a picture. */
import * as Plot from '@observablehq/plot';
import { JSDOM } from 'jsdom';

export { Plot };

const { document, XMLSerializer } = new JSDOM('').window;
const serializer = new XMLSerializer();

/** A drawing as a part of a page or of a picture, whose name and description are said there. */
export function plotted(options: Plot.PlotOptions, attributes: Readonly<Record<string, string>>): string {
  const element = Plot.plot({ ...options, document });
  // Plot names groups within, which have no roles.
  for (const part of element.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return serializer.serializeToString(element);
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
