/** An image that is encrypted or decrypted where it is, batch by batch, with a journal beside it. */
import { clean } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import type { Meter } from '../progress.ts';
import { draftOf, Journal, journalOf, refuseJournal } from './journal.ts';
import type { Operation, Recovery, Settings } from './options.ts';
import { Sectors } from './sectors.ts';
import { folderOf, nameOf, readAll, writeAll, type Path, type Storage, type StoredFile } from './storage.ts';

/** So much is overwritten between two flushes, or a little less: whole sectors. */
const BATCH_BYTES = 4 * 2 ** 20;

/** An image, and how it is reached. */
export interface Place {
  readonly storage: Storage;
  readonly image: Path;
  readonly size: number;
  readonly key: Uint8Array;
  readonly meter: Meter;
}

/** Encrypts or decrypts all of an image. */
export async function convertInPlace(
  place: Place,
  operation: Operation,
  settings: Settings,
  most = BATCH_BYTES,
): Promise<void> {
  const { storage, image, size, key } = place;
  await refuseJournal(storage, image);
  if (size === 0) return;
  const batchBytes = Math.min(size, most - (most % settings.sectorSize));
  const header = { ...settings, operation, size, batchBytes };
  await withImage(place, settings, async (file, sectors) => {
    const journal = await Journal.create(storage, image, header, key, async (ciphertext) => {
      await readAll(file, ciphertext, 0);
      if (operation === 'encrypt') sectors.encrypt(ciphertext, 0);
    });
    try {
      await finish(place, file, sectors, journal, operation, 1);
    } finally {
      await journal.close();
    }
  });
}

/** Finishes what an interrupted run has begun, or takes it back. */
export async function recover(place: Place, action: Recovery['action'], force: boolean): Promise<Operation> {
  const { storage, image, size, key } = place;
  const name = nameOf(journalOf(image));
  const journal = await Journal.open(storage, image, key);
  const { header } = journal;
  try {
    if (size !== header.size)
      throw new Failure(`${nameOf(image)}: ${size} bytes long, and had ${header.size} when ${name} was begun`);
    if (!force && isAtWork(journal.process))
      throw new Failure(
        `${name}: process ${journal.process} seems to be at work; end it, or say --force if it is another`,
      );
    await withImage(place, header, async (file, sectors) => {
      // The record again, as ours: who comes next finds us at work.
      await journal.put(journal.batch);
      const back: Operation = header.operation === 'encrypt' ? 'decrypt' : 'encrypt';
      if (action === 'resume') await finish(place, file, sectors, journal, header.operation, 1);
      else await finish(place, file, sectors, journal, back, -1);
    });
    return header.operation;
  } finally {
    await journal.close();
  }
}

/** @returns whether there was the draft of a journal, whose run has changed nothing. */
export async function removeDraft(storage: Storage, image: Path): Promise<boolean> {
  if (!(await storage.look(draftOf(image)))) return false;
  await storage.remove(draftOf(image));
  return true;
}

async function withImage(
  { storage, image, key }: Place,
  settings: Settings,
  work: (file: StoredFile, sectors: Sectors) => Promise<void>,
): Promise<void> {
  const file = await storage.open(image, 'change');
  const sectors = new Sectors(settings, key);
  try {
    await work(file, sectors);
  } finally {
    sectors.destroy();
    await file.close();
  }
}

/** From the batch of the journal's record, which is written first, to one end of the image. */
async function finish(
  { storage, image, meter }: Place,
  file: StoredFile,
  sectors: Sectors,
  journal: Journal,
  operation: Operation,
  direction: 1 | -1,
): Promise<void> {
  const { header, batch: from } = journal;
  const { size, batchBytes } = header;
  const batches = Math.ceil(size / batchBytes);
  const plain = new Uint8Array(operation === 'decrypt' ? batchBytes : 0);
  meter.start(nameOf(image), direction > 0 ? size - from * batchBytes : Math.min(size, (from + 1) * batchBytes));
  try {
    for (let batch = from; batch >= 0 && batch < batches; batch += direction) {
      const at = batch * batchBytes;
      const ciphertext = journal.ciphertext(batch);
      if (batch !== from) {
        await readAll(file, ciphertext, at);
        if (operation === 'encrypt') sectors.encrypt(ciphertext, at);
        await journal.put(batch);
      }
      if (operation === 'encrypt') await writeAll(file, ciphertext, at);
      else {
        const content = plain.subarray(0, ciphertext.length);
        content.set(ciphertext);
        sectors.decrypt(content, at);
        await writeAll(file, content, at);
      }
      await file.flush();
      meter.advance(ciphertext.length);
    }
    await storage.remove(journalOf(image));
    await storage.flushFolder(folderOf(image));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(`${error.message}; the journal is there for lanewise disk resume, or undo`, { cause: error });
  } finally {
    meter.stop();
    clean(plain);
  }
}

/** Whether there is such a process, other than this one. */
function isAtWork(process_: number): boolean {
  if (process_ === process.pid) return false;
  try {
    return process.kill(process_, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
