/** Encrypts and decrypts the chunks of one part of an age file, by the part of its payload that they are. */
import { agePayload, type AgePayloadPart, type Opener, type Sealer } from 'lanewise/stream.js';
import type { Part } from './plan.ts';

/** Bytes as they come from a source, in pieces of any length. */
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A chunk whose tag is wrong: no attempt can be better. */
export class NotAuthentic extends Error {
  override readonly name = 'NotAuthentic';
  readonly final = true;
}

const partOf = ({ chunk, last }: Part): AgePayloadPart => ({ firstChunk: chunk, isLast: last });

/** Fills `out` with what a sealer or an opener makes of the pieces, and wipes it unless all of it was filled without an error. */
async function convert(
  part: Part,
  [expected, length]: readonly [input: number, output: number],
  machine: Sealer | Opener,
  pieces: Pieces,
  out: Uint8Array,
  call: (work: () => Uint8Array) => Uint8Array = (work) => work(),
): Promise<void> {
  const wrongLength = (got: string): Error =>
    new Error(`part ${part.number} expected ${expected} bytes of the source, got ${got}`);
  let [taken, made, done] = [0, 0, false];
  try {
    if (out.length !== length)
      throw new RangeError(`"out" expected Uint8Array of length ${length}, got length=${out.length}`);
    for await (const piece of pieces) {
      taken += piece.length;
      if (taken > expected) throw wrongLength('more');
      made += call(() => machine.push(piece, out.subarray(made))).length;
    }
    if (taken < expected) throw wrongLength(`${taken}`);
    // Only an empty file has an empty chunk; a part of nothing but the header has none.
    if (length > made || part.cipherLength > 0) call(() => machine.end(out.subarray(made)));
    done = true;
  } finally {
    machine.destroy();
    if (!done) out.fill(0);
  }
}

/**
 * Encrypts the chunks of one part.
 *
 * The nonces count chunks, so **one key and one number encrypt the same bytes always**: an attempt that is made again, or a neighbour
 * that has the other side of a chunk, reads the same version of the source, by its entity tag, and makes the same ciphertext.
 *
 * @param payloadKey - 32 bytes.
 * @param part - Of a plan.
 * @param pieces - The plaintext of its chunks.
 * @param out - Where the chunks go: `cipherLength` bytes. Wiped on failure.
 * @throws By rejection: Error if the plaintext is shorter or longer than the part, or whatever the source throws.
 */
export async function sealPart(payloadKey: Uint8Array, part: Part, pieces: Pieces, out: Uint8Array): Promise<void> {
  const payload = agePayload(payloadKey);
  const sealer = payload.sealer(partOf(part));
  payload.destroy();
  await convert(part, [part.plainLength, part.cipherLength], sealer, pieces, out);
}

/**
 * Decrypts the chunks of one part. Nothing of it may be used before the promise is fulfilled.
 *
 * @param payloadKey - 32 bytes.
 * @param part - Of a plan.
 * @param pieces - Its chunks.
 * @param out - Where the plaintext goes: `plainLength` bytes. Wiped on failure.
 * @throws By rejection: NotAuthentic if a tag is wrong; Error if the source is shorter or longer than the part, or whatever the source
 * throws.
 */
export async function openPart(payloadKey: Uint8Array, part: Part, pieces: Pieces, out: Uint8Array): Promise<void> {
  const payload = agePayload(payloadKey);
  const opener = payload.opener(partOf(part));
  payload.destroy();
  await convert(part, [part.cipherLength, part.plainLength], opener, pieces, out, (work) => {
    try {
      return work();
    } catch (error) {
      throw new NotAuthentic(`part ${part.number}: ${(error as Error).message}`, { cause: error });
    }
  });
}
