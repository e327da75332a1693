/**
 * @noble/ciphers and @noble/hashes: plain JavaScript, which runs in every engine. They are the reference for all other
 * contestants.
 */
import { ctr, ecb, gcm } from '@noble/ciphers/aes.js';
import * as ciphers from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { version } from '#packages';
import {
  HASH_KEY,
  type CipherContestant,
  type Contestant,
  type FullHasher,
  type MacContestant,
  type MakeXor,
  type ReducedRounds,
} from './contestant.ts';

const noble: Contestant = { name: 'noble', library: 'noble', standing: 'rival', version: version('@noble/ciphers') };

export const nobleCiphers: CipherContestant & ReducedRounds & MacContestant = {
  ...noble,
  aead: (name, key, nonce) => ({
    seal: (plaintext, out) => ciphers[name](key, nonce).encrypt(plaintext, out),
    open: (sealed, out) => ciphers[name](key, nonce).decrypt(sealed, out),
  }),
  chacha20: (key, nonce) => (data, out) => ciphers.chacha20(key, nonce, data, out),
  chacha12: (key, nonce) => (data, out) => ciphers.chacha12(key, nonce, data, out),
  chacha8: (key, nonce) => (data, out) => ciphers.chacha8(key, nonce, data, out),
  poly1305: (key) => (message) => poly1305(message, key),
};

/** AES with keys of 256 bits. */
export const nobleAes = {
  ...noble,
  gcm: ((key, nonce) => (plaintext) => gcm(key, nonce).encrypt(plaintext)) satisfies MakeXor,
  gcmOpen: ((key, nonce) => (sealed) => gcm(key, nonce).decrypt(sealed)) satisfies MakeXor,
  ctr: ((key, nonce) => (data, out) => ctr(key, nonce).encrypt(data, out)) satisfies MakeXor,
};

/** Words of bytes that begin their buffer, in the order of the machine, which is little-endian on all that are measured. */
const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length / 4);

/** XORs the mask onto the bytes. */
function masked(bytes: Uint8Array, mask: Uint32Array): Uint8Array {
  const words = wordsOf(bytes);
  for (let i = 0; i < words.length; i++) words[i] ^= mask[i];
  return bytes;
}

/**
 * AES-256-XTS made of noble's single blocks, since noble has no XTS: a reference, and the best of plain JavaScript. IEEE
 * 1619-2007 §5.3
 */
export const xtsByNoble =
  (pageSize: number): MakeXor =>
  (key, nonce) => {
    const [dataKey, tweakKey] = [key.subarray(0, 32), key.subarray(32)];
    const blocks = (blockKey: Uint8Array, bytes: Uint8Array) => ecb(blockKey, { disablePadding: true }).encrypt(bytes);
    return (data, out) => {
      for (let at = 0; at < data.length; at += pageSize) {
        const page = data.slice(at, at + pageSize);
        const tweak = new Uint8Array(16);
        new DataView(tweak.buffer).setUint32(0, nonce[0] + at / pageSize, true);
        const masks = new Uint32Array(page.length / 4);
        masks.set(wordsOf(blocks(tweakKey, tweak)));
        // Multiplication by x: little-endian, reduced by x^7 + x^2 + x + 1.
        for (let i = 4; i < masks.length; i++)
          masks[i] = (masks[i - 4] << 1) ^ (i % 4 ? masks[i - 5] >>> 31 : (masks[i - 1] >>> 31) * 0x87);
        const xored = blocks(dataKey, masked(page, masks));
        out.set(masked(xored, masks), at);
      }
      return out;
    };
  };

export const nobleBlake3: FullHasher = {
  ...noble,
  version: version('@noble/hashes'),
  hash: (message) => blake3(message),
  keyed: (message) => blake3(message, { key: HASH_KEY }),
  pieces(pieces) {
    const hasher = blake3.create();
    for (const piece of pieces) hasher.update(piece);
    return hasher.digest();
  },
  xof: (message, out) => blake3.create().update(message).xofInto(out),
};

export const nobleSha256 = {
  ...noble,
  version: version('@noble/hashes'),
  hash: (message: Uint8Array) => sha256(message),
};
