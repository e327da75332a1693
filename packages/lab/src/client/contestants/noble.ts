/** @noble/ciphers and @noble/hashes: plain JavaScript, in every engine. The reference of all other contestants. */
import { ctr, gcm } from '@noble/ciphers/aes.js';
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
  ctr: ((key, nonce) => (data, out) => ctr(key, nonce).encrypt(data, out)) satisfies MakeXor,
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
