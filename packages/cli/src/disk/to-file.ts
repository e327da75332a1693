/** An image that is encrypted or decrypted into another file, which appears when it is whole. */
import { rmSync } from 'node:fs';
import { bytesToHex, clean, randomBytes } from 'lanewise/utils.js';
import { Failure, UsageError } from '../command.ts';
import { onSignals } from './signals.ts';
import { behind, folderOf, nameOf, readAll, writeAll, type Path, type Storage, type StoredFile } from './storage.ts';

/** Read and written at a time, or a little less: whole sectors. */
const BATCH_BYTES = 4 * 2 ** 20;
const TAG_BYTES = 6;

export interface Copy {
  readonly storage: Storage;
  readonly image: Path;
  readonly size: number;
  readonly output: Path;
  /** Who may read and write the output. */
  readonly mode: number;
  /** Whether an output that is there is replaced. */
  readonly force: boolean;
  readonly sectorSize: number;
  /** Changes whole sectors in place; the first is at byte `at` of the image. */
  readonly convert: (bytes: Uint8Array, at: number) => void;
  readonly advance: (bytes: number) => void;
}

/** @throws UsageError if the output is the image, or is there and may not be replaced. */
export async function checkOutput({ storage, image, output, force }: Copy): Promise<void> {
  const found = await storage.look(output);
  if (!found) return;
  const name = nameOf(output);
  if (found.identity === (await storage.look(image))?.identity)
    throw new UsageError(`${name}: the output is the image; --in-place changes it`);
  if (!found.regular) throw new UsageError(`${name}: not a regular file`);
  if (!force) throw new UsageError(`${name} is there; --force replaces it`);
}

export async function convertToFile(copy: Copy, most = BATCH_BYTES): Promise<void> {
  const { storage, image, output, mode } = copy;
  await checkOutput(copy);
  const from = await storage.open(image, 'read');
  try {
    const draft = behind(output, `.${bytesToHex(randomBytes(TAG_BYTES))}.new`);
    // Half a plaintext must not be left behind: heard from before the file is there.
    const offSignals = onSignals(() => rmSync(draft, { force: true }));
    try {
      const to = await storage.create(draft, mode);
      if (!to) throw new Failure(`${nameOf(draft)}: is there`);
      try {
        await convert(copy, from, to, most - (most % copy.sectorSize)).finally(() => to.close());
        // Once more: much time has passed.
        await checkOutput(copy);
        await storage.rename(draft, output);
      } catch (error) {
        await storage.remove(draft);
        throw error;
      }
    } finally {
      offSignals();
    }
    await storage.flushFolder(folderOf(output));
  } finally {
    await from.close();
  }
}

/** The next batch is read while one is converted and written; in the end all is flushed. */
async function convert(copy: Copy, from: StoredFile, to: StoredFile, batchBytes: number): Promise<void> {
  const { size } = copy;
  let [filling, filled] = [0, 0].map(() => new Uint8Array(Math.min(size, batchBytes)));
  const fill = async (at: number): Promise<Uint8Array> => {
    const bytes = filling.subarray(0, Math.max(0, size - at));
    await readAll(from, bytes, at);
    return bytes;
  };
  let next = fill(0);
  try {
    for (let at = 0; at < size; at += batchBytes) {
      const bytes = await next;
      [filling, filled] = [filled, filling];
      next = fill(at + batchBytes);
      // If writing fails, nobody asks how reading went.
      next.catch(() => undefined);
      copy.convert(bytes, at);
      await writeAll(to, bytes, at);
      copy.advance(bytes.length);
    }
    await to.flush();
  } finally {
    // The file is closed next: not under a read.
    await next.catch(() => undefined);
    clean(filling, filled);
  }
}
