/** The formats of streams by @noble's primitives and by libsodium.js, which check the contestants' results. */
import { gcm } from '@noble/ciphers/aes.js';
import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { equals, joined } from '../../client/bytes.ts';
import { messagesOf, type Direction, type Messages } from './messages.ts';

const TAG_BYTES = 16;
const AGE_CHUNK = 65536;
const CHUNKED_CHUNK = 16384;

/** The parts of a stream, each of `length` bytes, and the last, which may be shorter. */
export const partsOf = (bytes: Uint8Array, length: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) => bytes.subarray(i * length, (i + 1) * length));

/** The nonce of a chunk: its number, big-endian, and whether it is the last. C2SP age, "Payload" */
export function ageNonce(index: number, last: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, index);
  nonce[11] = Number(last);
  return nonce;
}

/** The numbers from 0 on. */
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The chunks of age's payload as messages, also with another AEAD than its own. The plaintext has some bytes. */
export function ageMessages(
  direction: Direction,
  key: Uint8Array,
  plaintext: Uint8Array,
  cipher: 'ChaCha20-Poly1305' | 'AES-GCM' = 'ChaCha20-Poly1305',
): Messages {
  const parts = partsOf(plaintext, AGE_CHUNK);
  const nonces = numbers(parts.length).map((i) => ageNonce(i, i === parts.length - 1));
  const aead = cipher === 'AES-GCM' ? gcm : chacha20poly1305;
  return messagesOf(direction, key, parts, nonces, (nonce, part) => aead(key, nonce).encrypt(part));
}

/** The plaintext of a payload. */
export function openedAge(key: Uint8Array, payload: Uint8Array): Uint8Array {
  const parts = partsOf(payload, AGE_CHUNK + TAG_BYTES);
  return joined(parts.map((part, i) => chacha20poly1305(key, ageNonce(i, i === parts.length - 1)).decrypt(part)));
}

/** The plaintext of an age file, whose header is not examined. C2SP age, "Payload" */
export function openedAgeFile(fileKey: Uint8Array, file: Uint8Array): Uint8Array {
  const text = new TextDecoder('latin1').decode(file.subarray(0, 4096));
  const nonceAt = text.indexOf('\n', text.indexOf('\n--- ') + 1) + 1;
  const key = hkdf(sha256, fileKey, file.subarray(nonceAt, nonceAt + 16), new TextEncoder().encode('payload'), 32);
  return openedAge(key, file.subarray(nonceAt + 16));
}

const SALT_BYTES = 24;
const CHUNKED_HEADER = 56;

/** The key, the base nonce and the commitment to the key. C2SP chunked-encryption, "Key derivation" */
function chunkedKeys(key: Uint8Array, salt: Uint8Array): readonly [Uint8Array, Uint8Array, Uint8Array] {
  const name = new TextEncoder().encode('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0');
  // HKDF-Expand alone, RFC 5869 §2.3: @noble's demands a longer key than this format has.
  const first = hmac(sha512, key, joined([name, salt, Uint8Array.of(1)]));
  const second = hmac(sha512, key, joined([first, name, salt, Uint8Array.of(2)]));
  const all = joined([first, second]).subarray(0, 32 + 12 + 32);
  return [all.subarray(0, 32), all.subarray(32, 44), all.subarray(44)];
}

/** The base nonce XORed with the number of the chunk, big-endian. */
function chunkedNonce(base: Uint8Array, index: number): Uint8Array {
  const nonce = Uint8Array.from(base);
  const view = new DataView(nonce.buffer);
  view.setUint32(8, (view.getUint32(8) ^ index) >>> 0);
  return nonce;
}

/** The parts of a stream whose last chunk is always shorter than the others, and may be empty. */
const chunkedParts = (bytes: Uint8Array, length: number): Uint8Array[] =>
  partsOf(bytes, length).concat(bytes.length % length === 0 ? [new Uint8Array(0)] : []);

/** The chunks of chunked encryption as messages, under the key of the stream with this salt. */
export function chunkedMessages(
  direction: Direction,
  key: Uint8Array,
  salt: Uint8Array,
  plaintext: Uint8Array,
): Messages & { readonly header: Uint8Array } {
  const [chunkKey, base, commitment] = chunkedKeys(key, salt);
  const parts = chunkedParts(plaintext, CHUNKED_CHUNK);
  const nonces = numbers(parts.length).map((i) => chunkedNonce(base, i));
  const messages = messagesOf(direction, chunkKey, parts, nonces, (nonce, part) =>
    chacha20poly1305(chunkKey, nonce).encrypt(part),
  );
  return { ...messages, header: joined([salt, commitment]) };
}

export function openedChunked(key: Uint8Array, stream: Uint8Array): Uint8Array {
  const [chunkKey, base, commitment] = chunkedKeys(key, stream.subarray(0, SALT_BYTES));
  if (!equals(stream.subarray(SALT_BYTES, CHUNKED_HEADER), commitment)) throw new Error('wrong commitment');
  const parts = partsOf(stream.subarray(CHUNKED_HEADER), CHUNKED_CHUNK + TAG_BYTES);
  return joined(parts.map((part, i) => chacha20poly1305(chunkKey, chunkedNonce(base, i)).decrypt(part)));
}
