/** Sizes and counts of pages, checked. */
import { typeOf } from '../calls/checks.ts';
import { floor } from '../engine/intrinsics.ts';

/** An integer from `least` up. */
export function sizeOf(value: unknown, name: string, least: number): number {
  if (typeof value !== 'number') throw new TypeError(`"${name}" expected integer, got ${typeOf(value)}`);
  if (!(value >= least && value < 2 ** 53) || floor(value) !== value)
    throw new RangeError(`"${name}" expected integer from ${least} up, got ${value}`);
  return value;
}

/** The number of whole pages in so many bytes. */
export function countPages(length: number, pageSize: number): number {
  if (length % pageSize)
    throw new RangeError(`"buffer" expected whole pages of ${pageSize} bytes, got length=${length}`);
  return length / pageSize;
}
