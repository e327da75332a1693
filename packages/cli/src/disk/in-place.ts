/** In-place encryption and decryption of an image, batch by batch, with a journal beside it. */
import { clean } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import type { Meter } from '../progress.ts';
import { refuseJournal, withImage } from './image.ts';
import { Journal } from './journal.ts';
import { checkBinding } from './journal-binding.ts';
import { Lock } from './lock.ts';
import type { Operation, Recovery, Settings } from './options.ts';
import { journalOf } from './run-files.ts';
import { Sectors } from './sectors.ts';
import { folderOf, nameOf, readAll, writeAll, type Path, type Storage, type StoredFile } from './storage.ts';

/** The most that is overwritten between two flushes, rounded down to whole sectors. */
const BATCH_BYTES = 4 * 2 ** 20;

/** An image, and how it is reached. */
export interface Place {
  readonly storage: Storage;
  readonly image: Path;
  readonly size: number;
  readonly key: Uint8Array;
  readonly meter: Meter;
  /** `--force`: overrides other locks, and accepts a journal that matches the image only by file or only by content. */
  readonly force: boolean;
}

/** The open files of a run that holds the lock. */
interface Work {
  readonly place: Place;
  readonly lock: Lock;
  readonly file: StoredFile;
  readonly sectors: Sectors;
  readonly journal: Journal;
}

const lockOf = ({ storage, image, force }: Place) => ({ storage, file: image, kind: 'lock', force }) as const;

/** Encrypts or decrypts all of an image. */
export async function convertInPlace(
  place: Place,
  operation: Operation,
  settings: Settings,
  most = BATCH_BYTES,
): Promise<void> {
  const { storage, image, size, key } = place;
  await Lock.during(lockOf(place), async (lock) => {
    await refuseJournal(storage, image);
    await withImage(storage, image, size, 'change', async (file, { device, inode }) => {
      if (size === 0) return;
      const batchBytes = Math.min(size, most - (most % settings.sectorSize));
      const boot = storage.processes.boot;
      const header = { ...settings, operation, size, batchBytes, device, inode, boot };
      await withSectors(settings, key, async (sectors) => {
        const at = { storage, image, file, key };
        const journal = await Journal.create(at, lock.draft, header, async (ciphertext) => {
          await readAll(file, ciphertext, 0);
          if (operation === 'encrypt') sectors.encrypt(ciphertext, 0);
        });
        await closing(journal, () => finish({ place, lock, file, sectors, journal }, operation, 1));
      });
    });
  });
}

/**
 * Resumes or undoes an interrupted run.
 *
 * @returns the operation of that run; if there is no journal, `not begun` if a run ended before its journal was complete.
 */
export async function recover(place: Place, action: Recovery['action']): Promise<Operation | 'not begun' | 'nothing'> {
  const { storage, image, size, key, force } = place;
  return Lock.during(lockOf(place), async (lock) => {
    if (!(await storage.look(journalOf(image)))) return lock.endedDraft ? 'not begun' : 'nothing';
    return withImage(storage, image, size, 'change', async (file, about) => {
      const journal = await Journal.open({ storage, image, file, key });
      const { header } = journal;
      return closing(journal, async () => {
        if (size !== header.size)
          throw new Failure(`${file.name}: ${size} bytes long, and had ${header.size} when ${journal.name} was begun`);
        await withSectors(header, key, async (sectors) => {
          await checkBinding({ file, about, sectors, journal, boot: storage.processes.boot, force });
          const back: Operation = header.operation === 'encrypt' ? 'decrypt' : 'encrypt';
          const work = { place, lock, file, sectors, journal };
          if (action === 'resume') await finish(work, header.operation, 1);
          else await finish(work, back, -1);
        });
        return header.operation;
      });
    });
  });
}

async function withSectors<Result>(
  settings: Settings,
  key: Uint8Array,
  work: (sectors: Sectors) => Promise<Result>,
): Promise<Result> {
  const sectors = new Sectors(settings, key);
  try {
    return await work(sectors);
  } finally {
    sectors.destroy();
  }
}

async function closing<Result>(journal: Journal, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await journal.close();
  }
}

/** Writes batches from that of the journal's record to one end of the image. */
async function finish(work: Work, operation: Operation, direction: 1 | -1): Promise<void> {
  const { place, lock, file, sectors, journal } = work;
  const { storage, image, meter } = place;
  const { header, batch: from } = journal;
  const { size, batchBytes } = header;
  const batches = Math.ceil(size / batchBytes);
  const plain = new Uint8Array(operation === 'decrypt' ? batchBytes : 0);
  meter.start(nameOf(image), direction > 0 ? size - from * batchBytes : Math.min(size, (from + 1) * batchBytes));
  try {
    for (let batch = from; batch >= 0 && batch < batches; batch += direction) {
      const at = batch * batchBytes;
      const ciphertext = journal.ciphertext(batch);
      if (!(await lock.isHeld())) throw new Failure(`${file.name}: the lock of this run was removed`);
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
    if (await storage.look(journalOf(image))) await storage.remove(journalOf(image));
    await storage.flushFolder(folderOf(image));
  } catch (error) {
    if (!(error instanceof Failure) || !(await storage.look(journalOf(image)))) throw error;
    throw new Failure(`${error.message}; the journal is there for lanewise disk resume, or undo`, { cause: error });
  } finally {
    meter.stop();
    clean(plain);
  }
}
