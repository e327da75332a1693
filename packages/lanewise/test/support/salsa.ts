/** Independent implementations of the Salsa20 family: libsodium's C where there is all of it, else noble. */
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { xchacha20 } from '@noble/ciphers/chacha.js';
import { __TESTS, hsalsa as nobleHsalsa, secretbox as nobleSecretbox } from '@noble/ciphers/salsa.js';
import sodium from 'libsodium-wrappers-sumo';
import { bytesOf, concat, wordsOf } from './bytes.ts';

await sodium.ready;

/** Functions of libsodium that its JavaScript does not wrap; the stand-in outside Node does not have them. */
interface Raw extends Readonly<Record<string, unknown>> {
  readonly HEAPU8: Uint8Array;
  _malloc(length: number): number;
  _free(address: number): void;
}
const { libsodium: lib } = sodium as unknown as { libsodium?: Raw };

/** Calls a function of libsodium's module with addresses of the bytes, and returns the bytes at the first address. */
function raw(module: Raw, name: string, ...values: readonly (Uint8Array | number)[]): Uint8Array {
  const addresses = values.map((value) => {
    if (typeof value === 'number') return value;
    const at = module._malloc(value.length || 1);
    module.HEAPU8.set(value, at);
    return at;
  });
  const status = (module[`_crypto_${name}`] as (...addresses: readonly number[]) => number)(...addresses);
  const out = module.HEAPU8.slice(addresses[0], addresses[0] + (values[0] as Uint8Array).length);
  values.forEach((value, i) => {
    if (typeof value !== 'number') module._free(addresses[i]);
  });
  if (status !== 0) throw new Error(`libsodium answered ${status}`);
  return out;
}

type Core = (
  constants: Uint32Array,
  key: Uint32Array,
  nonce: Uint32Array,
  out: Uint32Array,
  low: number,
  rounds: number,
  high: number,
) => void;
/** Words in the host's byte order, which is the order in which noble reads bytes as words. */
const viewOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

const { salsaCore } = __TESTS as unknown as { salsaCore: Core };

/** noble's block function: its public ones know 20 rounds and 32 bits of counter only. */
function byNoble(rounds: number, key: Uint8Array, nonce: Uint8Array, data: Uint8Array, counter: bigint): Uint8Array {
  const constants = wordsOf(new TextEncoder().encode(`expand ${key.length}-byte k`));
  if (nonce.length === 24) {
    const subkey = hsalsa(bytesOf(constants), key, nonce.subarray(0, 16));
    return byNoble(rounds, subkey, nonce.subarray(16), data, counter);
  }
  const k = wordsOf(key.length === 16 ? concat(key, key) : key);
  const out = data.slice();
  const block = new Uint32Array(16);
  for (let i = 0; 64 * i < out.length; i++) {
    const number = counter + BigInt(i);
    salsaCore(constants, k, wordsOf(nonce), block, Number(number & 0xffffffffn), rounds, Number(number >> 32n));
    bytesOf(block).forEach((byte, j) => {
      if (64 * i + j < out.length) out[64 * i + j] ^= byte;
    });
  }
  return out;
}

/** 20 rounds, from any block. */
export function salsa20(key: Uint8Array, nonce: Uint8Array, data: Uint8Array, counter = 0n): Uint8Array {
  if (!lib || key.length === 16) return byNoble(20, key, nonce, data, counter);
  const name = nonce.length === 24 ? 'xsalsa20' : 'salsa20';
  const [low, high] = [Number(counter & 0xffffffffn), Number(counter >> 32n)];
  return raw(lib, `stream_${name}_xor_ic`, data, data, data.length, 0, nonce, low, high, key);
}

/** Fewer rounds, with a key of 32 bytes and a nonce of 8. */
export const reduced = (rounds: 8 | 12, key: Uint8Array, nonce: Uint8Array, data: Uint8Array): Uint8Array =>
  lib
    ? raw(lib, `stream_salsa20${rounds === 8 ? '8' : '12'}_xor`, data, data, data.length, 0, nonce, key)
    : byNoble(rounds, key, nonce, data, 0n);

export function hsalsa(constants: Uint8Array, key: Uint8Array, input: Uint8Array): Uint8Array {
  const out = new Uint32Array(8);
  if (lib) return raw(lib, 'core_hsalsa20', new Uint8Array(32), input, key, constants);
  nobleHsalsa(viewOf(constants), viewOf(key), viewOf(input), out);
  return new Uint8Array(out.buffer);
}

export const secretbox = (key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array): Uint8Array =>
  lib ? sodium.crypto_secretbox_easy(plaintext, nonce, key) : nobleSecretbox(key, nonce).seal(plaintext);

export function secretboxXChaCha(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const box = new Uint8Array(plaintext.length + 16);
  if (lib) return raw(lib, 'secretbox_xchacha20poly1305_easy', box, plaintext, plaintext.length, 0, nonce, key);
  const stream = xchacha20(key, nonce, concat(new Uint8Array(32), plaintext));
  const ciphertext = stream.subarray(32);
  return concat(poly1305(ciphertext, stream.subarray(0, 32)), ciphertext);
}
