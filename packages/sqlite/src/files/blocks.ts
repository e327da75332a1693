/**
 * A file of any bytes, authenticated block by block: journals, write-ahead logs and temporary files.
 *
 *     offset  bytes
 *          0     16  "lanewise-blocks\n"
 *         16     16  identity of these contents, random: new for each journal, so that no block of an older one fits
 *         32     32  zeros
 *         64         blocks: 4096 bytes (the last one fewer), then a nonce of 24 and a tag of 16
 */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { randomBytes } from 'lanewise/utils.js';
import { IOERR_DATA, SQLiteFailure } from '../codes.ts';
import type { Steps } from '../steps.ts';
import { partsOf, type EncryptedFile } from './encrypted-file.ts';
import { JournalRecords } from './journal-records.ts';
import type { RawFile } from './raw-file.ts';

const MAGIC = new TextEncoder().encode('lanewise-blocks\n');
const HEAD_BYTES = 64;
export const BLOCK_BYTES = 4096;
const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const SPARE_BYTES = NONCE_BYTES + TAG_BYTES;
const STORED_BYTES = BLOCK_BYTES + SPARE_BYTES;

/** What the blocks are of: it is in their additional data. */
export type Contents = 'journal' | 'wal' | 'super-journal' | 'temporary';
const KINDS: Readonly<Record<Contents, number>> = { journal: 1, wal: 2, 'super-journal': 3, temporary: 4 };

/** SQLite changes the start of a journal by this many bytes when the records after it are counted. */
const COUNTED_BYTES = 12;

export class Blocks implements EncryptedFile {
  readonly #raw: RawFile;
  readonly #key: Uint8Array;
  readonly #contents: Contents;
  readonly #records: JournalRecords | undefined;
  /** Identity, kind, number of the block. */
  readonly #additional = new Uint8Array(25);
  #hasIdentity = false;
  /** The last block that was written, decrypted, and its length: appending doesn't read it again. */
  readonly #last = new Uint8Array(BLOCK_BYTES);
  #lastIndex = -1;
  #lastLength = 0;
  readonly #stored = new Uint8Array(STORED_BYTES);

  /** @param key - 32 bytes; copied. */
  constructor(raw: RawFile, key: Uint8Array, contents: Contents) {
    this.#raw = raw;
    this.#key = Uint8Array.from(key);
    this.#contents = contents;
    this.#additional[16] = KINDS[contents];
    this.#records = contents === 'journal' ? new JournalRecords() : undefined;
  }

  *size(): Steps<number> {
    const bytes = (yield* this.#raw.size()) - HEAD_BYTES;
    if (bytes <= 0) return 0;
    const rest = bytes % STORED_BYTES;
    return Math.floor(bytes / STORED_BYTES) * BLOCK_BYTES + Math.max(0, rest - SPARE_BYTES);
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    this.#lastIndex = -1;
    this.#hasIdentity = false;
    const size = yield* this.size();
    const length = Math.max(0, Math.min(size - at, into.length));
    for (const { index, from, to, at: place } of partsOf(at, length, BLOCK_BYTES)) {
      const isAuthentic = yield* this.#load(index, size);
      // After a crash what was not flushed may be torn, and SQLite stops there by itself; it counted what was flushed.
      if (!isAuthentic) {
        if (!this.#records || this.#records.has(at + place))
          if (this.#contents !== 'wal')
            throw new SQLiteFailure(IOERR_DATA, `block ${index} of the ${this.#contents} isn't authentic: it was changed or moved`);
        this.#last.fill(0);
      }
      into.set(this.#last.subarray(from, to), place);
      if (isAuthentic && this.#records) this.#records.see(this.#last, index * BLOCK_BYTES, from, to);
    }
    this.#lastIndex = -1;
    into.fill(0, length);
    return length === into.length;
  }

  /** Decrypts a block into `#last`; false if it isn't authentic. */
  *#load(index: number, size: number): Steps<boolean> {
    if (!(yield* this.#readIdentity())) return false;
    const length = Math.min(BLOCK_BYTES, size - index * BLOCK_BYTES);
    const stored = this.#stored.subarray(0, length + SPARE_BYTES);
    yield* this.#raw.read(stored, HEAD_BYTES + index * STORED_BYTES);
    this.#lastIndex = -1;
    try {
      const sealed = stored.subarray(0, length + TAG_BYTES);
      this.#aead(index, stored.subarray(length + TAG_BYTES)).decrypt(sealed, this.#last.subarray(0, length));
    } catch {
      return false;
    }
    this.#lastIndex = index;
    this.#lastLength = length;
    return true;
  }

  #aead(index: number, nonce: Uint8Array) {
    new DataView(this.#additional.buffer).setBigUint64(17, BigInt(index), true);
    return xchacha20poly1305(this.#key, nonce, this.#additional);
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const isFirst = at === 0 && bytes.length !== COUNTED_BYTES;
    if (isFirst && this.#records) yield* this.#begin();
    else if (isFirst && this.#contents === 'wal') yield* this.#begin();
    else if (!this.#hasIdentity && !(yield* this.#readIdentity())) yield* this.#begin();
    // Bytes that were left out are zeros.
    for (let size = yield* this.size(); size < at; size = yield* this.size()) {
      const zeros = new Uint8Array(Math.min(at - size, BLOCK_BYTES - (size % BLOCK_BYTES)));
      yield* this.#put(zeros, size);
    }
    yield* this.#put(bytes, at);
  }

  *#put(bytes: Uint8Array, at: number): Steps<void> {
    for (const { index, from, to, at: place } of partsOf(at, bytes.length, BLOCK_BYTES)) {
      if (index !== this.#lastIndex) {
        const size = yield* this.size();
        const isNew = index * BLOCK_BYTES >= size || (from === 0 && to >= Math.min(BLOCK_BYTES, size - index * BLOCK_BYTES));
        if (isNew || !(yield* this.#load(index, size))) {
          this.#last.fill(0);
          this.#lastLength = 0;
        }
        this.#lastIndex = index;
      }
      this.#last.set(bytes.subarray(place, place + to - from), from);
      this.#lastLength = Math.max(this.#lastLength, to);
      yield* this.#store(index);
    }
  }

  *#store(index: number): Steps<void> {
    const length = this.#lastLength;
    const nonce = this.#stored.subarray(length + TAG_BYTES, length + SPARE_BYTES);
    nonce.set(randomBytes(NONCE_BYTES));
    this.#aead(index, nonce).encrypt(this.#last.subarray(0, length), this.#stored.subarray(0, length + TAG_BYTES));
    yield* this.#raw.write(this.#stored.subarray(0, length + SPARE_BYTES), HEAD_BYTES + index * STORED_BYTES);
  }

  /** Begins new contents: what the file held before becomes unreadable. */
  *#begin(): Steps<void> {
    const head = new Uint8Array(HEAD_BYTES);
    head.set(MAGIC);
    head.set(randomBytes(16), 16);
    yield* this.#raw.write(head, 0);
    this.#additional.set(head.subarray(16, 32));
    this.#hasIdentity = true;
    this.#lastIndex = -1;
  }

  *#readIdentity(): Steps<boolean> {
    const head = new Uint8Array(HEAD_BYTES);
    if (!(yield* this.#raw.read(head, 0)) || !MAGIC.every((byte, i) => head[i] === byte)) return false;
    this.#additional.set(head.subarray(16, 32));
    return (this.#hasIdentity = true);
  }

  *truncate(size: number): Steps<void> {
    const now = yield* this.size();
    if (size >= now) return;
    const index = Math.floor(size / BLOCK_BYTES);
    const rest = size % BLOCK_BYTES;
    if (rest > 0) {
      if (!(yield* this.#load(index, now)))
        throw new SQLiteFailure(IOERR_DATA, `block ${index} of the ${this.#contents} isn't authentic: it can't be shortened`);
      this.#lastLength = rest;
      yield* this.#store(index);
    }
    yield* this.#raw.truncate(size === 0 ? 0 : HEAD_BYTES + index * STORED_BYTES + (rest > 0 ? rest + SPARE_BYTES : 0));
    this.#lastIndex = -1;
    if (size === 0) this.#hasIdentity = false;
  }

  *sync(): Steps<void> {
    // All bytes are with the VFS.
  }

  destroy(): void {
    this.#key.fill(0);
    this.#last.fill(0);
    this.#lastIndex = -1;
  }
}
