/**
 * Step 8: a little-endian host reads words where the bytes of the message are, through a view. Only the last block of a
 * message is still put together from bytes. The digest is the first words of the stack as they lie in memory.
 */
import { readLast } from './generated/5-no-copies.ts';
import { compress } from './generated/6-message-words.ts';
import { hash as hashOfBytes } from './generated/7-buffers.ts';
import { BLOCK_BYTES, BLOCK_WORDS, CHUNK_BYTES, CHUNK_END, CHUNK_START, CV_WORDS, IV } from './specification.ts';
import { finish, newStack } from './tree-in-place.ts';

const LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** A message with a view of all its whole words. */
export interface Viewed {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** Undefined if the host is big-endian, or the message does not begin at a multiple of four bytes of its buffer. */
export function viewed(bytes: Uint8Array): Viewed | undefined {
  if (!LITTLE_ENDIAN || bytes.byteOffset % 4 !== 0) return undefined;
  return { bytes, words: new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2) };
}

const lastWords = new Uint32Array(BLOCK_WORDS);
const stack = newStack();
const digest = new Uint8Array(stack.values.buffer, 0, 4 * CV_WORDS);

export function chunk(
  { bytes, words }: Viewed,
  from: number,
  to: number,
  root: number,
  out: Uint32Array,
  outAt: number,
): void {
  const counter = from / CHUNK_BYTES;
  let values = IV;
  let valueAt = 0;
  let start = CHUNK_START;
  let at = from;
  for (; to - at > BLOCK_BYTES; at += BLOCK_BYTES) {
    compress(values, valueAt, words, at >> 2, counter, BLOCK_BYTES, start, out, outAt);
    values = out;
    valueAt = outAt;
    start = 0;
  }
  const flags = start | CHUNK_END | root;
  if (to - at === BLOCK_BYTES) {
    compress(values, valueAt, words, at >> 2, counter, BLOCK_BYTES, flags, out, outAt);
  } else {
    readLast(bytes, at, to, lastWords);
    compress(values, valueAt, lastWords, 0, counter, to - at, flags, out, outAt);
  }
}

export function hash(message: Uint8Array): Uint8Array {
  const view = viewed(message);
  if (!view) return hashOfBytes(message);
  finish(stack, view, 0, message.length, chunk, compress);
  return digest.slice();
}
