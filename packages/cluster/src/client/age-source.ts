/** Looks at an age file before it is decrypted: its header, its size and its end. */
import { HeaderReader } from '@lanewise/age/files.js';
import { agePayload } from 'lanewise/stream.js';
import type { ObjectVersion, Reader } from '../objects/object.ts';

/** How much of a source is read in search of the end of its header, at first. */
const FIRST_READ = 4096;
/** Armor may have white space in front. */
const ARMOR = /^\s*-----BEGIN AGE /;

async function readAll(
  reader: Reader,
  object: ObjectVersion,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  let at = 0;
  for await (const piece of reader.read(object, from, to - from, signal)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Reads the header of a source, and its salt.
 *
 * @throws By rejection: Error if the source is armored, or isn't an age file, and errors of the reader.
 */
export async function headerIn(reader: Reader, object: ObjectVersion, signal?: AbortSignal): Promise<HeaderReader> {
  const header = new HeaderReader();
  for (let length = FIRST_READ; !header.complete; length *= 2) {
    const from = header.length;
    if (from === object.size) throw new Error(`the source is no age file: ${header.truncated().message}`);
    const bytes = await readAll(reader, object, from, Math.min(object.size, from + length), signal);
    if (from === 0 && ARMOR.test(new TextDecoder('latin1').decode(bytes)))
      throw new Error(
        'the source is an armored age file, which is text and has no parts: decrypt it in one place, or store it without armor',
      );
    try {
      header.push(bytes);
    } catch (error) {
      throw new Error(`the source is no age file: ${(error as Error).message}`, { cause: error });
    }
  }
  return header;
}

/** The size of the plaintext, from that of the file. */
export function plaintextSizeOf({ size }: ObjectVersion, headerBytes: number): number {
  try {
    return agePayload.plaintextSize(size - headerBytes);
  } catch (error) {
    throw new Error(`the source is truncated after ${size} bytes, or no age file: none has this size`, {
      cause: error,
    });
  }
}

/** Decrypts the last chunk, so that a wrong key or a file that is cut off is found before the work begins. */
export async function checkEnd(
  reader: Reader,
  object: ObjectVersion,
  headerBytes: number,
  payloadKey: Uint8Array,
  signal?: AbortSignal,
): Promise<void> {
  const source = {
    size: object.size,
    read: (from: number, to: number) => readAll(reader, object, from, to, signal),
  };
  const payload = agePayload(payloadKey);
  const opening = payload.reader(source, { offset: headerBytes, ...(signal && { signal }) });
  payload.destroy();
  (await opening).destroy();
}
