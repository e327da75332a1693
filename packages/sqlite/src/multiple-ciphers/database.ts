/** A database as SQLite3MultipleCiphers' cipher `chacha20` encrypts it: its pages, and nothing else. */
import { pbkdf2Sync, sha256 } from 'lanewise/sha2.js';
import { randomBytes } from 'lanewise/utils.js';
import { IOERR_DATA, IOERR_WRITE, NOTADB, SQLiteFailure } from '../codes.ts';
import { emptyDatabase, pageSizeIn, RESERVED_AT } from '../files/database-header.ts';
import { partsOf, type EncryptedFile } from '../files/encrypted-file.ts';
import type { RawFile } from '../files/raw-file.ts';
import type { UserKey } from '../keys/user-key.ts';
import type { Settings } from '../options.ts';
import type { Steps } from '../steps.ts';
import { PageCipher, READABLE_BYTES, RESERVED_BYTES, SALT_BYTES } from './pages.ts';

/** The header of a database (sqlite.org/fileformat2.html §1.3). */
const GLANCE_BYTES = 100;

/** The iterations of PBKDF2 that SQLite3MultipleCiphers makes for its cipher chacha20. */
const ITERATIONS = 64_007;

/** The key of a database: 32 bytes are the key itself. */
const keyOf = (user: UserKey, salt: Uint8Array): Uint8Array<ArrayBuffer> =>
  user.kind === 'passphrase'
    ? user.derived(salt, undefined, () => pbkdf2Sync(sha256, user.raw, salt, { c: ITERATIONS, dkLen: 32 }))
    : user.raw;

export class MultipleCiphersDatabase implements EncryptedFile {
  readonly isWaiting = false;
  readonly #raw: RawFile;
  readonly #user: UserKey;
  /** Of a new database. */
  readonly #pageSize: number;
  #cipher: PageCipher | undefined;
  /** Whether the file has the salt. */
  #isStored = false;
  #stored = new Uint8Array(0);
  #page = new Uint8Array(0);

  /** Whether a new database tells SQLite its page size and reserved bytes. */
  readonly #tells: boolean;

  constructor(raw: RawFile, user: UserKey, { pageSize, isCopy }: Pick<Settings, 'pageSize' | 'isCopy'>) {
    this.#raw = raw;
    this.#user = user;
    this.#pageSize = pageSize;
    this.#tells = !isCopy;
  }

  /** The cipher of the pages; undefined while there are none. */
  *cipher(): Steps<PageCipher | undefined> {
    if (this.#cipher || (yield* this.#raw.size()) === 0) return this.#cipher;
    const head = new Uint8Array(READABLE_BYTES);
    yield* this.#raw.read(head, 0);
    const pageSize = pageSizeIn(head);
    if (pageSize < 512 || (pageSize & (pageSize - 1)) !== 0 || head[RESERVED_AT] < RESERVED_BYTES)
      throw new SQLiteFailure(
        NOTADB,
        'this file is no database that SQLite3MultipleCiphers encrypted by chacha20, without "legacy" and readable headers',
      );
    this.#isStored = true;
    return this.#use(head.slice(0, SALT_BYTES), pageSize);
  }

  #use(salt: Uint8Array, pageSize: number): PageCipher {
    this.#stored = new Uint8Array(pageSize);
    this.#page = new Uint8Array(pageSize);
    return (this.#cipher = new PageCipher(keyOf(this.#user, salt), salt, pageSize));
  }

  /** Whether the key is known to be the right one; the first page tells if nothing did before. */
  *prove(): Steps<boolean> {
    const cipher = yield* this.cipher();
    if (!cipher || cipher.isProven) return true;
    return (yield* this.#raw.read(this.#stored, 0)) && cipher.open(this.#stored, 1, this.#page);
  }

  size(): Steps<number> {
    return this.#raw.size();
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    const cipher = yield* this.cipher();
    // SQLite takes the page size and the reserved bytes from the header before it looks for a journal: these are readable.
    if (at === 0 && into.length === GLANCE_BYTES) {
      if (cipher) return yield* this.#raw.read(into, 0);
      into.fill(0);
      if (!this.#tells) return false;
      into.set(emptyDatabase(this.#pageSize, RESERVED_BYTES));
      return true;
    }
    if (cipher)
      for (const part of partsOf(at, into.length, cipher.pageSize)) {
        if (!(yield* this.#decrypt(cipher, part.index))) {
          into.fill(0, part.at);
          return false;
        }
        into.set(this.#page.subarray(part.from, part.to), part.at);
      }
    else into.fill(0);
    return cipher !== undefined;
  }

  /** Decrypts a page into `#page`; false if the file ends before the page does. */
  *#decrypt(cipher: PageCipher, index: number): Steps<boolean> {
    if (!(yield* this.#raw.read(this.#stored, index * cipher.pageSize))) return false;
    if (cipher.open(this.#stored, index + 1, this.#page)) return true;
    throw cipher.isProven
      ? new SQLiteFailure(
          IOERR_DATA,
          `page ${index + 1} isn't authentic: it was changed, moved, or is of another database`,
        )
      : new SQLiteFailure(NOTADB, `wrong key, or page ${index + 1} of the database was changed`);
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const cipher =
      (yield* this.cipher()) ?? this.#use(randomBytes(SALT_BYTES), this.#tells ? this.#pageSize : bytes.length);
    const { pageSize } = cipher;
    const isOther = at === 0 && !(bytes[RESERVED_AT] >= RESERVED_BYTES && pageSizeIn(bytes) === pageSize);
    if (at % pageSize !== 0 || bytes.length !== pageSize || isOther)
      throw new SQLiteFailure(
        IOERR_WRITE,
        `the pages of this database have ${pageSize} bytes, ${RESERVED_BYTES} of them reserved; use VACUUM INTO to make one with others`,
      );
    cipher.seal(bytes, at / pageSize + 1, this.#stored);
    yield* this.#raw.write(this.#stored, at);
    this.#isStored ||= at === 0;
  }

  truncate(size: number): Steps<void> {
    this.#isStored &&= size > 0;
    return this.#raw.truncate(size);
  }

  *flush(): Steps<void> {
    // All bytes are with the VFS.
  }

  sync(flags: number): Steps<void> {
    return this.#raw.sync(flags);
  }

  release(): void {
    // Another connection may begin the database, with a salt of its own.
    if (this.#isStored) return;
    this.#cipher?.destroy();
    this.#cipher = undefined;
  }

  destroy(): void {
    this.#cipher?.destroy();
    this.#page.fill(0);
  }
}
