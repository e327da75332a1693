/** Formats of numbers in reports. */
import { significant } from './text-table.ts';
import type { Estimate } from '../results/statistics.ts';

export { duration, megabytesPerSecond, significant, wrapped } from './text-table.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** Exact lengths: 1 MiB, but 1499 B. */
export function bytes(count: number): string {
  let [value, unit] = [count, 0];
  while (value >= 1024 && value % 1024 === 0 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value} ${UNITS[unit]}`;
}

/** Lengths at ticks: `64`, `16K`, `1M`. */
export const shortBytes = (count: number): string =>
  bytes(count).replace(' KiB', 'K').replace(' MiB', 'M').replace(' GiB', 'G').replace(' B', '');

export const times = (ratio: number): string => `${significant(ratio)}×`;

export const withInterval = ({ value, low, high }: Estimate): string =>
  `${times(value)} (${significant(low)}–${significant(high)})`;

/** Large counts with a narrow space between thousands. */
export const grouped = (count: number): string => count.toString().replaceAll(/\B(?=(\d{3})+$)/g, '\u202f');
