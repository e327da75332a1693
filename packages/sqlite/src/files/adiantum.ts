/**
 * Files as go-sqlite3 encrypts them (github.com/ncruces/go-sqlite3, vfs/adiantum): blocks of 4096 bytes by Adiantum with XChaCha12, under
 * their offset as the tweak. Lengths stay, nothing is authenticated, and equal blocks at one offset have equal ciphertexts.
 */
import { adiantum } from 'lanewise/disk.js';
import type { Steps } from '../steps.ts';
import { mayWait, type Contents } from './contents.ts';
import { partsOf, type EncryptedFile } from './encrypted-file.ts';
import type { RawFile } from './raw-file.ts';

export const BLOCK_BYTES = 4096;
const roundUp = (size: number): number => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;

export class AdiantumFile implements EncryptedFile {
  readonly #raw: RawFile;
  readonly #cipher: ReturnType<typeof adiantum>;
  readonly #contents: Contents | 'database';
  readonly #tweak = new DataView(new ArrayBuffer(8));
  readonly #tweakBytes = new Uint8Array(this.#tweak.buffer);
  readonly #stored = new Uint8Array(BLOCK_BYTES);
  /** The last block that was written in part, decrypted: a journal that grows doesn't read its end again. */
  readonly #last = new Uint8Array(BLOCK_BYTES);
  #lastIndex = -1;
  /** Whether the VFS doesn't have the last block yet. */
  #isHeld = false;
  /** The end of the write before. */
  #lastEnd = 0;

  /** @param key - 32 bytes. */
  constructor(raw: RawFile, key: Uint8Array, contents: Contents | 'database') {
    this.#raw = raw;
    this.#cipher = adiantum(key);
    this.#contents = contents;
  }

  get isWaiting(): boolean {
    return this.#isHeld && this.#contents !== 'temporary';
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
    this.#cipher.decrypt(this.#stored, this.#tweakOf(index), block);
    return true;
  }

  #tweakOf(index: number): Uint8Array {
    const at = index * BLOCK_BYTES;
    this.#tweak.setUint32(0, at >>> 0, true);
    this.#tweak.setUint32(4, Math.floor(at / 2 ** 32), true);
    return this.#tweakBytes;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    for (const { index, from, to, at: place } of partsOf(at, bytes.length, BLOCK_BYTES)) {
      const part = bytes.subarray(place, place + to - from);
      if (to - from === BLOCK_BYTES) {
        if (index === this.#lastIndex) this.#drop();
        yield* this.flush();
        yield* this.#store(index, part);
        continue;
      }
      if (index !== this.#lastIndex) {
        yield* this.flush();
        this.#lastIndex = -1;
        if (!(yield* this.#load(index, this.#last))) this.#last.fill(0);
        this.#lastIndex = index;
      }
      this.#last.set(part, from);
      this.#isHeld = true;
    }
    const waits = this.#contents !== 'database' && mayWait(this.#contents, at, bytes.length, this.#lastEnd);
    this.#lastEnd = at + bytes.length;
    if (!waits) yield* this.flush();
  }

  *#store(index: number, block: Uint8Array): Steps<void> {
    this.#cipher.encrypt(block, this.#tweakOf(index), this.#stored);
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
    yield* this.#raw.truncate(roundUp(size));
  }

  *sync(flags: number): Steps<void> {
    yield* this.flush();
    yield* this.#raw.sync(flags);
  }

  release(): void {
    // Nothing of a transaction that is still needed waits when SQLite gives up its lock.
    if (this.#contents !== 'temporary') this.#drop();
  }

  destroy(): void {
    this.#cipher.destroy();
    this.#last.fill(0);
    this.#drop();
  }
}
