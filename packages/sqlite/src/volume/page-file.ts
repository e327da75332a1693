/**
 * A file of an encrypted file system.
 *
 *     offset  bytes
 *          0     56  the size: 16 encrypted bytes (8 of them the number, little-endian), nonce and tag
 *         56    456  nothing
 *        512         pages: their bytes encrypted, then nonce and tag (40 bytes)
 *
 * The identity of the file and the number of a page are additional data; the size is number 0. It changes after the pages when a file grows, and
 * before them when it shrinks, and it is within a sector, which media write whole: so after a power cut it is one of both.
 */
import { partsOf } from '../files/encrypted-file.ts';
import { PageSealer, RESERVED_BYTES } from '../files/page-sealer.ts';
import { FileFailure } from './failure.ts';
import type { StoredFile } from './store.ts';

const SIZE_BYTES = 16;
const HEAD_BYTES = 512;

export class PageFile {
  readonly #raw: StoredFile;
  readonly #path: string;
  readonly #sealer: PageSealer;
  readonly #sizes: PageSealer;
  readonly #bytes: number;
  /** A page, decrypted, and its index. */
  readonly #page: Uint8Array<ArrayBuffer>;
  #index = -1;
  #size = 0;

  constructor(raw: StoredFile, path: string, key: Uint8Array, identity: Uint8Array, pageSize: number) {
    this.#raw = raw;
    this.#path = path;
    this.#bytes = pageSize;
    this.#page = new Uint8Array(pageSize);
    this.#sealer = new PageSealer(key, new Uint8Array(pageSize + RESERVED_BYTES), identity);
    this.#sizes = new PageSealer(key, new Uint8Array(SIZE_BYTES + RESERVED_BYTES), identity);
  }

  /** Begins a file without bytes. */
  static create(...of: ConstructorParameters<typeof PageFile>): PageFile {
    const file = new PageFile(...of);
    file.#writeSize(0);
    return file;
  }

  /** @throws FileFailure if the file was changed or cut off. */
  static open(...of: ConstructorParameters<typeof PageFile>): PageFile {
    const file = new PageFile(...of);
    try {
      file.#readSize();
    } catch (error) {
      file.destroy();
      throw error;
    }
    return file;
  }

  get size(): number {
    return this.#size;
  }

  /** The bytes on the medium of a file with this many. */
  #end(size: number): number {
    return HEAD_BYTES + Math.ceil(size / this.#bytes) * (this.#bytes + RESERVED_BYTES);
  }

  #readSize(): void {
    const { stored } = this.#sizes;
    if (this.#raw.read(stored, 0) !== stored.length) throw this.#broken('it was cut off');
    const plain = new Uint8Array(SIZE_BYTES);
    try {
      this.#sizes.open(0, plain);
    } catch {
      throw this.#broken("its size isn't authentic: it was changed, or is of another file");
    }
    this.#size = Number(new DataView(plain.buffer).getBigUint64(0, true));
    if (this.#size > 0 && this.#raw.size() < this.#end(this.#size)) throw this.#broken('it was cut off');
  }

  #writeSize(size: number): void {
    const plain = new Uint8Array(SIZE_BYTES);
    new DataView(plain.buffer).setBigUint64(0, BigInt(size), true);
    this.#sizes.seal(plain, 0);
    this.#raw.write(this.#sizes.stored, 0);
    this.#size = size;
  }

  #broken(reason: string): FileFailure {
    return new FileFailure('EIO', `${this.#path} isn't authentic: ${reason}`);
  }

  /** Decrypts a page. */
  #decrypt(index: number, out: Uint8Array): void {
    const { stored } = this.#sealer;
    if (this.#raw.read(stored, HEAD_BYTES + index * stored.length) !== stored.length)
      throw this.#broken(`it was cut off in page ${index + 1}`);
    try {
      this.#sealer.open(index + 1, out);
    } catch {
      throw this.#broken(`page ${index + 1} was changed, moved, or is of another file`);
    }
  }

  #encrypt(index: number, page: Uint8Array): void {
    const { stored } = this.#sealer;
    this.#sealer.seal(page, index + 1);
    this.#raw.write(stored, HEAD_BYTES + index * stored.length);
  }

  /** Takes a page into memory, with zeros after the end of the file. */
  #take(index: number): void {
    if (this.#index !== index) {
      this.#index = -1;
      if (index * this.#bytes < this.#size) this.#decrypt(index, this.#page);
    }
    this.#page.fill(0, Math.max(0, Math.min(this.#bytes, this.#size - index * this.#bytes)));
    this.#index = index;
  }

  /** Returns the number of bytes that were read. */
  read(into: Uint8Array, at: number): number {
    const length = Math.max(0, Math.min(this.#size - at, into.length));
    for (const part of partsOf(at, length, this.#bytes)) {
      const out = into.subarray(part.at, part.at + part.to - part.from);
      if (out.length === this.#bytes && part.index !== this.#index) {
        this.#decrypt(part.index, out);
        continue;
      }
      this.#take(part.index);
      out.set(this.#page.subarray(part.from, part.to));
    }
    return length;
  }

  write(bytes: Uint8Array, at: number): void {
    if (bytes.length === 0) return;
    if (at > this.#size) this.#grow(at);
    for (const part of partsOf(at, bytes.length, this.#bytes)) {
      const its = bytes.subarray(part.at, part.at + part.to - part.from);
      const isWhole = its.length === this.#bytes;
      if (!isWhole) {
        this.#take(part.index);
        this.#page.set(its, part.from);
      }
      // The page in memory counts again when the medium has it.
      const held = isWhole && this.#index !== part.index ? this.#index : -1;
      this.#index = -1;
      this.#encrypt(part.index, isWhole ? its : this.#page);
      this.#index = isWhole ? held : part.index;
    }
    if (at + bytes.length > this.#size) this.#writeSize(at + bytes.length);
  }

  /** Lets the file end with zeros. */
  #grow(size: number): void {
    const first = Math.floor(this.#size / this.#bytes);
    for (let index = first; index * this.#bytes < size; index++) {
      this.#take(index);
      this.#encrypt(index, this.#page);
    }
    this.#writeSize(size);
  }

  truncate(size: number): void {
    if (size === this.#size) return;
    if (size > this.#size) {
      this.#grow(size);
      return;
    }
    this.#index = -1;
    this.#writeSize(size);
    this.#raw.truncate(this.#end(size));
  }

  /** Reads every page. */
  check(): void {
    this.#index = -1;
    for (let index = 0; index * this.#bytes < this.#size; index++) this.#decrypt(index, this.#page);
  }

  /** Wipes the key and the page in memory, and closes the file. */
  destroy(): void {
    this.#sealer.destroy();
    this.#sizes.destroy();
    this.#page.fill(0);
    this.#raw.close();
  }
}
