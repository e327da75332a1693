/**
 * A journal or a write-ahead log as SQLite3MultipleCiphers has it: as SQLite writes it, with each page encrypted as in the database. So each
 * of both programs can play back those that the other has left.
 */
import { IOERR_DATA, SQLiteFailure } from '../codes.ts';
import type { EncryptedFile } from '../files/encrypted-file.ts';
import type { RawFile } from '../files/raw-file.ts';
import { unproven } from '../files/unproven.ts';
import type { Steps } from '../steps.ts';
import type { PageCipher } from './pages.ts';

/** The database that a log belongs to. */
export interface Database {
  cipher(): Steps<PageCipher>;
  /** Whether the key is known to be the right one, or the database isn't open, whose pages aren't asked for then. */
  prove(): Steps<boolean>;
}

export const numberIn = (bytes: Uint8Array): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);

export abstract class Log implements EncryptedFile {
  readonly isWaiting = false;
  protected readonly raw: RawFile;
  protected readonly database: Database;
  #stored = new Uint8Array(0);

  constructor(raw: RawFile, database: Database) {
    this.raw = raw;
    this.database = database;
  }

  abstract read(into: Uint8Array, at: number): Steps<boolean>;
  abstract write(bytes: Uint8Array, at: number): Steps<void>;

  /** A page at a place; `undefined` if it isn't whole, and zeros if it isn't authentic: SQLite's checksums take that for the end. */
  protected *page(cipher: PageCipher, at: number, number: number): Steps<Uint8Array | undefined> {
    const page = this.buffer(cipher);
    if (!(yield* this.raw.read(page, at))) return undefined;
    if (number > 0 && cipher.open(page, number, page)) return page;
    // Otherwise a wrong key would look like a log without records, which SQLite removes.
    if (!(yield* this.database.prove())) throw unproven();
    if (this.isCounted(at))
      throw new SQLiteFailure(IOERR_DATA, `page ${number} in the journal isn't authentic: it was changed or moved`);
    return page.fill(0);
  }

  protected isCounted(_at: number): boolean {
    return false;
  }

  protected *store(cipher: PageCipher, page: Uint8Array, at: number, number: number): Steps<void> {
    const stored = this.buffer(cipher);
    cipher.seal(page, number, stored);
    yield* this.raw.write(stored, at);
  }

  /** Space for a page. */
  protected buffer({ pageSize }: PageCipher): Uint8Array {
    if (this.#stored.length !== pageSize) this.#stored = new Uint8Array(pageSize);
    return this.#stored;
  }

  /** The page number that stands at a place. */
  protected *numberAt(at: number): Steps<number> {
    const bytes = new Uint8Array(4);
    yield* this.raw.read(bytes, at);
    return numberIn(bytes);
  }

  size(): Steps<number> {
    return this.raw.size();
  }

  truncate(size: number): Steps<void> {
    return this.raw.truncate(size);
  }

  *flush(): Steps<void> {
    // All bytes are with the VFS.
  }

  sync(flags: number): Steps<void> {
    return this.raw.sync(flags);
  }

  release(): void {
    // Nothing is known of the file that another connection changes.
  }

  destroy(): void {
    this.#stored.fill(0);
  }
}
