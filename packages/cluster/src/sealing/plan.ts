/** How an age file is cut into parts that different machines encrypt or decrypt. */
import { agePayload } from 'lanewise/stream.js';
import { integerOf } from '../jobs/check.ts';

/** Plaintext bytes of every chunk but the last (C2SP age, "Payload"). */
export const CHUNK_BYTES = agePayload.chunkLength;
/** The same with its tag. */
export const SEALED_CHUNK_BYTES = agePayload.chunkLength + agePayload.tagLength;
/** The most parts that an upload to S3 may have, and so the most jobs of one task. */
export const MOST_PARTS = 10_000;
/** Chunks of a part unless given: 64 MiB, which a thread holds in memory. */
const PART_CHUNKS = 1024;
/** S3 refuses smaller parts than 5 MiB, the last part excepted: 80 chunks of plaintext are 5 MiB. */
const LEAST_S3_PART_CHUNKS = 80;
/** S3 refuses larger parts than 5 GiB. */
const MOST_PART_CHUNKS = Math.floor((5 * 2 ** 30) / SEALED_CHUNK_BYTES);
/** @lanewise/age reads no longer header; its salt follows. */
export const MOST_HEADER_BYTES = 2 ** 20 + 16;
/** The most bytes of plaintext: as many parts as there may be, with room for any header. */
const MOST_BYTES = MOST_PARTS * MOST_PART_CHUNKS * CHUNK_BYTES - MOST_HEADER_BYTES;

export type Kind = 'encrypt' | 'decrypt';

/** How a file is cut. */
export interface Plan {
  /** Of the plaintext, in bytes. */
  readonly size: number;
  /** Header and salt, in front of the chunks. */
  readonly headerBytes: number;
  /** Chunks that make the length of a part: of an encryption with their tags, of a decryption without. */
  readonly partChunks: number;
}

/** One part of the target, and the chunks that it has bytes of. */
export interface Part {
  /** From 1, as in S3. */
  readonly number: number;
  /** Where it begins in the target. */
  readonly offset: number;
  readonly length: number;
  /** The number of its first chunk in the file, from 0. */
  readonly chunk: number;
  /** Where the plaintext of its chunks begins. */
  readonly plainOffset: number;
  readonly plainLength: number;
  /** Where its chunks begin in the file, whose first byte is that of the header. */
  readonly cipherOffset: number;
  readonly cipherLength: number;
  /** Whether its last chunk is the last of the file. */
  readonly last: boolean;
}

const chunksOf = (size: number): number => Math.max(1, Math.ceil(size / CHUNK_BYTES));

/** The bytes of the whole age file. */
export const fileSizeOf = ({ size, headerBytes }: Pick<Plan, 'size' | 'headerBytes'>): number =>
  headerBytes + agePayload.ciphertextSize(size);

/** Bytes of the target, and of a chunk in it. */
const targetOf = (kind: Kind, plan: Pick<Plan, 'size' | 'headerBytes'>): readonly [bytes: number, chunk: number] =>
  kind === 'encrypt' ? [fileSizeOf(plan), SEALED_CHUNK_BYTES] : [plan.size, CHUNK_BYTES];

/**
 * Cuts a file.
 *
 * @param kind - The operation.
 * @param size - Of the plaintext, in bytes.
 * @param headerBytes - Of header and salt.
 * @param partChunks - Chunks of a part; unless given 1024, and more if these were more than 10,000 parts.
 * @param target - Where the parts go: S3 has a least size of parts.
 * @throws TypeError or RangeError if an argument is not of that form, or the object is too large.
 */
export function planOf(
  kind: Kind,
  size: number,
  headerBytes: number,
  partChunks: number | undefined,
  target: string,
): Plan {
  integerOf(headerBytes, 'headerBytes', 1, MOST_HEADER_BYTES);
  integerOf(size, 'size', 0, MOST_BYTES);
  const [bytes, chunk] = targetOf(kind, { size, headerBytes });
  const needed = Math.ceil(bytes / (MOST_PARTS * chunk));
  if (partChunks === undefined) return { size, headerBytes, partChunks: Math.max(PART_CHUNKS, needed) };
  const least = Math.max(1, needed, target.startsWith('s3:') ? LEAST_S3_PART_CHUNKS : 0);
  integerOf(partChunks, 'partChunks', least, MOST_PART_CHUNKS);
  return { size, headerBytes, partChunks };
}

/** The number of parts of the target. An empty one has a part, too: its chunk has a tag. */
export function partsIn(kind: Kind, plan: Plan): number {
  const [bytes, chunk] = targetOf(kind, plan);
  return Math.max(1, Math.ceil(bytes / (plan.partChunks * chunk)));
}

/**
 * One part of the target. All but the last have one length, because there are stores that take no others (Cloudflare R2). An encrypted
 * file has a header in front, so its parts begin and end within chunks, and a chunk at such an edge belongs to two parts: both encrypt
 * it, and each has its side of it. No nonce is used for two texts by that. Both read the same version of the source, so they encrypt the
 * same bytes; and should a store ever serve two texts as one version, then one side of the one and the other side of the other are
 * stored, in which no byte of the key stream is used twice, and which is not authentic as a whole.
 *
 * @throws TypeError or RangeError if there is no part of that number.
 */
export function partAt(kind: Kind, plan: Plan, number: number): Part {
  const count = partsIn(kind, plan);
  integerOf(number, 'number', 1, count);
  const [bytes, chunkBytes] = targetOf(kind, plan);
  const partBytes = plan.partChunks * chunkBytes;
  const offset = (number - 1) * partBytes;
  const end = Math.min(bytes, number * partBytes);
  const headerBytes = kind === 'encrypt' ? plan.headerBytes : 0;
  const chunks = chunksOf(plan.size);
  // A part of a long header may have no chunk.
  const chunk = Math.max(0, Math.floor((offset - headerBytes) / chunkBytes));
  const behind = number === count ? chunks : Math.max(0, Math.ceil((end - headerBytes) / chunkBytes));
  const plainOffset = chunk * CHUNK_BYTES;
  const plainLength = Math.min(plan.size, behind * CHUNK_BYTES) - plainOffset;
  return {
    number,
    offset,
    length: end - offset,
    chunk,
    plainOffset,
    plainLength,
    cipherOffset: plan.headerBytes + chunk * SEALED_CHUNK_BYTES,
    cipherLength: plainLength + (behind - chunk) * agePayload.tagLength,
    last: behind === chunks,
  };
}
