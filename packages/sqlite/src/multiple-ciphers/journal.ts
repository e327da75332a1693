/** A rollback journal (sqlite.org/fileformat2.html §3): each record is a page's number, the page, a checksum of the plaintext. */
import { JournalRecords } from '../files/journal-records.ts';
import type { Steps } from '../steps.ts';
import { unproven } from '../files/unproven.ts';
import { Log, numberIn } from './log.ts';

/** The number that SQLite writes in the place of a page's before the name of a super-journal: that of the page with the bytes of locks. */
const lockPage = (pageSize: number): number => 2 ** 30 / pageSize + 1;
const MAGIC_BYTES = 8;
const HEADER_BYTES = 28;

export class Journal extends Log {
  readonly #records = new JournalRecords();
  #number = 0;
  #pageAt = -1;
  #checksumAt = -1;

  *read(into: Uint8Array, at: number): Steps<boolean> {
    if (into.length === MAGIC_BYTES) {
      const header = new Uint8Array(HEADER_BYTES);
      if ((yield* this.raw.read(header, at)) && this.#records.see(header, at, 0, MAGIC_BYTES))
        yield* this.#prove(header, at);
    }
    // Names and headers are shorter than the smallest page.
    if (into.length < 512 || at < 4) return yield* this.raw.read(into, at);
    const cipher = yield* this.database.cipher();
    const number = yield* this.numberAt(at - 4);
    if (into.length !== cipher.pageSize || number === lockPage(cipher.pageSize)) return yield* this.raw.read(into, at);
    const page = yield* this.page(cipher, at, number);
    if (page) into.set(page);
    else into.fill(0);
    return page !== undefined;
  }

  /**
   * SQLite cuts off a database as the header says before it reads a record, and removes a journal without records: the key has to be the
   * right one.
   */
  *#prove(header: Uint8Array, at: number): Steps<void> {
    if (yield* this.database.prove()) return;
    // A first page that is torn is in the journal.
    const record = at + new DataView(header.buffer).getUint32(20);
    if (!(yield* this.page(yield* this.database.cipher(), record + 4, yield* this.numberAt(record)))) throw unproven();
  }

  protected override isCounted(at: number): boolean {
    return this.#records.has(at);
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    if (bytes.length === 4 && at !== this.#checksumAt) {
      this.#number = numberIn(bytes);
      this.#pageAt = at + 4;
    } else if (at === this.#pageAt) {
      const cipher = yield* this.database.cipher();
      if (bytes.length === cipher.pageSize && this.#number !== lockPage(cipher.pageSize)) {
        this.#checksumAt = at + bytes.length;
        return yield* this.store(cipher, bytes, at, this.#number);
      }
    }
    yield* this.raw.write(bytes, at);
  }
}
