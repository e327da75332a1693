/** Figures as text. Each takes a figure that may not have been measured. */
import { bytes as exactBytes, significant } from '../report/numbers.ts';
import { listed, Said } from './prose.ts';

type Figure = number | undefined;

const said = (figure: Figure, format: (value: number) => string): Said | undefined =>
  figure === undefined || !Number.isFinite(figure) ? undefined : new Said(format(figure));

/** Megabytes a second as text: `506 MB/s`, `1.28 GB/s`. */
export const speedText = (figure: Figure): Said | undefined =>
  said(figure, (value) => (value < 999.5 ? `${significant(value)} MB/s` : `${significant(value / 1000)} GB/s`));

/** The same without its unit, for columns. */
export const megabytes = (figure: Figure): Said | undefined => said(figure, significant);

/** A ratio: `2.54`. */
export const ratioText = (figure: Figure): Said | undefined => said(figure, (value) => value.toFixed(2));

/** `2.5 times`. */
export const timesText = (figure: Figure): Said | undefined =>
  said(figure, (value) => `${value >= 9.95 ? value.toFixed(0) : value.toFixed(1)} times`);

/** `12 %`, which is not broken into two lines. */
export const percentText = (figure: Figure): Said | undefined =>
  said(figure, (value) => `${(100 * value).toFixed(0).replace(/^-0$/, '0').replace('-', '−')}\u00a0%`);

/** `1.94 cycles a byte`. */
export const cyclesText = (figure: Figure): Said | undefined =>
  said(figure, (value) => `${significant(value)} cycles a byte`);

/** Cycles, nanoseconds and the like in columns. */
export const plain = (figure: Figure): Said | undefined => said(figure, significant);

/** A whole number: `65,536`. */
export const countText = (figure: Figure): Said | undefined =>
  said(figure, (value) => value.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ','));

/** `64 bytes`, `16 KiB`. */
export const bytesText = (figure: Figure): Said | undefined =>
  said(figure, (value) => (value < 1024 ? `${value} ${value === 1 ? 'byte' : 'bytes'}` : exactBytes(value)));

/** The least and the most of some figures: `2.4 to 3.1 times`, or one of them if they read the same. */
export function rangeText(
  figures: readonly Figure[],
  format: (figure: Figure) => Said | undefined = ratioText,
): Said | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  if (known.length === 0) return undefined;
  const [least, most] = [Math.min(...known), Math.max(...known)].map((figure) => format(figure)!.text);
  if (least === most) return new Said(most);
  // A unit that both have is written once.
  const unit = /\s[^\d]*$/.exec(most)?.[0] ?? '';
  return new Said(`${unit !== '' && least.endsWith(unit) ? least.slice(0, -unit.length) : least} to ${most}`);
}

/** Engines with their versions: `Chromium 156.0, Bun 1.4 and Deno 2.9`. */
export const listedEngines = (engines: readonly { readonly name: string }[]): Said | undefined =>
  listed(engines.map(({ name }) => new Said(name)));

/** A range that was published. */
export const quotedRange = ([least, most]: readonly [number, number]): Said =>
  new Said(`${least.toFixed(2)} to ${most.toFixed(2)}`);
