/** The files beside a database, and which of their bytes may wait in memory. */

/** The kind of file: in the mode authenticated it is in the additional data of its blocks. */
export type Contents = 'journal' | 'wal' | 'super-journal' | 'temporary';

/** SQLite changes the start of a journal by this many bytes when the records after it are counted. */
export const COUNTED_BYTES = 12;

/** A frame of a write-ahead log begins with this many bytes, and a page follows them (sqlite.org/fileformat2.html §4.1). */
const FRAME_HEADER_BYTES = 24;

/**
 * Whether the last block may stay in memory after a write, since SQLite is about to go on in it: so a page of a journal, which comes in three
 * writes, is encrypted once. A VFS flushes it before it changes or flushes a database, so a process that is killed leaves a journal that is
 * whole, but for records of pages that SQLite changes only after it has flushed them. The start of a journal commits a transaction, and so does
 * the end of a frame in a log: these don't wait.
 *
 * @param lastEnd - The end of the write before.
 */
export function mayWait(contents: Contents, at: number, length: number, lastEnd: number): boolean {
  if (contents === 'temporary') return true;
  if (contents === 'journal') return at > 0;
  return contents === 'wal' && length === FRAME_HEADER_BYTES && at === lastEnd;
}
