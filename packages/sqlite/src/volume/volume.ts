/**
 * Encrypted files of one key in a store: `volume` with the key, `names-0` and `names-1` with the names of all files, and each file under a
 * number.
 *
 *     volume      0   4096  the header of `keys/header.ts`: how the key is wrapped
 *              4096     56  number of the names that count: 16 encrypted bytes (8 of them the number, little-endian), nonce and tag
 *     names-n     0      8  bytes of the text, little-endian
 *                 8     24  nonce
 *                32         the encrypted text (JSON), then its tag: "names", the eight bytes and the number are additional data
 *
 * Names are written to the file that doesn't hold those which count, and count as soon as `volume` says so.
 */
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { randomBytes } from 'lanewise/utils.js';
import { PageSealer, RESERVED_BYTES, TAG_BYTES } from '../files/page-sealer.ts';
import { NONCE_BYTES, writeRandom } from '../files/nonces.ts';
import { COPIES, HEADER_BYTES, IDENTITY_BYTES, newHeader, openHeader, recordOf, type Header } from '../keys/header.ts';
import type { UserKey } from '../keys/user-key.ts';
import { FileFailure } from './failure.ts';
import { PageFile } from './page-file.ts';
import type { Store, StoredFile } from './store.ts';
import { filesIn, newFolder, textOf, treeOf, type FileNode, type FolderNode } from './tree.ts';

const VOLUME = 'volume';
const NAMES = ['names-0', 'names-1'] as const;
/** The files that every volume has. */
export const fixedNames = (): readonly string[] => [VOLUME, ...NAMES];
const COUNT_BYTES = 16;
/** The number of names is sealed as page 1: the other pages are in files, which have an identity. */
const COUNT_NUMBER = 1;
const LABEL = /* @__PURE__ */ new TextEncoder().encode('names');
const LENGTH_BYTES = 8;
const TEXT_AT = LENGTH_BYTES + NONCE_BYTES;

/** Uses a file of a store, and closes it. */
function using<Result>(store: Store, name: string, use: (file: StoredFile) => Result): Result {
  const file = store.open(name);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

function readAll(file: StoredFile): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(file.size());
  return bytes.subarray(0, file.read(bytes, 0));
}

const broken = (reason: string): FileFailure => new FileFailure('EIO', `this encrypted file system ${reason}`);

/** Errors of a header speak of databases. */
function headerOf(bytes: Uint8Array, user: UserKey): Header {
  try {
    return openHeader(bytes, user);
  } catch (error) {
    throw new Error((error as Error).message.replaceAll('database', 'file system'), { cause: error });
  }
}

export class Volume {
  readonly #store: Store;
  #user: UserKey;
  #header: Header;
  readonly root: FolderNode;
  readonly #counts: PageSealer;
  #count: number;
  /** Stored files by their numbers that hold a file, or did so in the names that count. */
  readonly #taken = new Set<number>();
  /** Those of files that were removed: they are free when the names say so on the medium. */
  readonly #removed = new Set<number>();
  /** Stored files with bytes that the medium may lack. */
  readonly #unflushed = new Set<string>();
  /** Whether names were changed that aren't stored yet. */
  isChanged = false;

  private constructor(store: Store, user: UserKey, header: Header, root?: FolderNode, count = 0) {
    this.#store = store;
    this.#user = user;
    this.#header = header;
    this.#counts = new PageSealer(header.key, new Uint8Array(COUNT_BYTES + RESERVED_BYTES));
    this.#count = count;
    this.root = root ?? newFolder();
    for (const [, { slot }] of filesIn(this.root)) this.#taken.add(slot);
  }

  /** Opens the volume of a store, or makes one. */
  static open(store: Store, user: UserKey, pageSize: number): Volume {
    const bytes = using(store, VOLUME, readAll);
    // A power cut while a volume is made leaves names, and no header.
    if (bytes.subarray(0, HEADER_BYTES).every((byte) => byte === 0)) return Volume.#create(store, user, pageSize);
    const header = headerOf(bytes.slice(0, HEADER_BYTES), user);
    return Volume.#existing(store, user, header, bytes.subarray(HEADER_BYTES));
  }

  static #create(store: Store, user: UserKey, pageSize: number): Volume {
    const fixed = fixedNames();
    const strange = store.filled().filter((name) => !fixed.includes(name));
    if (strange.length > 0)
      throw broken(`has no header, or its folder isn't for it alone: there is a file named ${strange[0]}`);
    const volume = new Volume(store, user, newHeader(user, pageSize));
    volume.#storeNames();
    volume.#storeHeader(volume.#header);
    return volume;
  }

  /** With the names that count, or later ones that `volume` doesn't tell of yet. */
  static #existing(store: Store, user: UserKey, header: Header, record: Uint8Array): Volume {
    const least = countOf(header.key, record);
    for (const count of [least + 1, least]) {
      const text = using(store, NAMES[count % 2], (file) => openText(readAll(file), header.key, count));
      if (text === undefined) continue;
      const volume = new Volume(store, user, header, treeOf(text), count);
      volume.isChanged = count !== least;
      return volume;
    }
    throw broken("isn't authentic: its names were changed, or are older ones");
  }

  get pageSize(): number {
    return this.#header.pageSize;
  }

  /** A file without bytes, which has no name yet. */
  newFile(mode: number, path: string): readonly [FileNode, PageFile] {
    let slot = 0;
    while (this.#taken.has(slot)) slot++;
    if (!this.#store.hasRoom(String(slot)))
      throw new FileFailure('ENFILE', `cannot make ${path}: no file waits for it; await reserve() before`);
    const node: FileNode = { kind: 'file', mode, time: Date.now(), slot, identity: randomBytes(IDENTITY_BYTES) };
    const file = PageFile.create(...this.#of(node, path));
    this.#taken.add(slot);
    this.#unflushed.add(String(slot));
    return [node, file];
  }

  openFile(node: FileNode, path: string): PageFile {
    return PageFile.open(...this.#of(node, path));
  }

  #of({ slot, identity }: FileNode, path: string) {
    return [this.#store.open(String(slot)), path, this.#header.key, identity, this.pageSize] as const;
  }

  /** The medium may lack bytes of a file. */
  wrote({ slot }: FileNode): void {
    this.#unflushed.add(String(slot));
  }

  /** A file has no name any more, and isn't open. */
  remove({ slot }: FileNode): void {
    this.#removed.add(slot);
    this.#unflushed.delete(String(slot));
  }

  /** How many files can be made until names are stored. */
  get room(): number {
    let [room, slot] = [0, 0];
    for (; this.#taken.has(slot) || this.#store.hasRoom(String(slot)); slot++) {
      if (!this.#taken.has(slot)) room++;
      if (room > this.#taken.size + 10_000) break;
    }
    return room;
  }

  async reserve(count: number): Promise<void> {
    const names: string[] = [];
    for (let slot = 0; names.length < count; slot++) if (!this.#taken.has(slot)) names.push(String(slot));
    await this.#store.reserve(names);
  }

  sync(): void {
    this.#store.flush(this.#unflushed);
    this.#unflushed.clear();
    if (this.isChanged) this.#storeNames();
  }

  #storeNames(): void {
    const count = this.#count + 1;
    const name = NAMES[count % 2];
    const stored = sealText(textOf(this.root), this.#header.key, count);
    using(this.#store, name, (file) => {
      file.write(stored, 0);
      file.truncate(stored.length);
    });
    this.#store.flush([name]);
    const plain = new Uint8Array(COUNT_BYTES);
    new DataView(plain.buffer).setBigUint64(0, BigInt(count), true);
    this.#counts.seal(plain, COUNT_NUMBER);
    using(this.#store, VOLUME, (file) => file.write(this.#counts.stored, HEADER_BYTES));
    this.#store.flush([VOLUME]);
    this.#count = count;
    this.isChanged = false;
    for (const slot of this.#removed) {
      using(this.#store, String(slot), (file) => file.truncate(0));
      this.#taken.delete(slot);
    }
    this.#removed.clear();
  }

  /** One copy after the other, so that one is whole at any moment. */
  #storeHeader(header: Header): void {
    for (const at of COPIES) {
      using(this.#store, VOLUME, (file) => file.write(recordOf(header, this.#user), at));
      this.#store.flush([VOLUME]);
    }
    this.#header = header;
  }

  rekey(user: UserKey): void {
    const former = this.#user;
    this.#user = user;
    try {
      this.#storeHeader({ ...this.#header, derivation: user.derivation(), number: this.#header.number + 1 });
    } catch (error) {
      this.#user = former;
      throw error;
    }
    former.destroy();
  }

  /** Wipes the keys, and lets go of the store. */
  destroy(): void {
    this.#user.destroy();
    this.#counts.destroy();
    this.#header.key.fill(0);
    this.#store.close();
  }
}

/** The number of the names that count. */
function countOf(key: Uint8Array, record: Uint8Array): number {
  const plain = new Uint8Array(COUNT_BYTES);
  const counts = new PageSealer(key, new Uint8Array(COUNT_BYTES + RESERVED_BYTES));
  try {
    counts.stored.set(record.subarray(0, counts.stored.length));
    counts.open(COUNT_NUMBER, plain);
  } catch {
    throw broken("isn't authentic: the number of its names was changed");
  } finally {
    counts.destroy();
  }
  return Number(new DataView(plain.buffer).getBigUint64(0, true));
}

/** The additional data of names. */
function additionalOf(length: Uint8Array, count: number): Uint8Array {
  const additional = new Uint8Array(LABEL.length + LENGTH_BYTES + 8);
  additional.set(LABEL);
  additional.set(length, LABEL.length);
  new DataView(additional.buffer).setBigUint64(LABEL.length + LENGTH_BYTES, BigInt(count), true);
  return additional;
}

function sealText(text: string, key: Uint8Array, count: number): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const stored = new Uint8Array(TEXT_AT + bytes.length + TAG_BYTES);
  new DataView(stored.buffer).setBigUint64(0, BigInt(bytes.length), true);
  writeRandom(stored.subarray(LENGTH_BYTES, LENGTH_BYTES + NONCE_BYTES));
  xchacha20poly1305(
    key,
    stored.subarray(LENGTH_BYTES, TEXT_AT),
    additionalOf(stored.subarray(0, LENGTH_BYTES), count),
  ).encrypt(bytes, stored.subarray(TEXT_AT));
  bytes.fill(0);
  return stored;
}

/** The text, if it is authentic and has this number. */
function openText(stored: Uint8Array, key: Uint8Array, count: number): string | undefined {
  if (stored.length < TEXT_AT + TAG_BYTES) return undefined;
  const length = new DataView(stored.buffer).getBigUint64(0, true);
  if (length > BigInt(stored.length - TEXT_AT - TAG_BYTES)) return undefined;
  const [nonce, additional] = [
    stored.subarray(LENGTH_BYTES, TEXT_AT),
    additionalOf(stored.subarray(0, LENGTH_BYTES), count),
  ];
  try {
    const bytes = xchacha20poly1305(key, nonce, additional).decrypt(
      stored.subarray(TEXT_AT, TEXT_AT + Number(length) + TAG_BYTES),
    );
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    bytes.fill(0);
    return text;
  } catch {
    return undefined;
  }
}
