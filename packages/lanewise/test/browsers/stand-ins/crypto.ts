/** The part of `node:crypto` that the tests use, by noble; and by the specification past noble's last counter. */
import { gcm } from '@noble/ciphers/aes.js';
import { chacha20, chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hmac } from '@noble/hashes/hmac.js';
import { md5 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { concat } from '../../support/bytes.ts';
import { keystream } from '../../support/reference.ts';

const BLOCK = 64;
/** noble takes no block with this number or a higher one. */
const LAST = 0xffffffff;

function block(key: Uint8Array, nonce: Uint8Array, data: Uint8Array): Uint8Array {
  const stream = keystream(key, nonce, 20, BigInt(LAST), data.length);
  return data.map((byte, i) => byte ^ stream[i]);
}

/** OpenSSL counts blocks in the first 16 bytes; in the tests the carry reaches the first 8 only. */
function keystreamed(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length);
  let counter = new DataView(iv.buffer, iv.byteOffset, 16).getBigUint64(0, true);
  const counted = new DataView(new ArrayBuffer(8));
  for (let at = 0; at < data.length;) {
    const low = Number(counter & 0xffffffffn);
    const count = low === LAST ? 1 : LAST - low;
    const part = data.subarray(at, at + count * BLOCK);
    counted.setBigUint64(0, counter, true);
    const nonce = concat(new Uint8Array(counted.buffer, 4), iv.subarray(8));
    out.set(low === LAST ? block(key, nonce, part) : chacha20(key, nonce, part, undefined, low), at);
    at += part.length;
    counter = BigInt.asUintN(64, counter + BigInt(count));
  }
  return out;
}

interface Cipher {
  update(data: Uint8Array): Uint8Array;
  final(): Uint8Array;
  setAAD(aad: Uint8Array): void;
  getAuthTag(): Uint8Array;
}

type Gcm = 'aes-128-gcm' | 'aes-256-gcm';

/** All of a message goes through one `update`. */
export function createCipheriv(name: 'chacha20' | 'chacha20-poly1305' | Gcm, key: Uint8Array, iv: Uint8Array): Cipher {
  let aad = new Uint8Array(0);
  let sealed: Uint8Array | undefined;
  const aead = name.startsWith('aes') ? gcm : chacha20poly1305;
  const seal = (data: Uint8Array): Uint8Array => (sealed = aead(key, iv, aad).encrypt(data));
  return {
    setAAD: (bytes) => void (aad = bytes.slice()),
    update(data) {
      if (sealed) throw new Error('a message in parts');
      if (name === 'chacha20') return (sealed = keystreamed(key, iv, data));
      return seal(data).subarray(0, -16);
    },
    final: () => new Uint8Array(0),
    getAuthTag: () => (sealed ?? seal(new Uint8Array(0))).subarray(-16),
  };
}

interface Decipher {
  setAuthTag(tag: Uint8Array): void;
  update(data: Uint8Array): Uint8Array;
  final(): Uint8Array;
}

/** As in Node, a wrong tag is an error of `final`; but then `update` has given no bytes. */
export function createDecipheriv(_: Gcm, key: Uint8Array, iv: Uint8Array): Decipher {
  let tag = new Uint8Array(0);
  let error: unknown;
  return {
    setAuthTag: (bytes) => void (tag = bytes.slice()),
    update(data) {
      try {
        return gcm(key, iv).decrypt(concat(data, tag));
      } catch (thrown) {
        error = thrown;
        return new Uint8Array(0);
      }
    },
    final() {
      if (error) throw error as Error;
      return new Uint8Array(0);
    },
  };
}

interface Hmac {
  update(data: Uint8Array): Hmac;
  digest(): Uint8Array;
}

export function createHmac(_: 'sha512', key: Uint8Array): Hmac {
  const mac = hmac.create(sha512, key);
  const wrapped: Hmac = {
    update(data) {
      mac.update(data);
      return wrapped;
    },
    digest: () => mac.digest(),
  };
  return wrapped;
}

interface Hash {
  update(data: Uint8Array): Hash;
  digest(encoding: 'hex'): string;
}

export function createHash(name: 'sha256' | 'md5'): Hash {
  const hash = (name === 'md5' ? md5 : sha256).create();
  const wrapped: Hash = {
    update(data) {
      hash.update(data);
      return wrapped;
    },
    digest: () => bytesToHex(hash.digest()),
  };
  return wrapped;
}
