// The implementations that vectors are confirmed with, behind one interface. A function answers undefined when its
// implementation does not offer the case, and throws when the implementation refuses it.
import * as nodeCrypto from 'node:crypto';
import {
  chacha8,
  chacha12,
  chacha20,
  chacha20orig,
  xchacha20,
  chacha20poly1305,
  xchacha20poly1305,
  hchacha,
  __TESTS,
} from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import sodium from 'libsodium-wrappers-sumo';
import * as model from './model.mjs';

await sodium.ready;

export const hex = (bytes) => Buffer.from(bytes).toString('hex');
export const unhex = (text) => {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Error(`not lower-case hex: ${text.slice(0, 40)}`);
  return Uint8Array.from(Buffer.from(text, 'hex'));
};

const blocksOf = (length) => BigInt(Math.ceil(length / 64));
/** The block after the last one that nonces of this length can have. */
export const counterEnd = (nonceLength) => 1n << (nonceLength === 12 ? 32n : 64n);
const inRange = ({ nonce, counter, data }) => counter + blocksOf(data.length) <= counterEnd(nonce.length);

const counterBytes = (counter, size) => {
  const b = Buffer.alloc(8);
  b.writeBigUInt64LE(counter);
  return b.subarray(0, size);
};

const node = {
  stream(c) {
    if (c.rounds !== 20 || c.key.length !== 32 || c.nonce.length === 24 || !inRange(c)) return undefined;
    // OpenSSL takes counter and nonce as 16 bytes and carries from word 12 into word 13.
    const iv = Buffer.concat([counterBytes(c.counter, 16 - c.nonce.length), c.nonce]);
    const cipher = nodeCrypto.createCipheriv('chacha20', c.key, iv);
    return Buffer.concat([cipher.update(c.data), cipher.final()]);
  },
  seal(c) {
    if (c.nonce.length !== 12) return undefined;
    const cipher = nodeCrypto.createCipheriv('chacha20-poly1305', c.key, c.nonce, { authTagLength: 16 });
    cipher.setAAD(c.aad, { plaintextLength: c.plaintext.length });
    const ciphertext = Buffer.concat([cipher.update(c.plaintext), cipher.final()]);
    return { ciphertext, tag: cipher.getAuthTag() };
  },
  open(c) {
    if (c.nonce.length !== 12) return undefined;
    const decipher = nodeCrypto.createDecipheriv('chacha20-poly1305', c.key, c.nonce, { authTagLength: 16 });
    decipher.setAAD(c.aad, { plaintextLength: c.ciphertext.length });
    decipher.setAuthTag(c.tag);
    return Buffer.concat([decipher.update(c.ciphertext), decipher.final()]);
  },
};

// The wrappers of libsodium take a block counter of 31 bits; the functions beneath them take all of it.
function sodiumStream(name, c) {
  const lib = sodium.libsodium;
  const put = (b) => {
    const at = lib._malloc(b.length || 1);
    lib.HEAPU8.set(b, at);
    return at;
  };
  const [key, nonce, data] = [put(c.key), put(c.nonce), put(c.data)];
  const low = Number(c.counter & 0xffffffffn);
  const high = name === 'chacha20_ietf' ? [] : [Number(c.counter >> 32n)];
  const status = lib[`_crypto_stream_${name}_xor_ic`](data, data, c.data.length, 0, nonce, low, ...high, key);
  const out = lib.HEAPU8.slice(data, data + c.data.length);
  for (const at of [key, nonce, data]) lib._free(at);
  if (status !== 0) throw new Error(`libsodium answered ${status}`);
  return out;
}
const libsodium = {
  stream(c) {
    if (c.rounds !== 20 || c.key.length !== 32 || !inRange(c)) return undefined; // it aborts past the end
    return sodiumStream({ 8: 'chacha20', 12: 'chacha20_ietf', 24: 'xchacha20' }[c.nonce.length], c);
  },
  hchacha: (key, input) => sodium.crypto_core_hchacha20(input, key, null),
  poly1305: (key, message) => sodium.crypto_onetimeauth(message, key),
  seal(c) {
    const name = c.nonce.length === 24 ? 'crypto_aead_xchacha20poly1305_ietf' : 'crypto_aead_chacha20poly1305_ietf';
    const r = sodium[`${name}_encrypt_detached`](c.plaintext, c.aad, null, c.nonce, c.key);
    return { ciphertext: r.ciphertext, tag: r.mac };
  },
  open(c) {
    const name = c.nonceLength === 24 ? 'crypto_aead_xchacha20poly1305_ietf' : 'crypto_aead_chacha20poly1305_ietf';
    return sodium[`${name}_decrypt_detached`](null, c.ciphertext, c.tag, c.aad, c.nonce, c.key);
  },
};

const sigma = (key) =>
  new Uint32Array(model.words(Buffer.from(key.length === 16 ? 'expand 16-byte k' : 'expand 32-byte k')));
const noble = {
  stream(c) {
    const end = c.counter + blocksOf(c.data.length);
    // Its public functions stop before block 2^32 - 1, know 128-bit keys for 20 rounds only, and 8 and 12 rounds only with
    // 12-byte nonces. Its block function knows all of them.
    const named =
      c.nonce.length === 12
        ? { 8: chacha8, 12: chacha12, 20: chacha20 }[c.rounds]
        : c.rounds === 20
          ? { 8: chacha20orig, 24: xchacha20 }[c.nonce.length]
          : undefined;
    const withinNamed = end < counterEnd(12) && c.counter < counterEnd(12) - 1n;
    const tooFar = !inRange(c);
    if (
      named &&
      (withinNamed || (tooFar && c.nonce.length === 12)) &&
      (c.key.length === 32 || named === chacha20orig)
    ) {
      return named(c.key, c.nonce, c.data, undefined, Number(c.counter));
    }
    if (tooFar || c.data.length === 0) return undefined;
    let { key, nonce } = c;
    if (nonce.length === 24) {
      if (c.rounds !== 20) return undefined;
      key = noble.hchacha(key, nonce.subarray(0, 16));
      nonce = nonce.subarray(16);
    }
    const k = new Uint32Array(model.words(Uint8Array.from([...key, ...(key.length === 16 ? key : [])])));
    const out = Uint8Array.from(c.data);
    const block = new Uint32Array(16);
    for (let i = 0; 64 * i < out.length; i++) {
      const tail = model.words(Uint8Array.from([...counterBytes(c.counter + BigInt(i), 16 - nonce.length), ...nonce]));
      __TESTS.chachaCore(sigma(c.key), k, new Uint32Array(tail.slice(1)), block, tail[0], c.rounds);
      const b = model.bytes([...block]);
      for (let j = 64 * i; j < out.length && j < 64 * i + 64; j++) out[j] ^= b[j - 64 * i];
    }
    return out;
  },
  hchacha(key, input) {
    const out = new Uint32Array(8);
    hchacha(sigma(key), new Uint32Array(model.words(key)), new Uint32Array(model.words(input)), out);
    return model.bytes([...out]);
  },
  poly1305: (key, message) => poly1305(message, key),
  seal(c) {
    const sealed = (c.nonce.length === 24 ? xchacha20poly1305 : chacha20poly1305)(c.key, c.nonce, c.aad).encrypt(
      c.plaintext,
    );
    return { ciphertext: sealed.subarray(0, -16), tag: sealed.subarray(-16) };
  },
  open(c) {
    const box = (c.nonceLength === 24 ? xchacha20poly1305 : chacha20poly1305)(c.key, c.nonce, c.aad);
    return box.decrypt(Uint8Array.from([...c.ciphertext, ...c.tag]));
  },
};

const ours = {
  stream: (c) => model.stream(c),
  hchacha: (key, input) => model.hchacha(key, input),
  poly1305: model.poly1305,
  seal: (c) => model.seal(c),
  open: (c) => {
    if (c.nonce.length !== c.nonceLength) throw new RangeError('nonce length');
    return model.open(c);
  },
};

export const oracles = { 'node:crypto': node, libsodium, noble, model: ours };

/** The answers of all oracles that offer the case: [name, answer] pairs. */
export function ask(method, ...args) {
  const said = [];
  for (const [name, oracle] of Object.entries(oracles)) {
    const answer = oracle[method]?.(...args);
    if (answer !== undefined) said.push([name, answer]);
  }
  return said;
}

/** The bytes that at least two oracles give and no oracle contradicts. */
export function agreed(method, ...args) {
  const said = ask(method, ...args).map(([name, answer]) => [name, hex(answer)]);
  if (said.length < 2) throw new Error(`fewer than two oracles: ${said.map(([name]) => name)}`);
  if (said.some(([, answer]) => answer !== said[0][1])) throw new Error(`oracles disagree: ${JSON.stringify(said)}`);
  return said[0][1];
}

/** `node generator.mjs` writes the file, `node generator.mjs --check` only compares. */
export async function writeOrCheck(url, text) {
  const { readFile, writeFile } = await import('node:fs/promises');
  const name = url.pathname.split('/').at(-1);
  if (!process.argv.includes('--check')) return writeFile(url, text).then(() => console.log(`${name}: written`));
  const same = (await readFile(url, 'utf8').catch(() => '')) === text;
  console.log(`${name}: ${same ? 'up to date' : 'DIFFERS from what this script makes'}`);
  if (!same) process.exitCode = 1;
}

/** JSON with one test a line. */
export function compact({ tests, ...head }) {
  const top = JSON.stringify(head, null, 2).slice(0, -2);
  return `${top},\n  "tests": [\n${tests.map((t) => `    ${JSON.stringify(t)}`).join(',\n')}\n  ]\n}\n`;
}
