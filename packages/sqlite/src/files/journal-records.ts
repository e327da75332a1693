/**
 * Which bytes of a rollback journal SQLite counted after it had flushed them (sqlite.org/fileformat2.html §3): these are whole after any
 * crash, so an unreadable block among them was changed.
 */

export const JOURNAL_MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
/** The number of records while it isn't known. */
const UNKNOWN = 0xff_ff_ff_ff;

export class JournalRecords {
  #from = 0;
  #to = 0;

  /** Whether a byte is in the segment whose header was read last. */
  has(at: number): boolean {
    return at >= this.#from && at < this.#to;
  }

  /** Told of bytes that SQLite reads: `block` begins at `start`, and SQLite reads `from` to `to` in it. Returns whether that is a header. */
  see(block: Uint8Array, start: number, from: number, to: number): boolean {
    // A header begins at a sector, and SQLite reads its magic bytes alone.
    if (to - from !== JOURNAL_MAGIC.length || !JOURNAL_MAGIC.every((byte, i) => block[from + i] === byte)) return false;
    const view = new DataView(block.buffer, block.byteOffset + from);
    const count = view.getUint32(8);
    const sector = view.getUint32(20);
    const record = view.getUint32(24) + 8;
    this.#from = start + from;
    this.#to = this.#from + (count === UNKNOWN ? 0 : sector + count * record);
    return true;
  }
}
