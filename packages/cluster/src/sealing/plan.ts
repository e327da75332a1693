/** How an age file is cut into parts that different machines encrypt or decrypt. */
import { agePayload } from 'lanewise/stream.js';
import { integerOf } from '../jobs/check.ts';

/** Plaintext bytes of every chunk but the last (C2SP age, "Payload"). */
export const CHUNK_BYTES = agePayload.chunkLength;
/** The same with its tag. */
export const SEALED_CHUNK_BYTES = agePayload.chunkLength + agePayload.tagLength;
/** The most parts that an upload to S3 may have, and so the most jobs of one work. */
export const MOST_PARTS = 10_000;
/** Chunks of a part unless given: 64 MiB, which a thread holds in memory. */
const PART_CHUNKS = 1024;
/** S3 refuses smaller parts than 5 MiB, the last part excepted: 80 chunks of plaintext are 5 MiB. */
const LEAST_S3_PART_CHUNKS = 80;
/** S3 refuses larger parts than 5 GiB. */
const MOST_PART_BYTES = 5 * 2 ** 30;
/** @lanewise/age reads no longer header; its salt follows. */
export const MOST_HEADER_BYTES = 2 ** 20 + 16;

/** The most chunks of a part: the first has the header, too. */
const mostPartChunks = (headerBytes: number): number =>
  Math.floor((MOST_PART_BYTES - headerBytes) / SEALED_CHUNK_BYTES);

/** How a file is cut. All parts but the last have the same number of chunks. */
export interface Plan {
  /** Of the plaintext, in bytes. */
  readonly size: number;
  /** Header and salt, in front of the chunks. */
  readonly headerBytes: number;
  /** Chunks of each part but the last. */
  readonly partChunks: number;
}

/** One part of a file. */
export interface Part {
  /** From 1, as in S3. */
  readonly number: number;
  /** The number of its first chunk in the file, from 0. */
  readonly chunk: number;
  /** Where its plaintext begins. */
  readonly plainOffset: number;
  readonly plainLength: number;
  /** Where its chunks begin in the file, whose first byte is that of the header. */
  readonly cipherOffset: number;
  readonly cipherLength: number;
  /** Whether its last chunk is the last of the file. */
  readonly last: boolean;
}

const chunksOf = (size: number): number => Math.max(1, Math.ceil(size / CHUNK_BYTES));

/**
 * Cuts a file.
 *
 * @param size - Of the plaintext, in bytes.
 * @param headerBytes - Of header and salt.
 * @param partChunks - Chunks of a part; unless given 1024, and more if these were more than 10,000 parts.
 * @param target - Where the parts go: S3 has a least size of parts.
 * @throws TypeError or RangeError if an argument is not of that form, or the object is too large.
 */
export function planOf(size: number, headerBytes: number, partChunks: number | undefined, target: string): Plan {
  integerOf(headerBytes, 'headerBytes', 1, MOST_HEADER_BYTES);
  const most = mostPartChunks(headerBytes);
  integerOf(size, 'size', 0, MOST_PARTS * most * CHUNK_BYTES);
  const needed = Math.ceil(chunksOf(size) / MOST_PARTS);
  if (partChunks === undefined) return { size, headerBytes, partChunks: Math.min(most, Math.max(PART_CHUNKS, needed)) };
  const least = Math.max(needed, target.startsWith('s3:') ? LEAST_S3_PART_CHUNKS : 1);
  integerOf(partChunks, 'partChunks', least, most);
  return { size, headerBytes, partChunks };
}

/** The number of parts of a file. */
export const partsIn = ({ size, partChunks }: Plan): number => Math.ceil(chunksOf(size) / partChunks);

/** The bytes of the whole age file. */
export const fileSizeOf = ({ size, headerBytes }: Plan): number => headerBytes + agePayload.ciphertextSize(size);

/**
 * One part of a file.
 *
 * @throws TypeError or RangeError if there is no part of that number.
 */
export function partAt(plan: Plan, number: number): Part {
  const { size, headerBytes, partChunks } = plan;
  const count = partsIn(plan);
  integerOf(number, 'number', 1, count);
  const chunk = (number - 1) * partChunks;
  const last = number === count;
  const chunks = last ? chunksOf(size) - chunk : partChunks;
  const plainOffset = chunk * CHUNK_BYTES;
  const plainLength = last ? size - plainOffset : chunks * CHUNK_BYTES;
  return {
    number,
    chunk,
    plainOffset,
    plainLength,
    cipherOffset: headerBytes + chunk * SEALED_CHUNK_BYTES,
    cipherLength: plainLength + chunks * agePayload.tagLength,
    last,
  };
}
