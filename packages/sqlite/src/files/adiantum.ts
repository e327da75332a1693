/**
 * Files as go-sqlite3 encrypts them (github.com/ncruces/go-sqlite3, vfs/adiantum): blocks of 4096 bytes by Adiantum with XChaCha12, under
 * their offset as the tweak. Lengths stay, nothing is authenticated, and equal blocks at one offset have equal ciphertexts.
 */
import { adiantum } from 'lanewise/disk.js';
import type { Steps } from '../steps.ts';
import { COUNTED_BYTES, mayWait, type Contents } from './contents.ts';
import { partsOf, type EncryptedFile } from './encrypted-file.ts';
import { JOURNAL_MAGIC } from './journal-records.ts';
import { KnownPage } from './known-page.ts';
import { leaveMemory, takeMemory } from './memory.ts';
import type { RawFile } from './raw-file.ts';
import { unproven } from './unproven.ts';

export const BLOCK_BYTES = 4096;
/** How files begin (sqlite.org/fileformat2.html §1.3, §3, §4.1), but for the byte of a log that tells how its checksums take the bytes. */
const BEGINNINGS: Partial<Record<Contents | 'database', ArrayLike<number>>> = {
  database: new TextEncoder().encode('SQLite format 3\0'),
  journal: JOURNAL_MAGIC,
  wal: [0x37, 0x7f, 0x06],
};
const roundUp = (size: number): number => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;

export class AdiantumFile implements EncryptedFile {
  readonly #raw: RawFile;
  readonly #cipher: ReturnType<typeof adiantum>;
  readonly #contents: Contents | 'database';
  readonly #tweak = new DataView(new ArrayBuffer(8));
  readonly #tweakBytes = new Uint8Array(this.#tweak.buffer);
  /** Of the blocks below, until the file is closed. */
  #memory: Uint8Array<ArrayBuffer> | undefined = takeMemory(4 * BLOCK_BYTES);
  readonly #stored = this.#memory!.subarray(0, BLOCK_BYTES);
  /** The last block that was written in part, decrypted: a journal that grows doesn't read its end again. */
  readonly #last = this.#memory!.subarray(BLOCK_BYTES, 2 * BLOCK_BYTES);
  #lastIndex = -1;
  /** SQLite looks into the first block before each transaction, and three times when it opens a database. */
  readonly #first = new KnownPage(this.#memory!.subarray(2 * BLOCK_BYTES));
  /** Whether the VFS doesn't have the last block yet. */
  #isHeld = false;
  /** The end of the write before. */
  #lastEnd = 0;
  /** Whether SQLite flushes this journal before pages change: the records that came since are of pages that don't change yet. */
  #isFlushed = false;
  /** Where a journal ends that this connection began; undefined for other files. */
  #end: number | undefined;
  readonly #isProven: () => Steps<boolean>;
  /** Whether the key was looked at, where SQLite would remove the file under a wrong one. */
  #isAsked: boolean;

  /**
   * @param key - 32 bytes.
   * @param isProven - Whether the database of a journal or log shows that the key is the right one.
   */
  constructor(raw: RawFile, key: Uint8Array, contents: Contents | 'database', isProven?: () => Steps<boolean>) {
    this.#raw = raw;
    this.#cipher = adiantum(key);
    this.#contents = contents;
    this.#isProven = isProven ?? (() => this.prove());
    this.#isAsked = isProven === undefined;
  }

  /** Whether the file begins as one of its kind does, or is empty: under a wrong key it begins with noise. */
  *prove(): Steps<boolean> {
    yield* this.flush();
    this.#lastIndex = -1;
    if (!(yield* this.#load(0, this.#last))) return true;
    return Array.from(BEGINNINGS[this.#contents] ?? []).every((byte, i) => this.#last[i] === byte);
  }

  get isWaiting(): boolean {
    return this.#isHeld && !this.#isFlushed && this.#contents !== 'temporary';
  }

  *size(): Steps<number> {
    // A block that isn't whole was torn.
    const size = Math.floor((yield* this.#raw.size()) / BLOCK_BYTES) * BLOCK_BYTES;
    return this.#isHeld ? Math.max(size, (this.#lastIndex + 1) * BLOCK_BYTES) : size;
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    yield* this.flush();
    // Another connection may have written the block.
    this.#lastIndex = -1;
    // SQLite takes a log that begins with noise for one without records, and removes it. One that a transaction has ended begins with zeros.
    if (!this.#isAsked && !(yield* this.prove()) && !(yield* this.#isProven())) throw unproven();
    this.#isAsked = true;
    for (const { index, from, to, at: place } of partsOf(at, into.length, BLOCK_BYTES)) {
      const isWhole = to - from === BLOCK_BYTES;
      const block = isWhole ? into.subarray(place, place + BLOCK_BYTES) : this.#last;
      // A block that isn't whole is the end of the file.
      if (!(yield* this.#load(index, block))) {
        into.fill(0, place);
        return false;
      }
      if (!isWhole) into.set(block.subarray(from, to), place);
    }
    return true;
  }

  *#load(index: number, block: Uint8Array): Steps<boolean> {
    if (!(yield* this.#raw.read(this.#stored, index * BLOCK_BYTES))) return false;
    if (index === 0 && this.#first.has(this.#stored)) {
      block.set(this.#first.page);
      return true;
    }
    this.#cipher.decrypt(this.#stored, this.#tweakOf(index), block);
    if (index === 0) this.#first.keep(this.#stored, block);
    return true;
  }

  #tweakOf(index: number): Uint8Array {
    const at = index * BLOCK_BYTES;
    this.#tweak.setUint32(0, at >>> 0, true);
    this.#tweak.setUint32(4, Math.floor(at / 2 ** 32), true);
    return this.#tweakBytes;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    const isStart = at === 0 && bytes.length !== COUNTED_BYTES;
    if (isStart && this.#contents === 'journal') {
      this.#end = 0;
      this.#isAsked = true;
    }
    // SQLite writes three times for each page of a journal, so without an array of parts.
    for (let done = 0; done < bytes.length;) {
      const index = Math.floor((at + done) / BLOCK_BYTES);
      const from = at + done - index * BLOCK_BYTES;
      const size = Math.min(BLOCK_BYTES - from, bytes.length - done);
      const part = size === bytes.length ? bytes : bytes.subarray(done, done + size);
      done += size;
      if (size === BLOCK_BYTES) {
        if (index === this.#lastIndex) this.#drop();
        yield* this.flush();
        yield* this.#store(index, part);
        continue;
      }
      if (index !== this.#lastIndex) {
        yield* this.flush();
        this.#lastIndex = -1;
        // After the end is nothing, or what an older journal has left.
        const isThere = this.#end === undefined || index * BLOCK_BYTES < this.#end;
        if (!(isThere && (yield* this.#load(index, this.#last)))) this.#last.fill(0);
        this.#lastIndex = index;
      }
      this.#last.set(part, from);
      this.#isHeld = true;
    }
    if (isStart) this.#isFlushed = false;
    const waits = this.#contents !== 'database' && mayWait(this.#contents, at, bytes.length, this.#lastEnd);
    this.#lastEnd = at + bytes.length;
    if (this.#end !== undefined) this.#end = Math.max(this.#end, this.#lastEnd);
    if (!waits) yield* this.flush();
  }

  *#store(index: number, block: Uint8Array): Steps<void> {
    this.#cipher.encrypt(block, this.#tweakOf(index), this.#stored);
    if (index === 0) this.#first.keep(this.#stored, block);
    yield* this.#raw.write(this.#stored, index * BLOCK_BYTES);
  }

  *flush(): Steps<void> {
    if (!this.#isHeld) return;
    yield* this.#store(this.#lastIndex, this.#last);
    this.#isHeld = false;
  }

  #drop(): void {
    this.#lastIndex = -1;
    this.#isHeld = false;
  }

  *truncate(size: number): Steps<void> {
    if (this.#isHeld && this.#lastIndex * BLOCK_BYTES < size) yield* this.flush();
    this.#drop();
    this.#end = undefined;
    yield* this.#raw.truncate(roundUp(size));
    if (size === 0) this.#isFlushed = false;
  }

  *sync(flags: number): Steps<void> {
    yield* this.flush();
    yield* this.#raw.sync(flags);
    this.#isFlushed = this.#contents === 'journal';
  }

  release(): void {
    if (this.#contents === 'temporary') return;
    // Nothing of a transaction that is still needed waits when SQLite gives up its lock.
    this.#drop();
    this.#isFlushed = false;
    this.#end = undefined;
  }

  destroy(): void {
    this.#cipher.destroy();
    this.#first.destroy();
    if (this.#memory) leaveMemory(this.#memory);
    this.#memory = undefined;
    this.#drop();
  }
}

export class AdiantumDatabase extends AdiantumFile {
  /** @param key - 32 bytes. */
  constructor(raw: RawFile, key: Uint8Array) {
    super(raw, key, 'database');
  }
}
