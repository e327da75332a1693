/** The front of an age file that is read: its header, parsed by typage, and its salt. */
import type { Decrypter } from 'age-encryption';
import { HeaderReader } from './header.ts';
import { payloadKeyOf } from './payload-key.ts';

/** A file of which the front was read. */
export interface Opened {
  /** Bytes of header and salt. */
  readonly length: number;
  readonly header: Uint8Array;
  /** 32 bytes; to be wiped by whoever takes it. */
  readonly payloadKey: Uint8Array;
}

/** The front of a file, and the pieces behind it. */
export interface Split {
  readonly front: HeaderReader;
  readonly rest: AsyncGenerator<Uint8Array>;
}

async function* resumed(first: Uint8Array, pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length) yield first;
    yield* pieces;
  } finally {
    // A generator that was not started does not run its end by itself.
    await pieces.return(undefined);
  }
}

/** Reads a file up to its chunks. */
export async function split(pieces: AsyncGenerator<Uint8Array>): Promise<Split> {
  const front = new HeaderReader();
  try {
    while (!front.complete) {
      const step = await pieces.next();
      if (step.done) throw front.truncated();
      const taken = front.push(step.value);
      // The source may use its memory again for the next piece, but not before it is asked for one.
      if (front.complete) return { front, rest: resumed(step.value.subarray(taken), pieces) };
    }
  } catch (error) {
    await pieces.return(undefined);
    throw error;
  }
  throw front.truncated();
}

/** Finds the key of the payload with the identities of `decrypter`. */
export async function openFront(front: HeaderReader, decrypter: Decrypter): Promise<Opened> {
  const { header, salt, length } = front;
  const fileKey = await decrypter.decryptHeader(header);
  const payloadKey = payloadKeyOf(fileKey, salt);
  fileKey.fill(0);
  return { length, header, payloadKey };
}
