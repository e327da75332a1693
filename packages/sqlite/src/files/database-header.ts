/** The header of a database (sqlite.org/fileformat2.html §1.3). */

const HEADER = new TextEncoder().encode('SQLite format 3\0');
const PAGE_SIZE_AT = 16;
/** Where the header tells how many bytes are reserved at the end of each page. */
export const RESERVED_AT = 20;

/** The header of a new database, from which SQLite takes the page size and the reserved bytes: wa-sqlite has no call for the latter. */
export function emptyDatabase(pageSize: number, reserved: number): Uint8Array {
  const page = new Uint8Array(100);
  const view = new DataView(page.buffer);
  page.set(HEADER);
  // 65,536 is written as 1.
  view.setUint16(PAGE_SIZE_AT, pageSize === 65_536 ? 1 : pageSize);
  // Versions of the format for writing and reading: with a rollback journal.
  page.fill(1, 18, 20);
  page[RESERVED_AT] = reserved;
  // Fractions of a page's payload, which are constants.
  page.set([64, 32, 32], 21);
  return page;
}

/** The size of pages that a first page tells. */
export function pageSizeIn(page: Uint8Array): number {
  const size = (page[PAGE_SIZE_AT] << 8) | page[PAGE_SIZE_AT + 1];
  return size === 1 ? 65_536 : size;
}
