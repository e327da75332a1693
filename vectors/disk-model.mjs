// Adiantum and HPolyC as their paper has them (P. Crowley, E. Biggers, "Adiantum: length-preserving encryption for
// entry-level processors", 2018, section 2), with primitives from elsewhere.
import { createCipheriv } from 'node:crypto';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { ecb } from '@noble/ciphers/aes.js';
import { __TESTS, hchacha } from '@noble/ciphers/chacha.js';
import * as model from './model.mjs';

const number = (bytes) => bytes.reduceRight((n, x) => (n << 8n) | BigInt(x), 0n);
const bytesOf = (n, size) => Uint8Array.from({ length: size }, (_, i) => Number((n >> BigInt(8 * i)) & 255n));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const padded = (bytes) => joined(bytes, new Uint8Array(-bytes.length & 15));
const words = (bytes) => new Uint32Array(bytes.slice().buffer);
const sigma = () => words(new TextEncoder().encode('expand 32-byte k'));
const TWO_128 = 1n << 128n;

/** AES-256 of one block. */
function aes(key, block) {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return joined(cipher.update(block), cipher.final());
}

/** The primitives of the model; an oracle may replace them. */
const ours = { stream: model.stream, poly1305: model.poly1305, aes };

/** Other ones: noble's. */
export const nobles = {
  stream({ key, nonce, data, rounds }) {
    const state = [sigma(), words(key), words(nonce.subarray(0, 16))];
    const subkey = new Uint32Array(8);
    // Its HChaCha has 20 rounds; without the final addition the block function is HChaCha for any number.
    if (rounds === 20) hchacha(...state, subkey);
    else {
      const block = new Uint32Array(16);
      __TESTS.chachaCore(state[0], state[1], state[2].subarray(1), block, state[2][0], rounds);
      [0, 1, 2, 3].forEach((i) => (subkey[i] = block[i] - state[0][i]));
      [0, 1, 2, 3].forEach((i) => (subkey[4 + i] = block[12 + i] - state[2][i]));
    }
    const last = words(nonce.subarray(16));
    const out = data.slice();
    const block = new Uint32Array(16);
    for (let i = 0; 64 * i < out.length; i++) {
      __TESTS.chachaCore(state[0], subkey, Uint32Array.of(0, ...last), block, i, rounds);
      const keystream = new Uint8Array(block.buffer);
      for (let j = 64 * i; j < out.length && j < 64 * i + 64; j++) out[j] ^= keystream[j - 64 * i];
    }
    return out;
  },
  poly1305: (key, message) => poly1305(message, key),
  aes: (key, block) => ecb(key, { disablePadding: true }).encrypt(block),
};

/** Bytes that differ from one place to the next, and from one label to the next: for disk-edge.json. */
export const pattern = (label, length) =>
  Uint8Array.from({ length }, (_, i) => (label * 29 + i * 7 + (i >> 8) * 13 + (i >> 16)) & 255);

/** Of up to 1024 bytes, whole units of 16; four passes, whose keys start 16 bytes apart. */
export function nh(key, message) {
  const [k, m] = [words(key), words(message)];
  return joined(
    ...[0, 4, 8, 12].map((pass) => {
      let sum = 0n;
      for (let i = 0; i < m.length; i += 4) {
        const [a, b, c, d] = [0, 1, 2, 3].map((j) => BigInt((m[i + j] + k[pass + i + j]) >>> 0));
        sum += a * c + b * d;
      }
      return bytesOf(sum, 8);
    }),
  );
}

/** The same in 32-bit numbers and their halves. */
export function nhInHalves(key, message) {
  const [k, m] = [words(key), words(message)];
  return joined(
    ...[0, 4, 8, 12].map((pass) => {
      // Digits of 16 bits.
      const digits = [0, 0, 0, 0];
      for (let i = 0; i < m.length; i += 4)
        for (const j of [0, 1]) {
          const [x, y] = [i + j, i + j + 2].map((at) => (m[at] + k[pass + at]) >>> 0);
          const [x0, x1, y0, y1] = [x & 0xffff, x >>> 16, y & 0xffff, y >>> 16];
          digits[0] += x0 * y0;
          digits[1] += x0 * y1 + x1 * y0;
          digits[2] += x1 * y1;
        }
      for (const i of [0, 1, 2]) {
        const carried = Math.floor(digits[i] / 2 ** 16);
        digits[i] -= carried * 2 ** 16;
        digits[i + 1] += carried;
      }
      return new Uint8Array(Uint16Array.from(digits, (digit) => digit % 2 ** 16).buffer);
    }),
  );
}

export function encrypt({ cipher, rounds, key, tweak, page }, { stream, poly1305, aes } = ours) {
  /** The stream for a nonce that is shorter: it is followed by a one, then zeros. */
  const streamed = (nonce, data) =>
    stream({ key, nonce: joined(nonce, [1], new Uint8Array(23 - nonce.length)), data, rounds });
  const keys = streamed(new Uint8Array(0), new Uint8Array(1136));
  const hash = (r, message) => number(poly1305(joined(r, new Uint8Array(16)), message));
  const adiantum = (message) => {
    const pieces = padded(message);
    const hashes = [];
    for (let i = 0; i < pieces.length; i += 1024) hashes.push(nh(keys.subarray(64), pieces.subarray(i, i + 1024)));
    const lengths = bytesOf(8n * BigInt(message.length), 16);
    return hash(keys.subarray(32, 48), joined(lengths, tweak)) + hash(keys.subarray(48, 64), joined(...hashes));
  };
  const hpolyc = (message) =>
    hash(keys.subarray(32, 48), joined(padded(joined(bytesOf(8n * BigInt(tweak.length), 4), tweak)), message));
  const H = cipher === 'adiantum' ? adiantum : hpolyc;

  const left = page.slice(0, -16);
  const middle = aes(keys.subarray(0, 32), bytesOf((number(page.subarray(-16)) + H(left)) % TWO_128, 16));
  const encrypted = streamed(middle, left);
  return joined(encrypted, bytesOf((2n * TWO_128 + number(middle) - H(encrypted)) % TWO_128, 16));
}
