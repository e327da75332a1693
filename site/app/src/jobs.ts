/** The work on one file. */
import { Decrypter, readHeader, type Encrypter } from '@lanewise/age';
import { bytesToHex } from 'lanewise/utils.js';
import type { Output, Result } from './outputs/output.ts';
import { pool } from './workers.ts';

export interface Job {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/** Begins the output, which is done only when a key was found. */
export type Open = (size: number | undefined) => Promise<Output>;

/** Writes all of a stream to an output, and removes the output if anything fails. */
async function deliver(stream: ReadableStream<Uint8Array<ArrayBuffer>>, output: Output, signal: AbortSignal) {
  try {
    await stream.pipeTo(new WritableStream({ write: (bytes) => output.write(bytes) }), { signal });
    return await output.finish();
  } catch (error) {
    await output.discard();
    throw error;
  }
}

async function opened(open: Open, stream: ReadableStream<Uint8Array>, size: number | undefined): Promise<Output> {
  try {
    return await open(size);
  } catch (error) {
    await stream.cancel();
    throw error;
  }
}

export async function encryptFile(
  file: File,
  encrypter: Encrypter,
  armor: boolean,
  open: Open,
  { signal, onProgress }: Job,
): Promise<Result> {
  const stream = await encrypter.encrypt(file, { armor, signal, onProgress, pool });
  return deliver(stream, await opened(open, stream, stream.size(file.size)), signal);
}

/** How much of a file is read at a time. Streams of files give far smaller pieces, which some browsers read slowly. */
const READ_BYTES = 4 * 2 ** 20;

async function* piecesOf(file: File): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += READ_BYTES)
    yield new Uint8Array(await file.slice(at, at + READ_BYTES).arrayBuffer());
}

/** Uses a decrypter that knows the key of this file, so that a person is asked for it once. */
async function withKeyOf<Made>(
  file: File,
  decrypter: Decrypter,
  use: (knowing: Decrypter) => Promise<Made>,
): Promise<Made> {
  const { header, rest } = await readHeader(file);
  await rest.return(undefined);
  const key = await decrypter.decryptHeader(header.header);
  try {
    const knowing = new Decrypter();
    knowing.addIdentity({ unwrapFileKey: () => Promise.resolve(key.slice()) });
    return await use(knowing);
  } finally {
    key.fill(0);
  }
}

async function decryptOnce(file: File, decrypter: Decrypter, open: Open, { signal, onProgress }: Job): Promise<Result> {
  const stream = await decrypter.decrypt(piecesOf(file), undefined, { signal, onProgress, pool });
  // The size is not known beforehand if the file is text.
  return deliver(stream, await opened(open, stream, undefined), signal);
}

/**
 * @param releasesEarly - Whether the output cannot take bytes back. Then all of the file is decrypted once without an output, so that
 * nothing of a damaged file gets out.
 */
export async function decryptFile(
  file: File,
  decrypter: Decrypter,
  open: Open,
  releasesEarly: boolean,
  job: Job,
): Promise<Result> {
  if (!releasesEarly) return decryptOnce(file, decrypter, open, job);
  const { signal, onProgress } = job;
  return withKeyOf(file, decrypter, async (knowing) => {
    const stream = await knowing.decrypt(piecesOf(file), undefined, {
      signal,
      pool,
      onProgress: (done) => onProgress(done / 2),
    });
    await stream.pipeTo(new WritableStream(), { signal });
    const second = (done: number): void => onProgress((file.size + done) / 2);
    return decryptOnce(file, knowing, open, { signal, onProgress: second });
  });
}

/** The BLAKE3 hash in hexadecimal, as b3sum prints it. */
export async function hashFile(file: File, { signal, onProgress }: Job): Promise<string> {
  return bytesToHex(await pool.blake3(file, { signal, onProgress }));
}
