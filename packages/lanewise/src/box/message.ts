/**
 * A message in the format of C2SP chunked-encryption with ChaCha20-Poly1305: a salt, a commitment to key and context, and chunks, the
 * last of which is shorter than the others.
 */
import { randomBytes } from '../calls/random.ts';
import { chacha20poly1305 } from '../chacha.ts';
import { Bytes, copyBytes, fillBytes, floor, min, part } from '../engine/intrinsics.ts';
import { expand, sha512 } from '../sha2.ts';

const SALT = 24;
const COMMITMENT = 32;
export const HEADER = SALT + COMMITMENT;
const TAG = 16;
const CHUNK = 16384;
const KEY = 32;
const NONCE = 12;
const LABEL = /* @__PURE__ */ Bytes.from('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0', (letter) =>
  letter.charCodeAt(0),
);

/** The input of the last derivation: nothing of it is secret. */
let info = LABEL;

/**
 * The result of the last derivation, which is wiped after its use, with views of its key and base nonce: all results under a key of a box go to one
 * array, and making views of it takes a while.
 */
let views: readonly [result: Uint8Array, key: Uint8Array, nonce: Uint8Array] | undefined;

/** "Key derivation", with the salt at `from`: key, base nonce and commitment, one after the other. */
function derive(key: Uint8Array, salt: Uint8Array, from: number, context: Uint8Array): Uint8Array {
  const length = LABEL.length + SALT + context.length;
  // Making an array of this length costs more than filling it.
  if (info.length !== length) copyBytes((info = new Bytes(length)), LABEL);
  for (let i = 0; i < SALT; i++) info[LABEL.length + i] = salt[from + i];
  if (context.length > 0) copyBytes(info, context, LABEL.length + SALT);
  // All of the two digests, because reading a part takes another view of the kernel's memory.
  return expand(sha512, key, info, 2 * sha512.outputLen);
}

/**
 * Seals or opens all chunks. Each has a nonce, the base nonce XOR its number, big-endian ("AEAD usage"). Where they begin in both arrays, and
 * how many bytes of a tag follow each there, is given.
 */
function eachChunk(
  work: 'encrypt' | 'decrypt',
  keys: Uint8Array,
  size: number,
  from: Uint8Array,
  start: number,
  tag: number,
  to: Uint8Array,
  toStart: number,
  toTag: number,
): void {
  if (views?.[0] !== keys) views = [keys, part(keys, 0, KEY), part(keys, KEY, NONCE)];
  const nonce = views[2];
  for (let index = 0, at = 0; at <= size; at += CHUNK) {
    const its = min(CHUNK, size - at);
    // Making a view of an array costs a fiftieth of opening a short message.
    const out = toStart || size >= CHUNK ? part(to, toStart + at + index * toTag, its + toTag) : to;
    chacha20poly1305(views[1], nonce)[work](part(from, start + at + index * tag, its + tag), out);
    for (let change = index ^ ++index, i = NONCE - 1; change > 0; change >>>= 8) nonce[i--] ^= change;
  }
}

/** Seals a message behind a prefix. */
export function sealMessage(
  key: Uint8Array,
  prefix: Uint8Array,
  message: Uint8Array,
  length: number,
  context: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const start = prefix.length;
  // The last chunk is never full.
  const out = new Bytes(start + HEADER + length + TAG * (floor(length / CHUNK) + 1));
  copyBytes(out, prefix);
  copyBytes(out, randomBytes(SALT), start);
  const keys = derive(key, out, start, context);
  try {
    copyBytes(out, part(keys, KEY + NONCE, COMMITMENT), start + SALT);
    eachChunk('encrypt', keys, length, message, 0, 0, out, start + HEADER, TAG);
  } finally {
    fillBytes(keys, 0);
  }
  return out;
}

/** Opens a message of `length` bytes, whose prefix has `start`. */
export function openMessage(
  key: Uint8Array,
  sealed: Uint8Array,
  start: number,
  length: number,
  context: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const chunks = floor((length - start - HEADER) / (CHUNK + TAG));
  const size = length - start - HEADER - TAG * (chunks + 1);
  // Before these and a last tag there are full chunks.
  if (chunks < 0 || size < chunks * CHUNK)
    throw new Error(`cannot open: no sealed message has ${length} bytes, so this one is truncated, or something else`);
  const keys = derive(key, sealed, start, context);
  const out = new Bytes(size);
  try {
    let different = 0;
    for (let i = 0; i < COMMITMENT; i++) different |= sealed[start + SALT + i] ^ keys[KEY + NONCE + i];
    if (different) throw new Error('cannot open: sealed under another key or "for", or changed');
    eachChunk('decrypt', keys, size, sealed, start + HEADER, TAG, out, 0, 0);
    return out;
  } catch (error) {
    // Nothing of a message that isn't whole is given away.
    fillBytes(out, 0);
    throw error;
  } finally {
    fillBytes(keys, 0);
  }
}
