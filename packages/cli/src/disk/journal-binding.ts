/**
 * Checks that a journal belongs to an image, by the device and inode of the file and by its content.
 *
 * On the medium, the batch of the last record holds its old bytes, its new bytes, or some of both; the batches before and after
 * it are unchanged since the record was written. A journal of another image, or of one that was changed since, does not pass this
 * check: continuing it would encrypt a part of the image twice.
 */
import { clean } from 'lanewise/utils.js';
import { Failure } from '../command.ts';
import type { Journal } from './journal.ts';
import type { Sectors } from './sectors.ts';
import { readAll, type Information, type StoredFile } from './storage.ts';

interface Bound {
  readonly file: StoredFile;
  readonly about: Information;
  readonly sectors: Sectors;
  readonly journal: Journal;
  /** The current boot of the machine. */
  readonly boot: string | undefined;
  /** Accepts a match of the file alone or of the content alone. */
  readonly force: boolean;
}

/** @throws Failure if the journal is not that of the image. */
export async function checkBinding(bound: Bound): Promise<void> {
  const { file, journal, force } = bound;
  const same = { file: isSameNumber(bound), content: (await journal.hasNeighbours()) && (await hasBatch(bound)) };
  if (same.file && same.content) return;
  const reason = same.content
    ? `its journal ${journal.name} is that of another file`
    : `it is not as its journal ${journal.name} has it: another image, or changed since`;
  if (!same.file && !same.content) throw new Failure(`${file.name}: ${reason}`);
  if (!force)
    throw new Failure(
      `${file.name}: ${reason}; ${same.content ? 'if this is a copy of it' : 'if it was damaged'}, say --force`,
    );
}

function isSameNumber({ about, journal: { header }, boot }: Bound): boolean {
  if (about.inode !== header.inode) return false;
  // A device can have another number after a restart of the machine.
  return about.device === header.device || boot === undefined || boot !== header.boot;
}

/** Compares most bytes and not all of them, because a power cut can damage sectors that were being written. */
async function hasBatch({ file, sectors, journal }: Bound): Promise<boolean> {
  const { batch, header } = journal;
  const at = batch * header.batchBytes;
  const ciphertext = journal.ciphertext(batch);
  const plaintext = ciphertext.slice();
  const found = new Uint8Array(ciphertext.length);
  try {
    sectors.decrypt(plaintext, at);
    await readAll(file, found, at);
    let known = 0;
    for (let i = 0; i < found.length; i++) if (found[i] === ciphertext[i] || found[i] === plaintext[i]) known++;
    return 2 * known >= found.length;
  } finally {
    clean(plaintext, found);
  }
}
