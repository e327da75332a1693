/**
 * A database whose pages are authenticated: a header, then pages of SQLite's size. In each page the 40 bytes that SQLite reserves hold a
 * nonce and a tag, and the page's number is additional data.
 */
import { IOERR_DATA, IOERR_WRITE, SQLiteFailure } from '../codes.ts';
import { COPIES, HEADER_BYTES, openHeader, recordOf, type Header } from '../keys/header.ts';
import type { UserKey } from '../keys/user-key.ts';
import type { Steps } from '../steps.ts';
import { emptyDatabase, pageSizeIn, RESERVED_AT } from './database-header.ts';
import { partsOf, type EncryptedFile } from './encrypted-file.ts';
import { KnownPage } from './known-page.ts';
import { leaveMemory, takeMemory } from './memory.ts';
import { PageSealer, RESERVED_BYTES } from './page-sealer.ts';
import type { RawFile } from './raw-file.ts';

/** The header of a database (sqlite.org/fileformat2.html §1.3). */
const GLANCE_BYTES = 100;

export class DatabasePages implements EncryptedFile {
  readonly isWaiting = false;
  readonly #raw: RawFile;
  #user: UserKey;
  #header!: Header;
  #cipher!: PageSealer;
  /** Of the pages below, until the file is closed. */
  #memory: Uint8Array<ArrayBuffer> | undefined;
  /** A page as SQLite sees it. */
  #page!: Uint8Array<ArrayBuffer>;
  /** SQLite looks into the first page before each transaction, and three times when it opens a database. */
  #first!: KnownPage;
  /** At least this many bytes are in the file while this connection has its lock: SQLite tells no one of its pages otherwise. */
  #known = 0;
  /** Whether the medium has the header. */
  #isWritten: boolean;
  /** Whether pages were written that the header doesn't tell of yet. */
  #isDirty = false;

  /** Whether a new database tells SQLite its page size and reserved bytes. */
  readonly #tells: boolean;

  /**
   * @param isNew - Whether the file is empty: it gets this header before its first page.
   * @param tells - Whether an empty database tells SQLite its page size and reserved bytes.
   */
  constructor(raw: RawFile, user: UserKey, header: Header, isNew: boolean, tells = true) {
    this.#tells = tells;
    this.#raw = raw;
    this.#user = user;
    this.#isWritten = !isNew;
    this.#use(header);
  }

  get header(): Header {
    return this.#header;
  }

  *size(): Steps<number> {
    const bytes = yield* this.#raw.size();
    // Another connection may have made the database in the meantime, or the file system may have taken back all of a transaction.
    if (!this.#isWritten && bytes > 0) yield* this.#adopt();
    else if (bytes === 0 && !this.#header.isFilled) this.#isWritten = false;
    const { pageSize, isFilled } = this.#header;
    const pages = Math.floor((bytes - HEADER_BYTES) / pageSize);
    if (pages > 0) return (this.#known = pages * pageSize);
    if (isFilled) throw new SQLiteFailure(IOERR_DATA, 'the database was cut off: its pages are missing');
    return (this.#known = 0);
  }

  /** Takes over the header that stands in the file. */
  *#adopt(): Steps<void> {
    const header = new Uint8Array(HEADER_BYTES);
    yield* this.#raw.read(header, 0);
    const found = openHeader(header, this.#user);
    this.#header.key.fill(0);
    this.#replace(found);
    this.#isWritten = true;
  }

  #replace(header: Header): void {
    this.#leave();
    this.#use(header);
  }

  #use(header: Header): void {
    const { key, pageSize } = header;
    this.#header = header;
    const memory = (this.#memory = takeMemory(4 * pageSize));
    this.#cipher = new PageSealer(key, memory.subarray(0, pageSize));
    this.#page = memory.subarray(pageSize, 2 * pageSize);
    this.#first = new KnownPage(memory.subarray(2 * pageSize));
  }

  #leave(): void {
    this.#cipher.destroy();
    this.#first.destroy();
    if (this.#memory) leaveMemory(this.#memory);
    this.#memory = undefined;
  }

  *flush(): Steps<void> {
    // Pages don't wait.
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    const { pageSize } = this.#header;
    const from = at % pageSize;
    const isGlance = at === 0 && into.length === GLANCE_BYTES;
    if (this.#isWritten && from + into.length <= pageSize) {
      const page = into.length === pageSize ? into : this.#page;
      try {
        if (yield* this.#decrypt((at - from) / pageSize, page)) {
          if (page !== into) into.set(page.subarray(from, from + into.length));
          return true;
        }
      } catch (error) {
        if (!(isGlance && error instanceof SQLiteFailure && error.code === IOERR_DATA)) throw error;
        return this.#isNew(into);
      }
    }
    const size = yield* this.size();
    // Another connection may have made the database meanwhile.
    if (isGlance) return size > 0 ? yield* this.read(into, at) : this.#isNew(into);
    const length = Math.max(0, Math.min(size - at, into.length));
    for (const part of partsOf(at, length, this.#header.pageSize)) {
      yield* this.#decrypt(part.index, this.#page);
      into.set(this.#page.subarray(part.from, part.to), part.at);
    }
    into.fill(0, length);
    return length === into.length;
  }

  /**
   * SQLite reads the header of a database when it opens the file, before it looks for a journal: from there it has the page size and the
   * number of reserved bytes. A new database has no header yet, and a power cut may have torn the first page, which the journal mends.
   */
  #isNew(into: Uint8Array): boolean {
    into.set(emptyDatabase(this.#header.pageSize, RESERVED_BYTES));
    if (!this.#tells && !this.#isWritten) into.fill(0);
    return this.#tells || this.#isWritten;
  }

  /** Decrypts a page; false if the file ends before the page does. */
  *#decrypt(index: number, out: Uint8Array): Steps<boolean> {
    const { stored } = this.#cipher;
    if (!(yield* this.#raw.read(stored, HEADER_BYTES + index * this.#header.pageSize))) return false;
    if (index === 0 && this.#first.has(stored)) {
      out.set(this.#first.page);
      return true;
    }
    try {
      this.#cipher.open(index + 1, out);
      if (index === 0) this.#first.keep(stored, out);
    } catch {
      throw new SQLiteFailure(
        IOERR_DATA,
        `page ${index + 1} isn't authentic: it was changed, moved, or is of another database`,
      );
    }
    return true;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    if (!this.#isWritten || this.#known === 0 || at > this.#known) yield* this.size();
    if (!this.#isWritten && !this.#tells) this.#replace({ ...this.#header, pageSize: bytes.length });
    const { pageSize } = this.#header;
    if (at % pageSize !== 0 || bytes.length !== pageSize) throw this.#otherSize();
    // VACUUM may write pages of another size in parts of this one.
    if (at === 0 && !(bytes[RESERVED_AT] === RESERVED_BYTES && pageSizeIn(bytes) === pageSize)) throw this.#otherSize();
    if (!this.#isWritten) yield* this.#writeHeader();
    // Every page is authentic, also those that SQLite leaves out.
    for (let gap = this.#known; gap < at; gap += pageSize) {
      this.#page.fill(0);
      yield* this.#encrypt(this.#page, gap / pageSize);
    }
    yield* this.#encrypt(bytes, at / pageSize);
    this.#known = Math.max(this.#known, at + pageSize);
    this.#isDirty ||= !this.#header.isFilled;
  }

  /** Encrypts a page and writes it. */
  *#encrypt(page: Uint8Array, index: number): Steps<void> {
    this.#cipher.seal(page, index + 1);
    // Where it is read, the reserved bytes are zeros.
    if (index === 0) this.#first.keep(this.#cipher.stored, page.subarray(0, -RESERVED_BYTES));
    yield* this.#raw.write(this.#cipher.stored, HEADER_BYTES + index * this.#header.pageSize);
  }

  #otherSize(): SQLiteFailure {
    const { pageSize } = this.#header;
    return new SQLiteFailure(
      IOERR_WRITE,
      `the pages of this database have ${pageSize} bytes, ${RESERVED_BYTES} of them reserved; use VACUUM INTO to make one with others`,
    );
  }

  /** The header is on the medium before the first page: without it nothing can be read. */
  *#writeHeader(): Steps<void> {
    yield* this.#storeHeader(new Uint8Array(HEADER_BYTES), this.#header, this.#user, COPIES);
    this.#isWritten = true;
  }

  /** Replaces the copies of the header one after the other, so that one of them is whole at any moment. */
  *#replaceHeader(header: Header, user: UserKey): Steps<void> {
    const next = { ...header, number: header.number + 1 };
    const bytes = new Uint8Array(HEADER_BYTES);
    yield* this.#raw.read(bytes, 0);
    for (const at of COPIES) yield* this.#storeHeader(bytes, next, user, [at]);
    this.#header = next;
  }

  /** Writes copies of a header. All its bytes are written, as one page: some VFS find pages by their size. */
  *#storeHeader(bytes: Uint8Array, header: Header, user: UserKey, copies: readonly number[]): Steps<void> {
    for (const at of copies) bytes.set(recordOf(header, user), at);
    yield* this.#raw.write(bytes, 0);
    yield* this.#raw.sync();
  }

  /** From now on the database opens with another key. The pages stay as they are: the key that encrypts them is wrapped anew. */
  *rekey(user: UserKey): Steps<void> {
    yield* this.size();
    if (!this.#isWritten) yield* this.#writeHeader();
    yield* this.#replaceHeader({ ...this.#header, derivation: user.derivation() }, user);
    this.#user = user;
  }

  *truncate(size: number): Steps<void> {
    const now = yield* this.size();
    this.#known = 0;
    if (now > size) yield* this.#raw.truncate(HEADER_BYTES + size);
  }

  release(): void {
    this.#known = 0;
  }

  *sync(flags: number): Steps<void> {
    // The pages first: a header that tells of pages stands before some.
    yield* this.#raw.sync(flags);
    if (!this.#isDirty) return;
    yield* this.#replaceHeader({ ...this.#header, isFilled: true }, this.#user);
    this.#isDirty = false;
  }

  destroy(): void {
    this.#leave();
    this.#header.key.fill(0);
  }
}

/** Opens an existing database, or prepares a new one. */
export function* openPages(raw: RawFile, user: UserKey, create: () => Header, isCopy = false): Steps<DatabasePages> {
  const header = new Uint8Array(HEADER_BYTES);
  const isWhole = yield* raw.read(header, 0);
  const isEmpty = header.every((byte) => byte === 0) && !(isWhole && (yield* raw.size()) > HEADER_BYTES);
  if (isEmpty) return new DatabasePages(raw, user, create(), true, !isCopy);
  return new DatabasePages(raw, user, openHeader(header, user), false);
}
