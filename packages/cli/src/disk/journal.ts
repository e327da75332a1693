/**
 * The journal of an in-place run: a file beside the image, from which an interrupted run can be resumed or undone.
 *
 *     4096                 the header: the operation and the image, as text
 *     4096 + batchBytes    slot 0: a record, which is the place of a batch in the image, and the batch's ciphertext
 *     4096 + batchBytes    slot 1: the record after that, or before it
 *
 * A batch of the image is overwritten once its record is on the medium. Once the batch is on the medium, the next record replaces
 * the older of the two records. So one record is complete at any time: batches on one side of its batch are done, those on the
 * other side are not, and its own batch may be done, not done or torn, so it is written again from the ciphertext. The file gets
 * its name when header and first record are on the medium, so a journal that cannot be parsed is a damaged one. Hashes of the
 * beginnings of the neighbouring batches detect an image that was changed since (`journal-binding.ts`).
 *
 * Header and records carry keyed hashes under a key that is derived from the image's key and a random number of the journal. So
 * blocks of an earlier file, which a file system may leave in a new one, never pass for a record.
 */
import { blake3 } from 'lanewise/blake3.js';
import { clean, equalBytes, randomBytes } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import { decodeHeader, encodeHeader, HEADER_BYTES, markOf, type Header } from './journal-header.ts';
import { journalOf } from './run-files.ts';
import {
  folderOf,
  nameOf,
  readAll,
  renameToNew,
  writeAll,
  type Path,
  type Storage,
  type StoredFile,
} from './storage.ts';

/** The head of a record, before its ciphertext: hash, record number, batch number, hashes of the neighbours; then zeros. */
const HEAD_BYTES = 4096;
const HASH_BYTES = 32;
const NUMBER_AT = 32;
const BATCH_AT = 40;
const NEIGHBOURS_AT = 48;
/** How many bytes are hashed of the batch before and of the batch after. */
const NEIGHBOURS = [-1, 1] as const;
const NEIGHBOUR_BYTES = 4096;
const ID_BYTES = 32;
/** Readable and writable by the user who runs the command. */
const MODE = 0o600;

/** Bytes of a batch: those at the end of an image may be fewer. */
const lengthOfBatch = ({ size, batchBytes }: Header, batch: number): number =>
  Math.min(batchBytes, size - batch * batchBytes);

/** An open image whose journal is made or opened. */
interface ImageOfJournal {
  readonly storage: Storage;
  readonly image: Path;
  readonly file: StoredFile;
  readonly key: Uint8Array;
}

export class Journal {
  readonly header: Header;
  /** The batch of the last record. */
  batch: number;
  #number: bigint;
  readonly #file: StoredFile;
  readonly #image: StoredFile;
  readonly #key: Uint8Array;
  readonly #record: Uint8Array;

  private constructor(
    file: StoredFile,
    image: StoredFile,
    header: Header,
    key: Uint8Array,
    number: bigint,
    record: Uint8Array,
  ) {
    this.#file = file;
    this.#image = image;
    this.header = header;
    this.#key = key;
    this.#number = number;
    this.#record = record;
    this.batch = Number(viewOf(record).getBigUint64(BATCH_AT, true));
  }

  /**
   * Makes the journal of an image that is locked and has none.
   *
   * @param draft - Where the journal is until it is whole.
   * @param fill - Reads the ciphertext of the first batch.
   */
  static async create(
    { storage, image, file: imageFile, key: imageKey }: ImageOfJournal,
    draft: Path,
    about: Omit<Header, 'id'>,
    fill: (ciphertext: Uint8Array) => Promise<void>,
  ): Promise<Journal> {
    const file = await storage.create(draft, MODE);
    if (!file) throw new Failure(`${nameOf(draft)}: is there`);
    const header = { ...about, id: Buffer.from(randomBytes(ID_BYTES)).toString('hex') };
    const key = markOf(imageKey, header.id);
    try {
      const record = new Uint8Array(HEAD_BYTES + header.batchBytes);
      const journal = new Journal(file, imageFile, header, key, -1n, record);
      // All space is reserved now, before anything depends on it.
      await writeAll(file, record, slotAt(header, 1n));
      await fill(journal.ciphertext(0));
      await journal.put(0);
      await writeAll(file, encodeHeader(header, key), 0);
      await file.flush();
      if (!(await renameToNew(storage, draft, journalOf(image))))
        throw new Failure(`${nameOf(journalOf(image))}: is there`);
      await storage.flushFolder(folderOf(image));
      return journal;
    } catch (error) {
      clean(key);
      await file.close();
      // The draft no longer exists if only the flush of its folder failed.
      if (await storage.look(draft)) await storage.remove(draft);
      throw error;
    }
  }

  /** @throws UsageError if the key is wrong, Failure if the journal is damaged. */
  static async open({ storage, image, file: imageFile, key: imageKey }: ImageOfJournal): Promise<Journal> {
    const path = journalOf(image);
    const file = await storage.open(path, 'change');
    let key: Uint8Array | undefined;
    try {
      const text = new Uint8Array(HEADER_BYTES);
      await readAll(file, text, 0);
      const header = decodeHeader(text, nameOf(path), imageKey);
      key = markOf(imageKey, header.id);
      let found: { readonly number: bigint; readonly record: Uint8Array } | undefined;
      for (const slot of [0n, 1n]) {
        const record = new Uint8Array(HEAD_BYTES + header.batchBytes);
        await readAll(file, record, slotAt(header, slot));
        const number = wholeRecord(record, header, key);
        if (number !== undefined && (!found || number > found.number)) found = { number, record };
      }
      if (!found) throw new Failure(`${nameOf(path)}: damaged: no record is whole`);
      return new Journal(file, imageFile, header, key, found.number, found.record);
    } catch (error) {
      if (key) clean(key);
      await file.close();
      throw error;
    }
  }

  /** The path of an opened journal, for messages. */
  get name(): string {
    return this.#file.name;
  }

  /** Where the ciphertext of a batch goes before `put`, and is after it. */
  ciphertext(batch: number): Uint8Array {
    return this.#record.subarray(HEAD_BYTES, HEAD_BYTES + lengthOfBatch(this.header, batch));
  }

  /** Writes the next record and flushes it. */
  async put(batch: number): Promise<void> {
    this.#number++;
    this.batch = batch;
    const bytes = this.#record.subarray(0, HEAD_BYTES + lengthOfBatch(this.header, batch));
    const view = viewOf(bytes);
    view.setBigUint64(NUMBER_AT, this.#number, true);
    view.setBigUint64(BATCH_AT, BigInt(batch), true);
    bytes.set(await this.#hashNeighbours(), NEIGHBOURS_AT);
    bytes.set(blake3(bytes.subarray(HASH_BYTES), { key: this.#key }));
    await writeAll(this.#file, bytes, slotAt(this.header, this.#number));
    await this.#file.flush();
  }

  /** Whether the batches before and after that of the last record are unchanged since it was written. */
  async hasNeighbours(): Promise<boolean> {
    const hashes = await this.#hashNeighbours();
    return equalBytes(hashes, this.#record.subarray(NEIGHBOURS_AT, NEIGHBOURS_AT + hashes.length));
  }

  async #hashNeighbours(): Promise<Uint8Array> {
    const { size, batchBytes } = this.header;
    const hashes = new Uint8Array(NEIGHBOURS.length * HASH_BYTES);
    for (const [i, distance] of NEIGHBOURS.entries()) {
      const neighbour = this.batch + distance;
      if (neighbour < 0 || neighbour * batchBytes >= size) continue;
      const start = new Uint8Array(Math.min(NEIGHBOUR_BYTES, lengthOfBatch(this.header, neighbour)));
      try {
        await readAll(this.#image, start, neighbour * batchBytes);
        hashes.set(blake3(start, { key: this.#key }), i * HASH_BYTES);
      } finally {
        clean(start);
      }
    }
    return hashes;
  }

  async close(): Promise<void> {
    clean(this.#key);
    await this.#file.close();
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Even records are in slot 0, odd ones in slot 1. */
const slotAt = ({ batchBytes }: Header, number: bigint): number =>
  HEADER_BYTES + Number(number & 1n) * (HEAD_BYTES + batchBytes);

/** @returns the number of a record, or undefined if it is torn. */
function wholeRecord(record: Uint8Array, header: Header, key: Uint8Array): bigint | undefined {
  const view = viewOf(record);
  const batch = Number(view.getBigUint64(BATCH_AT, true));
  if (batch * header.batchBytes >= header.size) return undefined;
  const bytes = record.subarray(HASH_BYTES, HEAD_BYTES + lengthOfBatch(header, batch));
  if (!equalBytes(blake3(bytes, { key }), record.subarray(0, HASH_BYTES))) return undefined;
  return view.getBigUint64(NUMBER_AT, true);
}
