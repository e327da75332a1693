/** Encrypts and decrypts the chunks of one part of an age file (C2SP age, "Payload"). */
import { chacha20poly1305 } from 'lanewise/chacha.js';
import { CHUNK_BYTES, SEALED_CHUNK_BYTES, type Part } from './plan.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = SEALED_CHUNK_BYTES - CHUNK_BYTES;

/** Bytes as they come from a source, in pieces of any length. */
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A chunk whose tag is wrong: no attempt can be better. */
export class NotAuthentic extends Error {
  override readonly name = 'NotAuthentic';
  readonly final = true;
}

/** The nonce of a chunk: its number as 11 bytes, big-endian, and a byte that is 1 for the last chunk of the file. */
function nonceOf(chunk: number, last: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setBigUint64(NONCE_BYTES - 9, BigInt(chunk));
  nonce[NONCE_BYTES - 1] = last ? 1 : 0;
  return nonce;
}

/** Calls with the cipher of one chunk, which is wiped afterwards. */
function withCipher(
  key: Uint8Array,
  chunk: number,
  last: boolean,
  work: (cipher: ReturnType<typeof chacha20poly1305>) => void,
): void {
  const cipher = chacha20poly1305(key, nonceOf(chunk, last));
  try {
    work(cipher);
  } finally {
    cipher.destroy();
  }
}

const wrongLength = (part: Part, expected: number, got: string): Error =>
  new Error(`part ${part.number} expected ${expected} bytes of the source, got ${got}`);

/** Fills `out` piece by piece, and wipes it unless all of it was filled without an error. */
async function filling(out: Uint8Array, length: number, work: () => Promise<void>): Promise<void> {
  if (out.length !== length)
    throw new RangeError(`"out" expected Uint8Array of length ${length}, got length=${out.length}`);
  let done = false;
  try {
    await work();
    done = true;
  } finally {
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
export const sealPart = (payloadKey: Uint8Array, part: Part, pieces: Pieces, out: Uint8Array): Promise<void> =>
  filling(out, part.cipherLength, async () => {
    const { plainLength } = part;
    /** Encrypts the chunk that ends at `done`, in its place. */
    const seal = (done: number): void => {
      const index = Math.max(0, Math.ceil(done / CHUNK_BYTES) - 1);
      const at = index * SEALED_CHUNK_BYTES;
      const length = done - index * CHUNK_BYTES;
      withCipher(payloadKey, part.chunk + index, part.last && done === plainLength, (cipher) => {
        cipher.encrypt(out.subarray(at, at + length), out.subarray(at, at + length + TAG_BYTES));
      });
    };
    let done = 0;
    for await (const piece of pieces) {
      if (done + piece.length > plainLength) throw wrongLength(part, plainLength, 'more');
      for (let taken = 0; taken < piece.length;) {
        const within = done % CHUNK_BYTES;
        const some = piece.subarray(taken, taken + CHUNK_BYTES - within);
        out.set(some, Math.floor(done / CHUNK_BYTES) * SEALED_CHUNK_BYTES + within);
        taken += some.length;
        done += some.length;
        if (done % CHUNK_BYTES === 0 || done === plainLength) seal(done);
      }
    }
    if (done < plainLength) throw wrongLength(part, plainLength, `${done}`);
    // Only an empty file has an empty chunk; a part of nothing but the header has none.
    if (plainLength === 0 && part.cipherLength > 0) seal(0);
  });

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
export const openPart = (payloadKey: Uint8Array, part: Part, pieces: Pieces, out: Uint8Array): Promise<void> =>
  filling(out, part.plainLength, async () => {
    const { cipherLength } = part;
    const kept = new Uint8Array(SEALED_CHUNK_BYTES);
    let held = 0;
    let opened = 0;
    const open = (sealed: Uint8Array): void => {
      const index = opened / SEALED_CHUNK_BYTES;
      const at = index * CHUNK_BYTES;
      const length = sealed.length - TAG_BYTES;
      const last = part.last && opened + sealed.length === cipherLength;
      withCipher(payloadKey, part.chunk + index, last, (cipher) => {
        try {
          cipher.decrypt(sealed, out.subarray(at, at + length));
        } catch {
          const orTruncated = last ? ', or the file is truncated' : '';
          throw new NotAuthentic(`part ${part.number}: chunk ${part.chunk + index} is not authentic${orTruncated}`);
        }
      });
      opened += sealed.length;
    };
    for await (const piece of pieces) {
      if (opened + held + piece.length > cipherLength) throw wrongLength(part, cipherLength, 'more');
      for (let taken = 0; taken < piece.length;) {
        const length = Math.min(SEALED_CHUNK_BYTES, cipherLength - opened);
        const some = piece.subarray(taken, taken + length - held);
        taken += some.length;
        if (some.length === length) {
          open(some);
          continue;
        }
        kept.set(some, held);
        held += some.length;
        if (held < length) continue;
        open(kept.subarray(0, held));
        held = 0;
      }
    }
    if (opened < cipherLength) throw wrongLength(part, cipherLength, `${opened + held}`);
  });
