/** The first page of a database without tables (sqlite.org/fileformat2.html §1.3, §1.6). */

const HEADER = new TextEncoder().encode('SQLite format 3\0');
const PAGE_SIZE_AT = 16;
/** Where the header tells how many bytes are reserved at the end of each page. */
export const RESERVED_AT = 20;

/**
 * SQLite takes the page size and the reserved bytes of a new database from this page: there is no call of wa-sqlite for the
 * latter.
 */
export function emptyDatabase(pageSize: number, reserved: number): Uint8Array {
  const page = new Uint8Array(pageSize);
  const view = new DataView(page.buffer);
  page.set(HEADER);
  // 65,536 is written as 1.
  view.setUint16(PAGE_SIZE_AT, pageSize === 65_536 ? 1 : pageSize);
  // Versions of the format for writing and reading: with a rollback journal.
  page[18] = 1;
  page[19] = 1;
  page[RESERVED_AT] = reserved;
  // Fractions of a page's payload, which are constants.
  page.set([64, 32, 32], 21);
  // The counter of changes, and the pages of the database; the number from which the latter is valid.
  view.setUint32(24, 1);
  view.setUint32(28, 1);
  view.setUint32(92, 1);
  // Schema format 4, UTF-8.
  view.setUint32(44, 4);
  view.setUint32(56, 1);
  // A leaf of the table of the schema: no free block, no cell, content from the end of the usable bytes on.
  page[100] = 0x0d;
  view.setUint16(105, pageSize - reserved === 65_536 ? 0 : pageSize - reserved);
  return page;
}

/** The size of pages that a first page tells. */
export function pageSizeIn(page: Uint8Array): number {
  const size = (page[PAGE_SIZE_AT] << 8) | page[PAGE_SIZE_AT + 1];
  return size === 1 ? 65_536 : size;
}
