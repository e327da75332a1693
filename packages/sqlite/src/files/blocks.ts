/**
 * A file of any bytes, authenticated block by block: journals, write-ahead logs and temporary files.
 *
 *     offset  bytes
 *          0     16  "lanewise-blocks\n"
 *         16     16  identity of these contents, random: new for each journal, so that no block of an older one fits
 *         32     32  zeros
 *         64         blocks: a head of 48 bytes, then up to 4096 encrypted ones
 *
 * The head of a block: nonce (24), tag (16), number of bytes (2, little-endian), zeros. A block that was flushed isn't written again when
 * SQLite goes on at the next one, so a power cut can't tear it; the bytes that it lacks are zeros.
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
const LENGTH_AT = NONCE_BYTES + TAG_BYTES;
const SPARE_BYTES = 48;
const STORED_BYTES = SPARE_BYTES + BLOCK_BYTES;

/** The kind of file: it is in the additional data of its blocks. */
export type Contents = 'journal' | 'wal' | 'super-journal' | 'temporary';
const KINDS: Readonly<Record<Contents, number>> = { journal: 1, wal: 2, 'super-journal': 3, temporary: 4 };

/** Contents that begin anew when SQLite writes their start. */
const REPLACED: readonly Contents[] = ['journal', 'wal'];
/** SQLite changes the start of a journal by this many bytes when the records after it are counted. */
const COUNTED_BYTES = 12;

export class Blocks implements EncryptedFile {
  readonly #raw: RawFile;
  readonly #key: Uint8Array;
  readonly #contents: Contents;
  readonly #records: JournalRecords | undefined;
  /** Identity, kind, number of the block, its length. */
  readonly #additional = new Uint8Array(27);
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
      const isAuthentic = yield* this.#load(index);
      // After a crash, bytes that weren't flushed may be torn, and SQLite stops there by itself; it has counted those that were.
      if (!isAuthentic) {
        if (this.#records ? this.#records.has(at + place) : this.#contents !== 'wal')
          throw new SQLiteFailure(
            IOERR_DATA,
            `block ${index} of the ${this.#contents} isn't authentic: it was changed or moved`,
          );
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
  *#load(index: number): Steps<boolean> {
    this.#lastIndex = -1;
    if (!(yield* this.#readIdentity())) return false;
    yield* this.#raw.read(this.#stored, HEAD_BYTES + index * STORED_BYTES);
    const length = this.#stored[LENGTH_AT] | (this.#stored[LENGTH_AT + 1] << 8);
    if (length > BLOCK_BYTES) return false;
    const sealed = new Uint8Array(length + TAG_BYTES);
    sealed.set(this.#stored.subarray(SPARE_BYTES, SPARE_BYTES + length));
    sealed.set(this.#stored.subarray(NONCE_BYTES, LENGTH_AT), length);
    try {
      this.#aead(index, length).decrypt(sealed, this.#last.subarray(0, length));
    } catch {
      return false;
    }
    this.#last.fill(0, length);
    this.#lastIndex = index;
    this.#lastLength = length;
    return true;
  }

  /** The cipher of a block, under the nonce that `#stored` begins with. */
  #aead(index: number, length: number) {
    const view = new DataView(this.#additional.buffer);
    view.setBigUint64(17, BigInt(index), true);
    view.setUint16(25, length, true);
    return xchacha20poly1305(this.#key, this.#stored.subarray(0, NONCE_BYTES), this.#additional);
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const isFirst = at === 0 && bytes.length !== COUNTED_BYTES && REPLACED.includes(this.#contents);
    if (isFirst || !(this.#hasIdentity || (yield* this.#readIdentity()))) yield* this.#begin();
    // Whole blocks that were left out are zeros.
    const end = Math.ceil((yield* this.size()) / BLOCK_BYTES);
    for (let index = end; index < Math.floor(at / BLOCK_BYTES); index++) {
      this.#last.fill(0);
      this.#lastLength = BLOCK_BYTES;
      yield* this.#store(index);
    }
    for (const { index, from, to, at: place } of partsOf(at, bytes.length, BLOCK_BYTES)) {
      const isWhole = to - from === BLOCK_BYTES;
      if (index !== this.#lastIndex && (isWhole || index >= end || !(yield* this.#load(index)))) {
        this.#last.fill(0);
        this.#lastLength = 0;
      }
      this.#last.set(bytes.subarray(place, place + to - from), from);
      this.#lastLength = Math.max(this.#lastLength, to);
      yield* this.#store(index);
    }
  }

  /** Encrypts and writes `#last`. */
  *#store(index: number): Steps<void> {
    const length = this.#lastLength;
    this.#lastIndex = index;
    const stored = this.#stored.subarray(0, SPARE_BYTES + length);
    stored.set(randomBytes(NONCE_BYTES));
    stored[LENGTH_AT] = length & 0xff;
    stored[LENGTH_AT + 1] = length >> 8;
    const sealed = this.#aead(index, length).encrypt(this.#last.subarray(0, length));
    stored.set(sealed.subarray(length), NONCE_BYTES);
    stored.set(sealed.subarray(0, length), SPARE_BYTES);
    yield* this.#raw.write(stored, HEAD_BYTES + index * STORED_BYTES);
  }

  /** Begins new contents: the blocks before become unreadable. */
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
      if (!(yield* this.#load(index)))
        throw new SQLiteFailure(
          IOERR_DATA,
          `block ${index} of the ${this.#contents} isn't authentic: it can't be shortened`,
        );
      this.#lastLength = rest;
      this.#last.fill(0, rest);
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
