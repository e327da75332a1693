/**
 * Who takes part: our engines, and the libraries people use today, each behind the same two shapes. What accepts an
 * output buffer is given one. A new library is one more entry here.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import * as noble from '@noble/ciphers/chacha.js';
import * as ours from 'lanewise/chacha.js';
import { select, type Engine } from 'lanewise/engine.js';
import sodium from 'libsodium-wrappers-sumo';
import { versions } from './host.ts';

await sodium.ready;

export const TAG_BYTES = 16;
export type AeadName = 'chacha20poly1305' | 'xchacha20poly1305';
export const NONCE_BYTES: Readonly<Record<AeadName, number>> = { chacha20poly1305: 12, xchacha20poly1305: 24 };

/** One array, or its parts in order: joining them is not a part of the contest. */
export type Output = Uint8Array | readonly Uint8Array[];

/** An AEAD with a key and a nonce, no additional data. The result may or may not be `out`. */
export interface Aead {
  readonly seal: (plaintext: Uint8Array, out: Uint8Array) => Output;
  /** Throws if the tag is wrong. */
  readonly open: (sealed: Uint8Array, out: Uint8Array) => Output;
}

/** ChaCha20 of RFC 8439 with the counter at 0. */
export type Xor = (data: Uint8Array, out: Uint8Array) => Output;

export interface Contestant {
  readonly name: string;
  readonly version: string;
  /** Why it cannot take part. */
  readonly unavailable?: string | undefined;
  /** To be called before its functions, after those of another contestant. */
  readonly prepare?: () => void;
  readonly aead: (name: AeadName, key: Uint8Array, nonce: Uint8Array) => Aead;
  readonly chacha20: (key: Uint8Array, nonce: Uint8Array) => Xor;
}

const version = versions();

export type Choice = Engine | 'auto';
export const engines: readonly Engine[] = ['simd', 'scalar', 'js'];

function refusal(engine: Choice): string | undefined {
  try {
    select(engine);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    select('auto');
  }
}

export const lanewiseChoice = (engine: Choice) => ({
  name: `lanewise ${engine}`,
  version: version['lanewise'],
  unavailable: refusal(engine),
  prepare: () => select(engine),
});

const lanewise = (engine: Choice): Contestant => ({
  ...lanewiseChoice(engine),
  aead: (name, key, nonce) => ({
    seal: (plaintext, out) => ours[name](key, nonce).encrypt(plaintext, out),
    open: (sealed, out) => ours[name](key, nonce).decrypt(sealed, out),
  }),
  chacha20: (key, nonce) => (data, out) => ours.chacha20(key, nonce, data, out),
});

export const lanewiseAuto: Contestant = lanewise('auto');
export const lanewiseEngines: readonly Contestant[] = engines.map(lanewise);

export const nobleCiphers: Contestant = {
  name: 'noble',
  version: version['@noble/ciphers'],
  aead: (name, key, nonce) => ({
    seal: (plaintext, out) => noble[name](key, nonce).encrypt(plaintext, out),
    open: (sealed, out) => noble[name](key, nonce).decrypt(sealed, out),
  }),
  chacha20: (key, nonce) => (data, out) => noble.chacha20(key, nonce, data, out),
};

/** libsodium.js has no output buffers: it allocates its results. */
export const libsodium: Contestant = {
  name: 'libsodium.js',
  version: version['libsodium-wrappers-sumo'],
  aead: (name, key, nonce) =>
    name === 'xchacha20poly1305'
      ? {
          seal: (plaintext) =>
            sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(plaintext, null, null, nonce, key, 'uint8array'),
          open: (sealed) =>
            sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(null, sealed, null, nonce, key, 'uint8array'),
        }
      : {
          seal: (plaintext) =>
            sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, null, null, nonce, key, 'uint8array'),
          open: (sealed) =>
            sodium.crypto_aead_chacha20poly1305_ietf_decrypt(null, sealed, null, nonce, key, 'uint8array'),
        },
  chacha20: (key, nonce) => (data) => sodium.crypto_stream_chacha20_ietf_xor_ic(data, nonce, 0, key, 'uint8array'),
};

/**
 * Node has no XChaCha. By draft-irtf-cfrg-xchacha-03 §2.3 it is ChaCha20-Poly1305 with the subkey that HChaCha20 makes
 * of the key and the first 16 bytes of the nonce, and with four zeros and the last 8 bytes as the nonce. The subkey is
 * libsodium's, and is made before anything is timed: in node's favour.
 */
function ietf(name: AeadName, key: Uint8Array, nonce: Uint8Array): { key: Uint8Array; nonce: Uint8Array } {
  if (name === 'chacha20poly1305') return { key, nonce };
  const short = new Uint8Array(12);
  short.set(nonce.subarray(16), 4);
  return { key: sodium.crypto_core_hchacha20(nonce.subarray(0, 16), key, null, 'uint8array'), nonce: short };
}

/** What node:crypto is fastest with among the others: with more, it spends its time on fresh memory for its results. */
const PIECE_BYTES = 2 ** 16;

/** Longer messages go through in pieces, which are put together in `out`. */
function inPieces(cipher: { update(data: Uint8Array): Uint8Array }, input: Uint8Array, out: Uint8Array): Uint8Array {
  if (input.length <= PIECE_BYTES) return cipher.update(input);
  for (let at = 0; at < input.length; at += PIECE_BYTES) {
    out.set(cipher.update(input.subarray(at, at + PIECE_BYTES)), at);
  }
  return out.subarray(0, input.length);
}

/** A cipher object for each message, as its interface demands; it allocates its results. */
export const nodeCrypto: Contestant = {
  name: 'node:crypto',
  version: `OpenSSL ${process.versions.openssl}`,
  aead: (name, longKey, longNonce) => {
    const { key, nonce } = ietf(name, longKey, longNonce);
    const options = { authTagLength: TAG_BYTES };
    return {
      seal: (plaintext, out) => {
        const cipher = createCipheriv('chacha20-poly1305', key, nonce, options);
        const ciphertext = inPieces(cipher, plaintext, out);
        cipher.final();
        return [ciphertext, cipher.getAuthTag()];
      },
      open: (sealed, out) => {
        const decipher = createDecipheriv('chacha20-poly1305', key, nonce, options);
        decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
        const plaintext = inPieces(decipher, sealed.subarray(0, sealed.length - TAG_BYTES), out);
        decipher.final();
        return plaintext;
      },
    };
  },
  chacha20: (key, nonce) => {
    const counterAndNonce = new Uint8Array(16);
    counterAndNonce.set(nonce, 4);
    return (data, out) => inPieces(createCipheriv('chacha20', key, counterAndNonce), data, out);
  },
};

export const peers: readonly Contestant[] = [nobleCiphers, libsodium, nodeCrypto];

/** Whether an output is what was expected, in one array or in parts. */
export function equals(output: Output, expected: Uint8Array): boolean {
  let at = 0;
  for (const part of output instanceof Uint8Array ? [output] : output) {
    if (Buffer.compare(part, expected.subarray(at, at + part.length)) !== 0) return false;
    at += part.length;
  }
  return at === expected.length;
}

/** In one array of its own. */
export function joined(output: Output): Uint8Array<ArrayBuffer> {
  const parts = output instanceof Uint8Array ? [output] : output;
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
