// The implementations that vectors of the Salsa20 family are confirmed with. A function answers undefined when its
// implementation does not offer the case.
import { hsalsa, salsa20, xsalsa20, secretbox, __TESTS } from '@noble/ciphers/salsa.js';
import { xchacha20 } from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import sodium from 'libsodium-wrappers-sumo';
import * as model from './model.mjs';

await sodium.ready;

/** Calls a function of libsodium's module: bytes become addresses, and the bytes at the first address are returned. */
function raw(name, ...values) {
  const lib = sodium.libsodium;
  const allocated = [];
  const put = (value) => {
    if (!(value instanceof Uint8Array)) return value;
    const at = lib._malloc(value.length || 1);
    lib.HEAPU8.set(value, at);
    allocated.push(at);
    return at;
  };
  const status = lib[`_crypto_${name}`](...values.map(put));
  const out = lib.HEAPU8.slice(allocated[0], allocated[0] + values[0].length);
  for (const at of allocated) lib._free(at);
  if (status !== 0) throw new Error(`libsodium answered ${status}`);
  return out;
}
const SODIUM_NAMES = { 8: 'salsa208', 12: 'salsa2012', 20: 'salsa20' };
const libsodium = {
  stream({ key, nonce, counter, data, rounds }) {
    if (key.length !== 32) return undefined;
    const [low, high] = [Number(counter & 0xffffffffn), Number(counter >> 32n)];
    const name = nonce.length === 24 ? 'xsalsa20' : SODIUM_NAMES[rounds];
    if (rounds === 20) return raw(`stream_${name}_xor_ic`, data, data, data.length, 0, nonce, low, high, key);
    if (counter !== 0n || nonce.length === 24) return undefined;
    return raw(`stream_${name}_xor`, data, data, data.length, 0, nonce, key);
  },
  hsalsa: (key, input) => raw('core_hsalsa20', new Uint8Array(32), input, key, 0),
  secretbox: ({ key, nonce, plaintext }) => sodium.crypto_secretbox_easy(plaintext, nonce, key),
  secretboxXChaCha({ key, nonce, plaintext }) {
    const box = new Uint8Array(plaintext.length + 16);
    return raw('secretbox_xchacha20poly1305_easy', box, plaintext, plaintext.length, 0, nonce, key);
  },
};

const words = (bytes) => new Uint32Array(model.words(Uint8Array.from(bytes)));
const constants = (key) => words(Buffer.from(key.length === 16 ? 'expand 16-byte k' : 'expand 32-byte k'));
const noble = {
  stream({ key, nonce, counter, data, rounds }) {
    if (rounds === 20 && counter < 2n ** 31n && (nonce.length === 8 || key.length === 32))
      return (nonce.length === 24 ? xsalsa20 : salsa20)(key, nonce, data, undefined, Number(counter));
    if (nonce.length === 24) return undefined;
    // Its public functions know 20 rounds and a counter of 32 bits only; its block function knows all of them.
    const out = Uint8Array.from(data);
    const block = new Uint32Array(16);
    const k = words([...key, ...(key.length === 16 ? key : [])]);
    for (let i = 0; 64 * i < out.length; i++) {
      const number = counter + BigInt(i);
      const [low, high] = [Number(number & 0xffffffffn), Number(number >> 32n)];
      __TESTS.salsaCore(constants(key), k, words(nonce), block, low, rounds, high);
      const bytes = model.bytes([...block]);
      for (let j = 64 * i; j < out.length && j < 64 * i + 64; j++) out[j] ^= bytes[j - 64 * i];
    }
    return out;
  },
  hsalsa(key, input) {
    const out = new Uint32Array(8);
    hsalsa(constants(key), words(key), words(input), out);
    return model.bytes([...out]);
  },
  secretbox: ({ key, nonce, plaintext }) => secretbox(key, nonce).seal(plaintext),
  secretboxXChaCha({ key, nonce, plaintext }) {
    const stream = xchacha20(key, nonce, Uint8Array.from([...new Uint8Array(32), ...plaintext]));
    return Uint8Array.from([...poly1305(stream.subarray(32), stream.subarray(0, 32)), ...stream.subarray(32)]);
  },
};

const rotl = (x, n) => (x << n) | (x >>> (32 - n));
/** "Salsa20 specification" §3 to §8, a block of 16 words from 16 words; without the addition, §2 of "Extending …" */
function salsaBlock(input, rounds, { add }) {
  const x = [...input];
  const quarter = (a, b, c, d) => {
    x[b] ^= rotl((x[a] + x[d]) | 0, 7);
    x[c] ^= rotl((x[b] + x[a]) | 0, 9);
    x[d] ^= rotl((x[c] + x[b]) | 0, 13);
    x[a] ^= rotl((x[d] + x[c]) | 0, 18);
  };
  for (let i = 0; i < rounds; i += 2) {
    for (let j = 0; j < 4; j++) quarter(...[0, 4, 8, 12].map((w) => ((w + 4 * j) & 12) + j));
    for (let j = 0; j < 4; j++) quarter(...[0, 1, 2, 3].map((w) => 4 * j + ((w + j) & 3)));
  }
  return x.map((w, i) => (add ? w + input[i] : w) >>> 0);
}
function expanded(key, n) {
  const [c0, c1, c2, c3] = constants(key);
  const k = words([...key, ...(key.length === 16 ? key : [])]);
  return [c0, ...k.slice(0, 4), c1, ...words(n), c2, ...k.slice(4), c3];
}
const ours = {
  stream({ key, nonce, counter, data, rounds }) {
    let own = key;
    let rest = nonce;
    if (nonce.length === 24) [own, rest] = [ours.hsalsa(key, nonce.slice(0, 16), rounds), nonce.slice(16)];
    const out = Uint8Array.from(data);
    for (let i = 0; 64 * i < out.length; i++) {
      const number = Buffer.alloc(8);
      number.writeBigUInt64LE(counter + BigInt(i));
      const block = model.bytes(salsaBlock(expanded(own, [...rest, ...number]), rounds, { add: true }));
      for (let j = 64 * i; j < out.length && j < 64 * i + 64; j++) out[j] ^= block[j - 64 * i];
    }
    return out;
  },
  hsalsa(key, input, rounds = 20) {
    const z = salsaBlock(expanded(key, input), rounds, { add: false });
    return Uint8Array.from(model.bytes([0, 5, 10, 15, 6, 7, 8, 9].map((w) => z[w])));
  },
  secretbox({ key, nonce, plaintext }) {
    const data = Uint8Array.from([...new Uint8Array(32), ...plaintext]);
    const stream = ours.stream({ key, nonce, counter: 0n, data, rounds: 20 });
    return Uint8Array.from([...model.poly1305(stream.slice(0, 32), stream.slice(32)), ...stream.slice(32)]);
  },
};

/** The answers of all oracles that offer the case: [name, answer] pairs. */
export const said = (method, ...args) =>
  Object.entries({ libsodium, noble, model: ours }).flatMap(([name, oracle]) => {
    const answer = oracle[method]?.(...args);
    return answer === undefined ? [] : [[name, answer]];
  });
