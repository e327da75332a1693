/**
 * The journal of a run in place: a file beside the image, from which the run can be finished or taken back, whenever it ends.
 *
 *     4096                 the header: what is done to which image, as text
 *     4096 + batchBytes    slot 0: a record, which is the place of a batch in the image, and the batch's ciphertext
 *     4096 + batchBytes    slot 1: the record after that, or before it
 *
 * A batch of the image is overwritten when its record is on the medium, and the next record is written, over the last but
 * one, when the batch is. So one record is whole at any time, and tells all: batches on one side of its own are done, those
 * on the other are not, and its own is either, or torn, and made from the ciphertext again. The file has its name when
 * header and first record are on the medium: a journal that does not read as one is a damaged one.
 *
 * Header and records carry keyed hashes, under a key that follows from that of the image and a random number of the journal.
 * So a record is this journal's own, and nothing that a file system found in old blocks.
 */
import { blake3 } from 'lanewise/blake3.js';
import { clean, equalBytes, randomBytes } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import { decodeHeader, encodeHeader, HEADER_BYTES, markOf, type Header } from './journal-header.ts';
import { behind, folderOf, nameOf, readAll, writeAll, type Path, type Storage, type StoredFile } from './storage.ts';

/** Before the ciphertext of a record: hash, number of the record, number of the batch, process; then zeros. */
const HEAD_BYTES = 4096;
const HASH_BYTES = 32;
const NUMBER_AT = 32;
const BATCH_AT = 40;
const PROCESS_AT = 48;
const ID_BYTES = 32;
/** Readable by whoever runs the command. */
const MODE = 0o600;

export const journalOf = (image: Path): Path => behind(image, '.lanewise-journal');
/** A journal that is not whole yet. While it is there, nothing has been changed. */
export const draftOf = (image: Path): Path => behind(image, '.lanewise-journal.new');

/** Bytes of a batch: those at the end of an image may be fewer. */
const lengthOfBatch = ({ size, batchBytes }: Header, batch: number): number =>
  Math.min(batchBytes, size - batch * batchBytes);

export class Journal {
  readonly header: Header;
  /** The batch of the last record … */
  batch: number;
  /** … and the process that wrote it. */
  process: number;
  #number: bigint;
  readonly #file: StoredFile;
  readonly #key: Uint8Array;
  readonly #record: Uint8Array;

  private constructor(file: StoredFile, header: Header, key: Uint8Array, number: bigint, record: Uint8Array) {
    this.#file = file;
    this.header = header;
    this.#key = key;
    this.#number = number;
    this.#record = record;
    this.batch = Number(viewOf(record).getBigUint64(BATCH_AT, true));
    this.process = Number(viewOf(record).getBigUint64(PROCESS_AT, true));
  }

  /**
   * Makes the journal of an image that has none.
   *
   * @param fill - Reads the ciphertext of the first batch.
   * @throws Failure if there is one, or one is being made.
   */
  static async create(
    storage: Storage,
    image: Path,
    about: Omit<Header, 'id'>,
    imageKey: Uint8Array,
    fill: (ciphertext: Uint8Array) => Promise<void>,
  ): Promise<Journal> {
    const draft = draftOf(image);
    const file = await storage.create(draft, MODE);
    if (!file) throw new Failure(`${nameOf(draft)} is there: a run has just begun, or ended there; ${HINT}`);
    const header = { ...about, id: Buffer.from(randomBytes(ID_BYTES)).toString('hex') };
    const key = markOf(imageKey, header.id);
    try {
      // Asked with the draft in hand: of two runs that begin at once, one gets on.
      await refuseJournal(storage, image);
      const record = new Uint8Array(HEAD_BYTES + header.batchBytes);
      const journal = new Journal(file, header, key, -1n, record);
      // Room for all of it, before anything depends on there being room.
      await writeAll(file, record, slotAt(header, 1n));
      await fill(journal.ciphertext(0));
      await journal.put(0);
      await writeAll(file, encodeHeader(header, key), 0);
      await file.flush();
      await storage.rename(draft, journalOf(image));
      await storage.flushFolder(folderOf(image));
      return journal;
    } catch (error) {
      clean(key);
      await file.close();
      // Gone already, if only its folder could not be flushed.
      if (await storage.look(draft)) await storage.remove(draft);
      throw error;
    }
  }

  /** @throws UsageError if the key is another, Failure if the journal is damaged. */
  static async open(storage: Storage, image: Path, imageKey: Uint8Array): Promise<Journal> {
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
      return new Journal(file, header, key, found.number, found.record);
    } catch (error) {
      if (key) clean(key);
      await file.close();
      throw error;
    }
  }

  /** Where the ciphertext of a batch goes before `put`, and is after it. */
  ciphertext(batch: number): Uint8Array {
    return this.#record.subarray(HEAD_BYTES, HEAD_BYTES + lengthOfBatch(this.header, batch));
  }

  /** Writes the next record, until it is on the medium. */
  async put(batch: number): Promise<void> {
    this.#number++;
    this.batch = batch;
    this.process = process.pid;
    const bytes = this.#record.subarray(0, HEAD_BYTES + lengthOfBatch(this.header, batch));
    const view = viewOf(bytes);
    view.setBigUint64(NUMBER_AT, this.#number, true);
    view.setBigUint64(BATCH_AT, BigInt(batch), true);
    view.setBigUint64(PROCESS_AT, BigInt(this.process), true);
    bytes.set(blake3(bytes.subarray(HASH_BYTES), { key: this.#key }));
    await writeAll(this.#file, bytes, slotAt(this.header, this.#number));
    await this.#file.flush();
  }

  async close(): Promise<void> {
    clean(this.#key);
    await this.#file.close();
  }
}

const HINT = 'lanewise disk undo removes it';

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** Even records are in slot 0, odd ones in slot 1. */
const slotAt = ({ batchBytes }: Header, number: bigint): number =>
  HEADER_BYTES + Number(number & 1n) * (HEAD_BYTES + batchBytes);

/** @returns the number of a record, or nothing if it is torn. */
function wholeRecord(record: Uint8Array, header: Header, key: Uint8Array): bigint | undefined {
  const view = viewOf(record);
  const batch = Number(view.getBigUint64(BATCH_AT, true));
  if (batch * header.batchBytes >= header.size) return undefined;
  const bytes = record.subarray(HASH_BYTES, HEAD_BYTES + lengthOfBatch(header, batch));
  if (!equalBytes(blake3(bytes, { key }), record.subarray(0, HASH_BYTES))) return undefined;
  return view.getBigUint64(NUMBER_AT, true);
}

/** An image that has a journal is half one thing, half another. */
export async function refuseJournal(storage: Storage, image: Path): Promise<void> {
  if (await storage.look(journalOf(image)))
    throw new Failure(
      `${nameOf(journalOf(image))} is there: a run in place was interrupted; lanewise disk resume finishes it, lanewise disk undo takes it back`,
    );
}
