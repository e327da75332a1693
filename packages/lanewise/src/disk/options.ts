/** Sizes and counts of pages, checked. */
export { sizeOf } from '../calls/checks.ts';

/** The number of whole pages in so many bytes. */
export function countPages(length: number, pageSize: number, name = 'buffer'): number {
  if (length % pageSize)
    throw new RangeError(`"${name}" expected whole pages of ${pageSize} bytes, got length=${length}`);
  return length / pageSize;
}
