/**
 * A message in the format of C2SP chunked-encryption with ChaCha20-Poly1305: a salt, a commitment to key and context, and chunks, the
 * last of which is shorter than the others.
 */
import { equalBytes } from '../calls/bytes.ts';
import { randomBytes } from '../calls/random.ts';
import { chacha20poly1305, type Aead } from '../chacha.ts';
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

/** "Key derivation", with the salt at `from`: key, base nonce and commitment, one after the other. */
function derive(key: Uint8Array, salt: Uint8Array, from: number, context: Uint8Array): Uint8Array {
  const length = LABEL.length + SALT + context.length;
  // Making an array of this length costs more than filling it.
  if (info.length !== length) copyBytes((info = new Bytes(length)), LABEL);
  for (let i = 0; i < SALT; i++) info[LABEL.length + i] = salt[from + i];
  copyBytes(info, context, LABEL.length + SALT);
  return expand(sha512, key, info, KEY + NONCE + COMMITMENT);
}

/** Visits the chunks, each with its cipher, whose nonce is the base nonce XOR its number, big-endian ("AEAD usage"). */
function eachChunk(count: number, keys: Uint8Array, visit: (index: number, cipher: Aead) => void): void {
  const [key, nonce] = [part(keys, 0, KEY), part(keys, KEY, NONCE)];
  for (let index = 0; index < count;) {
    visit(index, chacha20poly1305(key, nonce));
    for (let change = index ^ ++index, at = NONCE - 1; change > 0; change >>>= 8) nonce[at--] ^= change;
  }
}

/** The number of chunks of a plaintext: the last one is never full. */
const chunksOf = (length: number): number => floor(length / CHUNK) + 1;

/** How much longer than its plaintext a sealed message is. */
const added = (length: number): number => HEADER + chunksOf(length) * TAG;

/** Seals a message behind a prefix. */
export function sealMessage(
  key: Uint8Array,
  prefix: Uint8Array,
  message: Uint8Array,
  length: number,
  context: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const start = prefix.length;
  const out = new Bytes(start + length + added(length));
  copyBytes(out, prefix);
  copyBytes(out, randomBytes(SALT), start);
  const keys = derive(key, out, start, context);
  try {
    copyBytes(out, part(keys, KEY + NONCE, COMMITMENT), start + SALT);
    eachChunk(chunksOf(length), keys, (index, cipher) => {
      const from = index * CHUNK;
      const size = min(CHUNK, length - from);
      const to = part(out, start + HEADER + index * (CHUNK + TAG), size + TAG);
      cipher.encrypt(part(message, from, size), to);
    });
  } finally {
    fillBytes(keys, 0);
  }
  return out;
}

/** The length of the plaintext of a message that has so many bytes without its prefix; -1 if no message has. */
function plaintextOf(length: number): number {
  const rest = length - HEADER;
  const last = rest % (CHUNK + TAG);
  return rest < TAG || last < TAG ? -1 : floor(rest / (CHUNK + TAG)) * CHUNK + last - TAG;
}

/** Opens a message of `length` bytes, whose prefix has `start`. */
export function openMessage(
  key: Uint8Array,
  sealed: Uint8Array,
  start: number,
  length: number,
  context: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const size = plaintextOf(length - start);
  if (size < 0)
    throw new Error(`cannot open: no sealed message has ${length} bytes, so this one is truncated, or something else`);
  const keys = derive(key, sealed, start, context);
  const out = new Bytes(size);
  try {
    if (!equalBytes(part(sealed, start + SALT, COMMITMENT), part(keys, KEY + NONCE, COMMITMENT)))
      throw new Error('cannot open: sealed under another key or "for", or changed');
    eachChunk(chunksOf(size), keys, (index, cipher) => {
      const from = index * CHUNK;
      const its = min(CHUNK, size - from);
      cipher.decrypt(part(sealed, start + HEADER + index * (CHUNK + TAG), its + TAG), part(out, from, its));
    });
    return out;
  } catch (error) {
    // Nothing of a message that isn't whole is given away.
    fillBytes(out, 0);
    throw error;
  } finally {
    fillBytes(keys, 0);
  }
}
