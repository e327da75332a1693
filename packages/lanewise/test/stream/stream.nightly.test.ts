/**
 * More than 4 GiB through the machines of each format: their output is compared, chunk by chunk, with OpenSSL. Numbers of chunks,
 * of bytes and of messages are those of long streams.
 */
import { createCipheriv, createHmac } from 'node:crypto';
import sodium from 'libsodium-wrappers-sumo';
import { expect, test } from 'vitest';
import { agePayload, chunked, secretstream } from '../../src/stream.ts';
import { concat, expectBytes, hex, sample } from '../support/bytes.ts';
import { chunkedNonce } from '../support/stream-models.ts';
import type { Machine } from '../support/stream.ts';

await sodium.ready;

const key = sample(32, 51);
const MiB = 2 ** 20;
/** 4 GiB and a little more, which does not fill a chunk. */
const PIECES = 4097;
const TAIL = 12_345;
const SIZE = PIECES * MiB + TAIL;

const pattern = sample(MiB, 52);
/** A buffer whose chunks differ from those of all other places in the stream: each starts with its number. */
class Plaintext {
  readonly bytes = pattern.slice();
  readonly #view = new DataView(this.bytes.buffer);
  readonly #chunk: number;

  constructor(chunk: number) {
    this.#chunk = chunk;
  }

  /** A mebibyte of the stream. */
  piece(number: number): Uint8Array {
    const first = (number * MiB) / this.#chunk;
    for (let at = 0; at < MiB; at += this.#chunk) this.#view.setUint32(at, first + at / this.#chunk);
    return this.bytes;
  }

  chunk(number: number): Uint8Array {
    const at = (number * this.#chunk) % MiB;
    this.#view.setUint32(at, number);
    return this.bytes.subarray(at, at + this.#chunk);
  }
}

function sealWith(its: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, aad = new Uint8Array(0)): Uint8Array {
  const cipher = createCipheriv('chacha20-poly1305', its, nonce, { authTagLength: 16 });
  cipher.setAAD(aad, { plaintextLength: plaintext.length });
  return concat(cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
}

/** Seals the stream, compares each chunk with that of `seal`, and opens it; returns the sealed end, which is not opened yet. */
function through(
  sealer: Machine,
  opener: Machine,
  chunk: number,
  seal: (k: number, plaintext: Uint8Array) => Uint8Array,
) {
  const [given, expected, released] = [new Plaintext(chunk), new Plaintext(chunk), new Plaintext(chunk)];
  const whole = chunk + 16;
  const sealedRoom = new Uint8Array((MiB / chunk + 1) * whole);
  const openedRoom = new Uint8Array(2 * MiB);
  let sealedChunks = 0;
  let openedChunks = 0;
  const compare = (sealed: Uint8Array): void => {
    for (let at = 0; at < sealed.length; at += whole, sealedChunks++)
      expectBytes(sealed.subarray(at, at + whole), seal(sealedChunks, expected.chunk(sealedChunks)), `${sealedChunks}`);
    const opened = opener.push(sealed, openedRoom);
    for (let at = 0; at < opened.length; at += chunk, openedChunks++)
      expectBytes(opened.subarray(at, at + chunk), released.chunk(openedChunks), `opened ${openedChunks}`);
  };
  for (let number = 0; number < PIECES; number++) {
    const piece = given.piece(number);
    // Now and then the piece comes in parts that cut chunks.
    const cuts = number % 50 === 49 ? [0, 1, 70_000, MiB] : [0, MiB];
    for (let i = 1; i < cuts.length; i++) compare(sealer.push(piece.subarray(cuts[i - 1], cuts[i]), sealedRoom));
  }
  compare(sealer.push(pattern.subarray(0, TAIL), sealedRoom));
  const end = sealer.end();
  expect(openedChunks).toBe(sealedChunks);
  expectBytes(end, seal(sealedChunks, pattern.subarray(0, TAIL)), 'the end');
  expect(sealedChunks * whole + end.length).toBeGreaterThan(2 ** 32);
  return { chunks: sealedChunks, end };
}

test('agePayload', () => {
  const last = Math.floor(SIZE / 65_536);
  const nonceOf = (k: number): Uint8Array =>
    new Uint8Array(Buffer.from(k.toString(16).padStart(22, '0') + (k === last ? '01' : '00'), 'hex'));
  const opener = agePayload(key).opener();
  const { chunks, end } = through(agePayload(key).sealer(), opener, 65_536, (k, plaintext) =>
    sealWith(key, nonceOf(k), plaintext),
  );
  expect(chunks).toBe(last);
  expect(agePayload.ciphertextSize(SIZE)).toBe(last * 65_552 + end.length);
  expect(agePayload.plaintextSize(last * 65_552 + end.length)).toBe(SIZE);
  expect(opener.push(end)).toHaveLength(0);
  expectBytes(opener.end(), pattern.subarray(0, TAIL), 'the end');
});

test('chunked', async () => {
  const sealer = await chunked(key).sealer();
  const { header } = sealer;
  const hmac = (...parts: Uint8Array[]): Buffer =>
    createHmac('sha512', key)
      .update(concat(...parts))
      .digest();
  const info = concat(Buffer.from('c2sp.org/chunked-encryption@v1+AEAD_CHACHA20_POLY1305\0'), header.subarray(0, 24));
  const first = hmac(info, Uint8Array.of(1));
  expect(hex(concat(first, hmac(first, info, Uint8Array.of(2))).subarray(44, 76))).toBe(hex(header.subarray(24)));
  const opener = await chunked(key).opener({ header });
  const { chunks, end } = through(sealer, opener, 16_384, (k, plaintext) =>
    sealWith(first.subarray(0, 32), chunkedNonce(first.subarray(32, 44), BigInt(k)), plaintext),
  );
  expect(chunks).toBe(Math.floor(SIZE / 16_384));
  const size = 56 + chunks * 16_400 + end.length;
  expect(chunked.ciphertextSize(SIZE)).toBe(size);
  expect(chunked.plaintextSize(size)).toBe(SIZE);
  // The last chunk lacks a byte.
  opener.push(end.subarray(1));
  expect(() => opener.end()).toThrow(
    new Error(`chunk ${chunks} is not authentic, or truncated after ${size - 1} bytes`),
  );
});

test('secretstream', () => {
  const CHUNK = 65_536;
  const sealer = secretstream(key).sealer();
  const { header } = sealer;
  const opener = secretstream(key).opener({ header });
  const subkey = sodium.crypto_core_hchacha20(header.subarray(0, 16), key, null);
  const nonce = concat(new Uint8Array(4), header.subarray(16));
  const tagged = new Uint8Array(64 + CHUNK);
  const [given, ad] = [new Plaintext(CHUNK), new Uint8Array(0)];
  const [sealedRoom, openedRoom] = [new Uint8Array(CHUNK + 17), new Uint8Array(CHUNK)];
  const messages = (PIECES * MiB) / CHUNK;
  for (let i = 0; i < messages; i++) {
    const message = given.chunk(i);
    // For whole blocks the MAC's zeros are those of RFC 8439: the AEAD, with a block of the tag in front of the message.
    tagged.set(message, 64);
    new DataView(nonce.buffer).setUint32(0, i + 1, true);
    const wanted = sealWith(subkey, nonce, tagged, ad);
    for (let j = 0; j < 8; j++) nonce[4 + j] ^= wanted[wanted.length - 16 + j];
    const sealed = sealer.push(message, sealedRoom);
    if (sealed[0] !== wanted[0]) throw new Error(`the tag of message ${i}`);
    expectBytes(sealed.subarray(1), wanted.subarray(64), `message ${i}`);
    expectBytes(opener.push(sealed, openedRoom), message, `message ${i}, opened`);
  }
  expect(() => opener.end()).toThrow(new Error(`truncated after ${messages * (CHUNK + 17)} bytes`));
  expect(messages * CHUNK).toBeGreaterThan(2 ** 32);
});
