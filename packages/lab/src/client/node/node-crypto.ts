/**
 * node:crypto, which comes with the runtime (OpenSSL in Node). It needs a new cipher object for each message and
 * allocates its results.
 */
import { createCipheriv, createDecipheriv, createHash, scryptSync } from 'node:crypto';
import { hchacha } from '@noble/ciphers/chacha.js';
import {
  TAG_BYTES,
  type AeadName,
  type CipherContestant,
  type Contestant,
  type MakeXor,
} from '../contestants/contestant.ts';

const node: Contestant = {
  name: 'node:crypto',
  library: 'node:crypto',
  standing: 'platform',
  version: process.versions['bun'] === undefined ? `OpenSSL ${process.versions.openssl}` : 'BoringSSL',
};

/**
 * Node has no XChaCha. By draft-irtf-cfrg-xchacha-03 §2.3 it is ChaCha20-Poly1305 with the subkey that HChaCha20
 * derives from the key and the first 16 bytes of the nonce, and with four zeros and the last 8 bytes as the nonce. The
 * subkey is computed by noble before anything is timed, in node's favour.
 */
function ietf(name: AeadName, key: Uint8Array, nonce: Uint8Array): { key: Uint8Array; nonce: Uint8Array } {
  if (name === 'chacha20poly1305') return { key, nonce };
  const short = new Uint8Array(12);
  short.set(nonce.subarray(16), 4);
  return { key: subkey(key, nonce.subarray(0, 16)), nonce: short };
}

const SIGMA = new TextEncoder().encode('expand 32-byte k');
/** Words in the byte order of the host, as noble takes them. noble runs on little-endian hosts only. */
const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);

function subkey(key: Uint8Array, input: Uint8Array): Uint8Array {
  const out = new Uint32Array(8);
  hchacha(words(SIGMA), words(key), words(input), out);
  return new Uint8Array(out.buffer);
}

/**
 * The length at which node:crypto is fastest: with longer inputs it spends its time on fresh memory for its results.
 */
const PIECE_BYTES = 2 ** 16;

/** Encrypts longer messages in pieces, which are collected in `out`. */
function inPieces(cipher: { update(data: Uint8Array): Uint8Array }, input: Uint8Array, out: Uint8Array): Uint8Array {
  if (input.length <= PIECE_BYTES) return cipher.update(input);
  for (let at = 0; at < input.length; at += PIECE_BYTES) {
    out.set(cipher.update(input.subarray(at, at + PIECE_BYTES)), at);
  }
  return out.subarray(0, input.length);
}

export const nodeCrypto: CipherContestant = {
  ...node,
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

/** AES with keys of 256 bits. */
export const nodeAes: Readonly<Record<'gcm' | 'gcmOpen' | 'ctr', MakeXor>> = {
  gcm: (key, nonce) => (plaintext, out) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const ciphertext = inPieces(cipher, plaintext, out);
    cipher.final();
    return [ciphertext, cipher.getAuthTag()];
  },
  gcmOpen: (key, nonce) => (sealed, out) => {
    const end = sealed.length - TAG_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAuthTag(sealed.subarray(end));
    const plaintext = inPieces(decipher, sealed.subarray(0, end), out);
    decipher.final();
    return plaintext;
  },
  ctr: (key, nonce) => (data, out) => inPieces(createCipheriv('aes-256-ctr', key, nonce), data, out),
};

/** scrypt of OpenSSL, which refuses more than 32 MiB unless it is told. */
export const nodeScrypt = (
  password: Uint8Array,
  salt: Uint8Array,
  { dkLen, ...parameters }: { readonly N: number; readonly r: number; readonly p: number; readonly dkLen: number },
): Uint8Array => scryptSync(password, salt, dkLen, { ...parameters, maxmem: 2 ** 31 });

export { createHash, createHmac, hkdfSync } from 'node:crypto';

export const nodeSha256 = (message: Uint8Array): Uint8Array => createHash('sha256').update(message).digest();

/** AES-256-XTS of consecutive pages; the nonce is the number of the first page, which IEEE 1619 uses as the tweak. */
export const nodeXts =
  (pageSize: number): MakeXor =>
  (key, nonce) => {
    const tweak = new Uint8Array(16);
    const number = new DataView(tweak.buffer);
    const first = nonce[0];
    return (data, out) => {
      for (let at = 0; at < data.length; at += pageSize) {
        number.setUint32(0, first + at / pageSize, true);
        out.set(createCipheriv('aes-256-xts', key, tweak).update(data.subarray(at, at + pageSize)), at);
      }
      return out;
    };
  };
