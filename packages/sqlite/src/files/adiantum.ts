/**
 * Files as go-sqlite3 encrypts them (github.com/ncruces/go-sqlite3, vfs/adiantum): blocks of 4096 bytes by Adiantum with XChaCha12, under
 * their offset as the tweak. Lengths stay, nothing is authenticated, and equal blocks at one offset have equal ciphertexts.
 */
import { adiantum } from 'lanewise/disk.js';
import type { Steps } from '../steps.ts';
import { partsOf, type EncryptedFile } from './encrypted-file.ts';
import type { RawFile } from './raw-file.ts';

export const BLOCK_BYTES = 4096;
const roundUp = (size: number): number => Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;

export class AdiantumFile implements EncryptedFile {
  readonly #raw: RawFile;
  readonly #cipher: ReturnType<typeof adiantum>;
  readonly #tweak = new Uint8Array(8);
  readonly #stored = new Uint8Array(BLOCK_BYTES);
  /** The last block that was written, decrypted: a journal that grows doesn't read its end again. */
  readonly #last = new Uint8Array(BLOCK_BYTES);
  #lastIndex = -1;

  /** @param key - 32 bytes. */
  constructor(raw: RawFile, key: Uint8Array) {
    this.#raw = raw;
    this.#cipher = adiantum(key);
  }

  *size(): Steps<number> {
    // A block that isn't whole was torn.
    return Math.floor((yield* this.#raw.size()) / BLOCK_BYTES) * BLOCK_BYTES;
  }

  *read(into: Uint8Array, at: number): Steps<boolean> {
    this.#lastIndex = -1;
    for (const { index, from, to, at: place } of partsOf(at, into.length, BLOCK_BYTES)) {
      // A block that isn't whole is the end of the file.
      if (!(yield* this.#load(index))) {
        into.fill(0, place);
        return false;
      }
      into.set(this.#last.subarray(from, to), place);
    }
    return true;
  }

  *#load(index: number): Steps<boolean> {
    if (!(yield* this.#raw.read(this.#stored, index * BLOCK_BYTES))) return false;
    this.#cipher.decrypt(this.#stored, this.#tweakOf(index), this.#last);
    return true;
  }

  #tweakOf(index: number): Uint8Array {
    new DataView(this.#tweak.buffer).setBigUint64(0, BigInt(index * BLOCK_BYTES), true);
    return this.#tweak;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    for (const { index, from, to, at: place } of partsOf(at, bytes.length, BLOCK_BYTES)) {
      const isWhole = to - from === BLOCK_BYTES;
      if (!isWhole && index !== this.#lastIndex && !(yield* this.#load(index))) this.#last.fill(0);
      this.#last.set(bytes.subarray(place, place + to - from), from);
      this.#lastIndex = index;
      this.#cipher.encrypt(this.#last, this.#tweakOf(index), this.#stored);
      yield* this.#raw.write(this.#stored, index * BLOCK_BYTES);
    }
  }

  *truncate(size: number): Steps<void> {
    this.#lastIndex = -1;
    yield* this.#raw.truncate(roundUp(size));
  }

  *sync(): Steps<void> {
    // All bytes are with the VFS.
  }

  destroy(): void {
    this.#cipher.destroy();
    this.#last.fill(0);
    this.#lastIndex = -1;
  }
}
