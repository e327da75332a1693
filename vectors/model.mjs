// ChaCha, HChaCha, Poly1305 and their AEADs written as their papers and RFC 8439 draw them: slow, readable, numbers
// and BigInt only. It is one of the oracles of verify.mjs, and generate-poly1305-edge.mjs computes with it.

const rotl = (x, n) => ((x << n) | (x >>> (32 - n))) >>> 0;

/** RFC 8439 2.1: four words in, four words out. */
export function quarterRound([a, b, c, d]) {
  a = (a + b) >>> 0;
  d = rotl(d ^ a, 16);
  c = (c + d) >>> 0;
  b = rotl(b ^ c, 12);
  a = (a + b) >>> 0;
  d = rotl(d ^ a, 8);
  c = (c + d) >>> 0;
  b = rotl(b ^ c, 7);
  return [a, b, c, d];
}

/** The same once more in BigInt arithmetic, sharing no code with the one above. */
export function quarterRoundBig(words) {
  const M = 1n << 32n;
  const v = words.map(BigInt);
  for (const [sum, by, mixed, turn] of [
    [0, 1, 3, 16n],
    [2, 3, 1, 12n],
    [0, 1, 3, 8n],
    [2, 3, 1, 7n],
  ]) {
    v[sum] = (v[sum] + v[by]) % M;
    const x = (v[mixed] ^ v[sum]) << turn;
    v[mixed] = (x % M) + x / M;
  }
  return v.map(Number);
}

export const words = (bytes) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
};
export const bytes = (ws) => {
  const view = new DataView(new ArrayBuffer(4 * ws.length));
  ws.forEach((w, i) => view.setUint32(4 * i, w, true));
  return new Uint8Array(view.buffer);
};

const ascii = (s) => Uint8Array.from(s, (c) => c.charCodeAt(0));
const ROUND = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/** Constants, key (16 or 32 bytes) and the last four words (counter and nonce, or the input of HChaCha). */
export function setup(key, tail) {
  const constants = ascii(key.length === 16 ? 'expand 16-byte k' : 'expand 32-byte k');
  return words(Uint8Array.from([...constants, ...key, ...(key.length === 16 ? key : []), ...tail]));
}
export function afterRounds(state, rounds = 20) {
  const v = [...state];
  for (let r = 0; r < rounds; r += 2) {
    for (const at of ROUND)
      quarterRound(at.map((i) => v[i])).forEach((w, i) => {
        v[at[i]] = w;
      });
  }
  return v;
}
export const atEnd = (state, rounds = 20) => afterRounds(state, rounds).map((w, i) => (w + state[i]) >>> 0);

export function hchacha(key, input, rounds = 20) {
  const v = afterRounds(setup(key, input), rounds);
  return bytes([...v.slice(0, 4), ...v.slice(12)]);
}

const le = (value, size) =>
  Uint8Array.from({ length: size }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
const number = (b) => b.reduceRight((n, x) => (n << 8n) | BigInt(x), 0n);

/** XOR with the keystream from block `counter`. The nonce decides: 12 bytes = RFC 8439, 8 = original, 24 = XChaCha. */
export function stream({ key, nonce, counter = 0n, data, rounds = 20 }) {
  if (nonce.length === 24) {
    return stream({
      key: hchacha(key, nonce.subarray(0, 16), rounds),
      nonce: nonce.subarray(16),
      counter,
      data,
      rounds,
    });
  }
  const counterSize = 16 - nonce.length;
  const blocks = Math.ceil(data.length / 64);
  if (counter + BigInt(blocks) > 1n << BigInt(8 * counterSize)) throw new RangeError('counter past its last block');
  const out = Uint8Array.from(data);
  for (let i = 0; i < blocks; i++) {
    const block = bytes(atEnd(setup(key, [...le(counter + BigInt(i), counterSize), ...nonce]), rounds));
    for (let j = 64 * i; j < out.length && j < 64 * i + 64; j++) out[j] ^= block[j - 64 * i];
  }
  return out;
}

export const P = (1n << 130n) - 5n;
export const CLAMP = 0x0ffffffc0ffffffc0ffffffc0fffffffn;

/** RFC 8439 2.5, with the accumulator after each block. */
export function poly1305Trace(key, message) {
  const r = number(key.subarray(0, 16)) & CLAMP;
  const s = number(key.subarray(16));
  let h = 0n;
  const accumulators = [];
  for (let i = 0; i < message.length; i += 16) {
    h = ((h + number([...message.subarray(i, i + 16), 1])) * r) % P;
    accumulators.push(h);
  }
  return { r, s, accumulators, accumulator: h, tag: le(h + s, 16) };
}
export const poly1305 = (key, message) => poly1305Trace(key, message).tag;

const pad = (b) => [...b, ...new Uint8Array((16 - (b.length % 16)) % 16)];
export const macData = (aad, ciphertext) =>
  Uint8Array.from([...pad(aad), ...pad(ciphertext), ...le(aad.length, 8), ...le(ciphertext.length, 8)]);
export const oneTimeKey = (key, nonce) => stream({ key, nonce, data: new Uint8Array(32) });

/** RFC 8439 2.8 (12-byte nonce) and the XChaCha draft (24-byte nonce). */
export function seal({ key, nonce, aad, plaintext }) {
  if (nonce.length !== 12 && nonce.length !== 24) throw new RangeError('nonce length');
  const ciphertext = stream({ key, nonce, counter: 1n, data: plaintext });
  return { ciphertext, tag: poly1305(oneTimeKey(key, nonce), macData(aad, ciphertext)) };
}
export function open({ key, nonce, aad, ciphertext, tag }) {
  if (nonce.length !== 12 && nonce.length !== 24) throw new RangeError('nonce length');
  const expected = poly1305(oneTimeKey(key, nonce), macData(aad, ciphertext));
  if (Buffer.compare(expected, tag) !== 0) throw new Error('invalid tag');
  return stream({ key, nonce, counter: 1n, data: ciphertext });
}
