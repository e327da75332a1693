/** The calls that are timed: their key and message are secret, on the `js` engine; and planted leaks. */
import { argon2idSync } from '../../../lanewise/src/argon2.ts';
import { blake2b, blake2s } from '../../../lanewise/src/blake2.ts';
import { blake3 } from '../../../lanewise/src/blake3.ts';
import { chacha20, chacha20poly1305 } from '../../../lanewise/src/chacha.ts';
import { adiantum, hpolyc } from '../../../lanewise/src/disk.ts';
import { poly1305 } from '../../../lanewise/src/poly1305.ts';
import { chacha8rand } from '../../../lanewise/src/random.ts';
import { salsa20, secretbox } from '../../../lanewise/src/salsa.ts';
import { scryptSync } from '../../../lanewise/src/scrypt.ts';
import { ctr, ocb } from '../../../lanewise/src/serpent.ts';
import { hmac, pbkdf2Sync, sha256, sha512 } from '../../../lanewise/src/sha2.ts';

export const KEY_BYTES = 32;
export const MESSAGE_BYTES = 512;

/** Leaks that each host must show, or its other rows say nothing. */
export const PLANTED_BIT = 'planted: 16 bytes more';
export const PLANTED_STOP = 'planted: stops at a difference';

/** The inputs, always in the same place. */
export const key = new Uint8Array(KEY_BYTES);
export const message = new Uint8Array(MESSAGE_BYTES);

const out = new Uint8Array(MESSAGE_BYTES + 16);
const same = out.subarray(0, MESSAGE_BYTES);
const [nonce8, nonce12, nonce16, nonce24] = [8, 12, 16, 24].map((length) => new Uint8Array(length).fill(7));
const salt = new Uint8Array(16).fill(9);

const longer = new Uint8Array(MESSAGE_BYTES + 16);
const words = new Uint32Array(message.buffer);
const signed = new Int32Array(message.buffer);
/** Each word with the next one, by an operation. */
function joined(join: (x: number, y: number) => number): number {
  let all = 0;
  for (let i = 1; i < signed.length; i++) all ^= join(signed[i - 1], signed[i]);
  return all;
}
const other = new Uint8Array(MESSAGE_BYTES);
/** An object among them makes it an array of tagged values: a word that isn't a small integer is a double on the heap. */
const boxes: unknown[] = [{}, ...words];

export const calls: Readonly<Record<string, () => unknown>> = {
  chacha20: () => chacha20(key, nonce12, message, same),
  salsa20: () => salsa20(key, nonce8, message, same),
  poly1305: () => poly1305(message, key),
  'chacha20poly1305, encrypt': () => chacha20poly1305(key, nonce12).encrypt(message, out),
  'secretbox, encrypt': () => secretbox(key, nonce24).encrypt(message, out),
  'blake3, keyed': () => blake3(message, { key }),
  'blake2b, keyed': () => blake2b(message, { key }),
  'blake2s, keyed': () => blake2s(message, { key }),
  'hmac, sha256': () => hmac(sha256, key, message),
  'hmac, sha512': () => hmac(sha512, key, message),
  'pbkdf2, sha256': () => pbkdf2Sync(sha256, key, salt, { c: 8 }),
  'serpent, ctr': () => ctr(key, nonce16).encrypt(message, same),
  'serpent, ocb': () => ocb(key, nonce12).encrypt(message, out),
  adiantum: () => adiantum(key).encrypt(message, salt, same),
  hpolyc: () => hpolyc(key).encrypt(message, salt, same),
  chacha8rand: () => chacha8rand(key).bytes(same),
  scrypt: () => scryptSync(key, salt, { N: 4, r: 1, p: 1 }),
  argon2id: () => argon2idSync(key, salt, { m: 8, t: 1, p: 1 }),
  // The operations of kernels: two words below 2^30 have a sum below 2^31, and the others haven't.
  'alone: sums': () => joined((x, y) => (x + y) | 0),
  'alone: XORs': () => joined((x, y) => x ^ y),
  // Small in any engine: one step of 33.
  [PLANTED_BIT]: () => poly1305(key[3] & 0x80 ? longer : message, key),
  'planted: words on the heap': () => {
    for (let i = 0; i < words.length; i++) boxes[i + 1] = words[i];
    return boxes;
  },
  [PLANTED_STOP]: () => {
    for (let i = 0; i < MESSAGE_BYTES; i++) if (message[i] !== other[i]) return false;
    return true;
  },
};

/** Sets the bytes with which a planted leak compares. */
export const expect = (bytes: Uint8Array): void => other.set(bytes);
