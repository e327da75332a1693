// Who confirms the vectors of streams: models of the formats, with the primitives of node:crypto and with noble's.
import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { gcm } from '@noble/ciphers/aes.js';
import { chacha20, chacha20poly1305, hchacha } from '@noble/ciphers/chacha.js';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import sodium from 'libsodium-wrappers-sumo';
import { hex, unhex } from '../../oracles.mjs';

await sodium.ready;
const pattern = (length, seed) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8) * 3 + seed) & 255);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** HMAC-SHA-512, and what encrypts chunks. */
const chunkOracles = {
  'node:crypto': {
    hmac: (key, message) => createHmac('sha512', key).update(message).digest(),
    seal(key, nonce, chunk) {
      const cipher = createCipheriv(`aes-${key.length * 8}-gcm`, key, nonce);
      return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    },
  },
  noble: {
    hmac: (key, message) => hmac(sha512, key, message),
    seal: (key, nonce, chunk) => gcm(key, nonce).encrypt(chunk),
  },
};

/** The specification, written plainly. */
function cobblestone({ hmac, seal }, { key, context, header, length }) {
  const input = unhex(key);
  const salt = unhex(header).slice(0, 24);
  const name = `c2sp.org/chunked-encryption@v1+AEAD_AES_${input.length * 8}_GCM\0`;
  const info = Buffer.concat([Buffer.from(name), salt, unhex(context)]);
  const first = hmac(input, Buffer.concat([info, Buffer.of(1)]));
  const output = Buffer.concat([first, hmac(input, Buffer.concat([first, info, Buffer.of(2)]))]).subarray(
    0,
    input.length + 44,
  );
  const nonce = BigInt(`0x${hex(output.slice(input.length, input.length + 12))}`);
  const message = pattern(length, 0);
  const parts = [salt, output.slice(input.length + 12)];
  for (let k = 0; k * 16384 <= length; k++)
    parts.push(
      seal(
        output.slice(0, input.length),
        unhex((nonce ^ BigInt(k)).toString(16).padStart(24, '0')),
        message.slice(k * 16384, (k + 1) * 16384),
      ),
    );
  return Buffer.concat(parts);
}

const le = (value, bytes) =>
  Uint8Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n));
const words = (bytes) => new Uint32Array(Uint8Array.from(bytes).buffer);

/** HChaCha20, ChaCha20 and Poly1305. */
const messageOracles = {
  noble: {
    subkey(key, input) {
      const out = new Uint32Array(8);
      hchacha(words(Buffer.from('expand 32-byte k')), words(key), words(input), out);
      return new Uint8Array(out.buffer);
    },
    xor: (key, nonce, data) => chacha20(key, nonce, data),
    mac: (message, key) => poly1305(message, key),
  },
  libsodium: {
    subkey: (key, input) => sodium.crypto_core_hchacha20(input, key, null),
    xor: (key, nonce, data) => sodium.crypto_stream_chacha20_ietf_xor(data, nonce, key),
    mac: (message, key) => sodium.crypto_onetimeauth(message, key),
  },
};

/** Messages and additional data are a pattern. */
const patterned = ({ length, ad, ...rest }) => ({ ...rest, message: pattern(length, 1), ad: pattern(ad, 2) });

/** libsodium's format, written plainly: each message as the whole keystream of its nonce sees it. */
function secretstream({ subkey, xor, mac }, { key, header }, counter, messages) {
  let k = subkey(unhex(key), unhex(header).slice(0, 16));
  let nonce = unhex(header).slice(16);
  let count = BigInt(counter);
  const full = () => Buffer.concat([le(count, 4), nonce]);
  const rekey = () => {
    const both = xor(k, full(), Buffer.concat([k, nonce]));
    k = both.slice(0, 32);
    nonce = both.slice(32);
    count = 1n;
  };
  return messages.map(({ rekey: only, message, ad, tag }) => {
    if (only) return rekey();
    const length = message.length;
    const stream = xor(k, full(), Buffer.concat([new Uint8Array(64), Buffer.of(tag), new Uint8Array(63), message]));
    const input = Buffer.concat([
      ad,
      new Uint8Array(-ad.length & 15),
      stream.slice(64),
      new Uint8Array(length & 15),
      le(ad.length, 8),
      le(64 + length, 8),
    ]);
    const made = mac(input, stream.slice(0, 32));
    nonce = nonce.map((byte, i) => byte ^ made[i]);
    count = (count + 1n) % 2n ** 32n;
    if (tag & 2 || count === 0n) rekey();
    return Buffer.concat([stream.slice(64, 65), stream.slice(128), made]);
  });
}

const ageOracles = {
  'node:crypto'(key, nonce, chunk) {
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  },
  noble: (key, nonce, chunk) => chacha20poly1305(key, nonce).encrypt(chunk),
};

/** C2SP age, "Payload". */
function age(seal, key, message) {
  const count = Math.max(1, Math.ceil(message.length / 65536));
  const chunks = Array.from({ length: count }, (_, i) => {
    const nonce = unhex(i.toString(16).padStart(22, '0') + (i === count - 1 ? '01' : '00'));
    return seal(key, nonce, message.slice(65536 * i, 65536 * (i + 1)));
  });
  return Buffer.concat(chunks);
}

/** By file, how its vectors are confirmed. */
export const files = {
  'stream-cobblestone.json'(f, { tests }) {
    tests.forEach((t, i) => {
      const said = Object.entries(chunkOracles).map(([name, oracle]) => {
        const got = cobblestone(oracle, t);
        return [name, hex(got.subarray(0, 56)) === t.header && got.length === t.size && sha256(got) === t.sha256];
      });
      f.vector(`test ${i}`, said);
    });
  },
  'stream-secretstream.json'(f, file) {
    for (const t of file.tests) {
      const said = Object.entries(messageOracles).map(([name, oracle]) => {
        const got = secretstream(
          oracle,
          file,
          t.counter,
          t.messages.map((m) => (m.rekey ? m : patterned(m))),
        );
        return [
          name,
          t.messages.every(
            (m, i) => m.rekey || (m.ciphertext ? hex(got[i]) === m.ciphertext : sha256(got[i]) === m.sha256),
          ),
        ];
      });
      f.vector(t.name, said);
    }
  },
  'stream-secretstream-pynacl.json'(f, { tests }) {
    tests.forEach((t, i) => {
      const messages = t.chunks.map(({ tag, ad, message }) => ({ tag, ad: unhex(ad), message: unhex(message) }));
      const said = Object.entries(messageOracles).map(([name, oracle]) => {
        const got = secretstream(oracle, t, 1, messages);
        return [name, t.chunks.every(({ ciphertext }, j) => hex(got[j]) === ciphertext)];
      });
      f.vector(`test ${i}`, said);
    });
  },
  'stream-age.json'(f, { tests }) {
    for (const t of tests) {
      const said = Object.entries(ageOracles).map(([name, seal]) => {
        const got = age(seal, unhex(t.key), pattern(t.length, 0));
        return [name, got.length === t.size && sha256(got) === t.sha256 && (t.payload ?? hex(got)) === hex(got)];
      });
      f.vector(`${t.by}, ${t.length} bytes`, said);
    }
  },
};
