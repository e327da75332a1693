/**
 * A file of any bytes, authenticated block by block: journals, write-ahead logs and temporary files.
 *
 *     offset  bytes
 *          0     16  "lanewise-blocks\n"
 *         16     16  identity of these contents, random: new for each journal, so that no block of an older one fits
 *         32     32  zeros
 *         64         blocks: a head of 48 bytes, then up to 4096 encrypted ones, and zeros for the others
 *
 * The head of a block: nonce (24), tag (16), number of bytes (2, little-endian), how many blocks from the first on the medium had whole when
 * this one was written (4, little-endian), zeros. A block that was flushed isn't written again when SQLite goes on at the next one, so a
 * power cut can't tear it; the bytes that it lacks are zeros. Every write is that of a whole block: a VFS over IndexedDB keeps each as a record, which
 * doesn't grow. After a crash the last blocks may be torn, and SQLite stops there; but one
 * that the medium had when a later one was written was changed.
 */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { IOERR_DATA, SQLiteFailure } from '../codes.ts';
import type { Steps } from '../steps.ts';
import { COUNTED_BYTES, mayWait, type Contents } from './contents.ts';
import { partsOf, type EncryptedFile } from './encrypted-file.ts';
import { JournalRecords } from './journal-records.ts';
import { leaveMemory, takeMemory } from './memory.ts';
import { NONCE_BYTES, writeRandom } from './nonces.ts';
import type { RawFile } from './raw-file.ts';

const MAGIC = new TextEncoder().encode('lanewise-blocks\n');
const HEAD_BYTES = 64;
export const BLOCK_BYTES = 4096;
const TAG_BYTES = 16;
const LENGTH_AT = NONCE_BYTES + TAG_BYTES;
const SETTLED_AT = LENGTH_AT + 2;
const SPARE_BYTES = 48;
const STORED_BYTES = SPARE_BYTES + BLOCK_BYTES;

/** Identity, kind, number of the block, its length, how many blocks were settled. */
const ADDITIONAL_BYTES = 31;

/** A block decrypted, the first one, one as the medium has it, and the additional data. */
const MEMORY_BYTES = 2 * BLOCK_BYTES + STORED_BYTES + ADDITIONAL_BYTES;

/** The first two begin anew when SQLite writes their start. */
const KINDS: readonly (Contents | undefined)[] = [undefined, 'journal', 'wal', 'super-journal', 'temporary'];

export class Blocks implements EncryptedFile {
  readonly #raw: RawFile;
  readonly #key: Uint8Array;
  readonly #contents: Contents;
  readonly #records: JournalRecords | undefined;
  readonly #additional: Uint8Array;
  readonly #additionalView: DataView;
  #hasIdentity = false;
  /** The last block that was read or written, decrypted, and its length: the next read or write may be in it. */
  readonly #last: Uint8Array;
  #lastIndex = -1;
  #lastLength = 0;
  /** Whether the VFS doesn't have the last block yet. */
  #isHeld = false;
  /** The end of the write before. */
  #lastEnd = 0;
  /** Bytes in the file, if no other connection has changed it since. */
  #size: number | undefined;
  /** Where these contents end; the file may go on with those of an older journal. */
  #end = 0;
  /** So many blocks from the first are whole on the medium, and unchanged since. */
  #settled = 0;
  /**
   * Whether SQLite flushes this journal, and a block since the last flush tells of it. Records that come then are of pages that change after the
   * next flush, so they may wait.
   */
  #isTold = false;
  /** Whether this connection began the contents: then nothing in them is of a crash. */
  #isOurs = false;
  readonly #stored: Uint8Array;
  readonly #storedView: DataView;
  readonly #nonce: Uint8Array;
  readonly #tag: Uint8Array;
  readonly #ciphertext: Uint8Array;
  /**
   * The first block of a journal that this connection began, decrypted. SQLite begins it without its magic bytes, and comes back to count the
   * records when they are flushed.
   */
  readonly #first: Uint8Array;
  /** -1 if the first block is one like the others. */
  #firstLength = -1;
  /** Whether the VFS doesn't have the first block as it is here. */
  #isFirstHeld = false;
  /** Whether the VFS has some first block: it comes before the others, since a VFS may not know files with holes. */
  #hasFirst = false;
  /** What the arrays are views of, until the file is closed. */
  #memory: Uint8Array<ArrayBuffer> | undefined;

  /** @param key - 32 bytes; copied. */
  constructor(raw: RawFile, key: Uint8Array, contents: Contents) {
    this.#raw = raw;
    this.#key = new Uint8Array(key);
    this.#contents = contents;
    this.#records = contents === 'journal' ? new JournalRecords() : undefined;
    const memory = (this.#memory = takeMemory(MEMORY_BYTES));
    let end = 0;
    const next = (length: number): Uint8Array => memory.subarray(end, (end += length));
    this.#last = next(BLOCK_BYTES);
    this.#first = next(BLOCK_BYTES);
    this.#stored = next(STORED_BYTES);
    this.#additional = next(ADDITIONAL_BYTES);
    this.#additional[16] = KINDS.indexOf(contents);
    this.#additionalView = new DataView(memory.buffer, this.#additional.byteOffset);
    this.#storedView = new DataView(memory.buffer, this.#stored.byteOffset);
    this.#nonce = this.#stored.subarray(0, NONCE_BYTES);
    this.#tag = this.#stored.subarray(NONCE_BYTES, LENGTH_AT);
    this.#ciphertext = this.#stored.subarray(SPARE_BYTES);
  }

  get isWaiting(): boolean {
    return this.#isFirstHeld || (this.#isHeld && !this.#isTold && this.#contents !== 'temporary');
  }

  *size(): Steps<number> {
    if (this.#size !== undefined) return this.#size;
    const bytes = Math.max(0, (yield* this.#raw.size()) - HEAD_BYTES);
    const end = Math.floor(bytes / STORED_BYTES);
    const rest = bytes % STORED_BYTES;
    let last = Math.max(0, rest - SPARE_BYTES);
    if (end > 0 && rest === 0) {
      yield* this.#raw.read(this.#stored.subarray(0, SPARE_BYTES), HEAD_BYTES + (end - 1) * STORED_BYTES);
      // One without a length was torn, or destroyed.
      last = Math.min(0, (this.#storedView.getUint16(LENGTH_AT, true) || BLOCK_BYTES) - BLOCK_BYTES);
    }
    return (this.#size = Math.max(end * BLOCK_BYTES + last, this.#end));
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    // After contents that this connection began the file has at most older ones.
    const end = this.#isOurs ? this.#end : yield* this.size();
    const length = Math.max(0, Math.min(end - at, into.length));
    for (const { index, from, to, at: place } of partsOf(at, length, BLOCK_BYTES)) {
      const isFirst = index === 0 && this.#firstLength >= 0;
      const isAuthentic = isFirst || index === this.#lastIndex || (yield* this.#load(index));
      if (!isAuthentic) {
        if (yield* this.#isChanged(index, at + place)) throw this.#forged(index);
        this.#last.fill(0);
        this.#lastIndex = -1;
      }
      const block = isFirst ? this.#first : this.#last;
      into.set(block.subarray(from, to), place);
      if (isAuthentic && this.#records) this.#records.see(block, index * BLOCK_BYTES, from, to);
    }
    if (length < into.length) into.fill(0, length);
    return length === into.length;
  }

  #forged(index: number): SQLiteFailure {
    return new SQLiteFailure(
      IOERR_DATA,
      `block ${index} of the ${this.#contents} isn't authentic: it was changed, moved, or is of another database`,
    );
  }

  /** Whether no crash explains that a block isn't authentic: bytes that weren't flushed may be torn, and SQLite stops there by itself. */
  *#isChanged(index: number, at: number): Steps<boolean> {
    if (this.#additional[16] > 2 || this.#records?.has(at)) return true;
    // Contents end when their first block is replaced, and the others stay.
    if (this.#isOurs || index === 0) return false;
    const end = Math.ceil((yield* this.size()) / BLOCK_BYTES);
    for (let later = index + 1; later < end; later++) {
      yield* this.#raw.read(this.#stored, HEAD_BYTES + later * STORED_BYTES);
      const settled = this.#storedView.getUint32(SETTLED_AT, true);
      if (settled > index && (yield* this.#load(later))) return true;
    }
    return false;
  }

  /** Decrypts a block into `#last`; false if it isn't authentic. */
  *#load(index: number): Steps<boolean> {
    yield* this.flush(true);
    this.#lastIndex = -1;
    if (!(this.#hasIdentity || (yield* this.#readIdentity()))) return false;
    yield* this.#raw.read(this.#stored, HEAD_BYTES + index * STORED_BYTES);
    const length = this.#storedView.getUint16(LENGTH_AT, true);
    if (length > BLOCK_BYTES) return false;
    const aead = this.#aead(index, length);
    try {
      aead.decryptDetached(this.#ciphertext.subarray(0, length), this.#tag, this.#last.subarray(0, length));
    } catch {
      return false;
    } finally {
      aead.destroy();
    }
    this.#last.fill(0, length);
    this.#lastIndex = index;
    this.#lastLength = length;
    return true;
  }

  /** The cipher of a block, under the nonce and with the numbers that `#stored` begins with. */
  #aead(index: number, length: number) {
    this.#additionalView.setUint32(17, index, true);
    this.#additionalView.setUint16(25, length, true);
    this.#additionalView.setUint32(27, this.#storedView.getUint32(SETTLED_AT, true), true);
    return xchacha20poly1305(this.#key, this.#nonce, this.#additional);
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const isFirst = at === 0 && bytes.length !== COUNTED_BYTES && this.#additional[16] < 3;
    if (isFirst || !(this.#hasIdentity || (yield* this.#readIdentity()))) yield* this.#begin(isFirst);
    // Whole blocks that were left out are zeros.
    const end = Math.ceil((this.#isOurs ? this.#end : yield* this.size()) / BLOCK_BYTES);
    for (let index = end; index < Math.floor(at / BLOCK_BYTES); index++)
      if (index !== this.#lastIndex) yield* this.#replace(index, BLOCK_BYTES);
    // SQLite writes three times for each page of a journal, so without an array of parts.
    for (let done = 0; done < bytes.length;) {
      const index = Math.floor((at + done) / BLOCK_BYTES);
      const from = at + done - index * BLOCK_BYTES;
      const size = Math.min(BLOCK_BYTES - from, bytes.length - done);
      const part = bytes.subarray(done, done + size);
      if (index === 0 && this.#firstLength >= 0) {
        this.#first.set(part, from);
        this.#firstLength = Math.max(this.#firstLength, from + size);
        this.#isFirstHeld = true;
      } else {
        const isKnown = index === this.#lastIndex;
        if (!isKnown && (size === BLOCK_BYTES || index >= end || !(yield* this.#load(index))))
          yield* this.#replace(index, 0);
        this.#last.set(part, from);
        this.#lastLength = Math.max(this.#lastLength, from + size);
        this.#isHeld = true;
      }
      done += size;
    }
    const waits = (isFirst && this.#firstLength >= 0) || mayWait(this.#contents, at, bytes.length, this.#lastEnd);
    this.#lastEnd = at + bytes.length;
    this.#end = Math.max(this.#end, this.#lastEnd);
    if (this.#size !== undefined) this.#size = Math.max(this.#size, this.#end);
    if (!waits) yield* this.flush();
  }

  /** Makes `#last` another block, of zeros. */
  *#replace(index: number, length: number): Steps<void> {
    yield* this.flush(true);
    this.#last.fill(0);
    this.#lastIndex = index;
    this.#lastLength = length;
    this.#isHeld = true;
  }

  *flush(keepsFirst = false): Steps<void> {
    if (this.#isFirstHeld && !(keepsFirst && this.#hasFirst)) {
      yield* this.#store(0, this.#first, this.#firstLength);
      this.#isFirstHeld = false;
      this.#hasFirst = true;
    }
    if (this.#isHeld) yield* this.#store(this.#lastIndex, this.#last, this.#lastLength);
    this.#isHeld = false;
  }

  /** Encrypts a block and writes it. */
  *#store(index: number, block: Uint8Array, length: number): Steps<void> {
    this.#stored.fill(0);
    writeRandom(this.#nonce);
    this.#settled = Math.min(this.#settled, index);
    this.#storedView.setUint16(LENGTH_AT, length, true);
    this.#storedView.setUint32(SETTLED_AT, this.#settled, true);
    const aead = this.#aead(index, length);
    this.#tag.set(aead.encryptDetached(block.subarray(0, length), this.#ciphertext.subarray(0, length)).tag);
    aead.destroy();
    yield* this.#raw.write(this.#stored, HEAD_BYTES + index * STORED_BYTES);
    this.#isTold = this.#contents === 'journal' && this.#settled > 0;
  }

  /** Begins new contents: the blocks before become unreadable. */
  *#begin(isFirst: boolean): Steps<void> {
    const head = this.#stored.subarray(0, HEAD_BYTES).fill(0);
    const identity = head.subarray(16, 32);
    head.set(MAGIC);
    writeRandom(identity);
    yield* this.#raw.write(head, 0);
    this.#leave();
    this.#additional.set(identity);
    this.#hasIdentity = this.#isOurs = true;
    if (isFirst && this.#records) this.#firstLength = 0;
    this.#first.fill(0);
  }

  /** Forgets the blocks in memory, also those that the VFS doesn't have: their contents have come to an end. */
  #drop(): void {
    this.#lastIndex = -1;
    this.#isHeld = this.#isTold = this.#isFirstHeld = this.#hasFirst = false;
    this.#size = undefined;
    this.#firstLength = -1;
  }

  *#readIdentity(): Steps<boolean> {
    const head = this.#stored.subarray(0, HEAD_BYTES);
    if (!(yield* this.#raw.read(head, 0)) || !MAGIC.every((byte, i) => head[i] === byte)) return false;
    this.#additional.set(head.subarray(16, 32));
    return (this.#hasIdentity = true);
  }

  *truncate(size: number): Steps<void> {
    if (size > 0 && size >= (yield* this.size())) return;
    const index = Math.floor(size / BLOCK_BYTES);
    const rest = size % BLOCK_BYTES;
    if (size > 0) yield* this.flush();
    this.#drop();
    if (rest > 0) {
      if (!(yield* this.#load(index))) throw this.#forged(index);
      yield* this.#store(index, this.#last.fill(0, rest), rest);
    }
    yield* this.#raw.truncate(size === 0 ? 0 : HEAD_BYTES + Math.ceil(size / BLOCK_BYTES) * STORED_BYTES);
    this.#drop();
    this.#end = Math.min(this.#end, size);
    this.#settled = Math.min(this.#settled, index);
    if (size === 0) this.#hasIdentity = false;
  }

  *sync(flags: number): Steps<void> {
    yield* this.flush();
    yield* this.#raw.sync(flags);
    this.#settled = Math.floor(this.#end / BLOCK_BYTES);
    this.#isTold = false;
  }

  release(): void {
    // Nothing of a transaction that is still needed waits when SQLite gives up its lock.
    if (this.#contents !== 'temporary') this.#leave();
  }

  /** Knows nothing of the contents any more. */
  #leave(): void {
    this.#drop();
    this.#hasIdentity = this.#isOurs = false;
    this.#end = this.#settled = 0;
  }

  destroy(): void {
    this.#key.fill(0);
    if (this.#memory) leaveMemory(this.#memory);
    this.#memory = undefined;
  }
}
