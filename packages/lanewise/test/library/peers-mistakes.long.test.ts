/** Mistakes that other libraries of this kind have made, and that this one must not make. */
// Runs in browsers, too: a mistake may show in one engine only.
import { describe, expect, test } from 'vitest';
import { chachaInstance } from '../../src/chacha/binding.ts';
import {
  chacha20,
  chacha20orig,
  chacha20poly1305,
  managedNonce,
  randomBytes,
  xchacha20,
  xchacha20poly1305,
} from '../../src/chacha.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { poly1305Instance } from '../../src/poly1305/binding.ts';
import { bytesToHex } from '../../src/utils.ts';
import { concat, detached, expectBytes, range, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const key = sample(32, 51);
const nonce = sample(12, 52);
const shortNonce = sample(8, 53);
const longNonce = sample(24, 54);
const aad = sample(50, 55);
const data = sample(300_000, 56);

const memories = (): Uint8Array[] =>
  [chachaInstance(0), chachaInstance(STAGE_BYTES), poly1305Instance()].map((x) => x.memory);

/** Fails if eight bytes in a row of a secret are anywhere in linear memory. */
function expectNowhere(secrets: Readonly<Record<string, Uint8Array>>, after: string): void {
  // One pass over memory searches for all secrets: there are many, and the memory is large.
  const starts = new Uint8Array(65_536);
  const byStart = new Map<number, { readonly name: string; readonly bytes: Uint8Array }[]>();
  const startOf = (bytes: Uint8Array, at: number): number =>
    bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  for (const [name, secret] of Object.entries(secrets))
    for (let at = 0; at + 8 <= secret.length; at += 8) {
      const start = startOf(secret, at);
      const same = byStart.get(start) ?? [];
      byStart.set(start, [...same, { name, bytes: secret.subarray(at, at + 8) }]);
      starts[start & 0xffff] = 1;
    }
  for (const memory of memories())
    for (let at = 0; at + 8 <= memory.length; at++) {
      if (starts[memory[at] | (memory[at + 1] << 8)] === 0) continue;
      const found = byStart
        .get(startOf(memory, at))
        ?.find(({ bytes }) => bytes.every((byte, i) => byte === memory[at + i]));
      if (found) expect.fail(`${found.name} is still in memory, at ${at}, after ${after}`);
    }
}

onEachEngine(() => {
  test('a cipher without a key never gives the message back in clear', () => {
    const message = data.subarray(0, 100);
    const out = untouched(100);
    for (const use of [
      () => chacha20(undefined as never, nonce, message, out),
      () => chacha20.stream(undefined as never, nonce).update(message, out),
      () => chacha20poly1305(undefined as never, nonce).encryptDetached(message, out),
      () => managedNonce(chacha20poly1305)(undefined as never).encrypt(message),
    ])
      expect(refusal(use)).toMatch(/^TypeError: "key" expected Uint8Array/);

    const stream = chacha20.stream(key, nonce);
    const box = chacha20poly1305(key, nonce);
    stream.destroy();
    box.destroy();
    expect(refusal(() => stream.update(message, out))).toMatch(/^Error: /);
    expect(refusal(() => box.encryptDetached(message, out))).toMatch(/^Error: /);
    expectBytes(out, untouched(100), 'out');
  });

  test('10 bytes and 10 bytes streamed are never anything else than 20 bytes, and none is held back', () => {
    for (const [stream, whole] of [
      [chacha20.stream(key, nonce), oracles.chacha20(key, nonce, data.subarray(0, 20))],
      [chacha20orig.stream(key, shortNonce), oracles.chacha20(key, shortNonce, data.subarray(0, 20))],
      [xchacha20.stream(key, longNonce), oracles.xchacha20(key, longNonce, data.subarray(0, 20))],
    ] as const) {
      const first = stream.update(data.subarray(0, 10));
      expect(first).toHaveLength(10);
      expectBytes(concat(first, stream.update(data.subarray(10, 20))), whole, '10 + 10');
    }
  });

  describe('no key, subkey, one-time key, keystream or plaintext stays in linear memory', () => {
    const subkey = oracles.hchacha20(key, longNonce.subarray(0, 16));
    // The keystream of block 0, whose first half is the one-time key, and of the blocks after it.
    const zeros = new Uint8Array(400_064);
    const keystreams = {
      keystream: oracles.chacha20(key, nonce, zeros),
      'X keystream': oracles.xchacha20(key, longNonce, zeros),
      'original keystream': oracles.chacha20(key, shortNonce, zeros),
    };
    const firstAndLast = (bytes: Uint8Array, length: number): Uint8Array =>
      concat(bytes.subarray(0, 1024), bytes.subarray(Math.max(0, length - 1024), length + 1024));
    const secretsFor = (length: number): Readonly<Record<string, Uint8Array>> => ({
      key,
      subkey,
      plaintext: firstAndLast(data.subarray(0, length), length),
      'additional data': aad,
      ...Object.fromEntries(Object.entries(keystreams).map(([name, all]) => [name, firstAndLast(all, length)])),
    });

    test.each([0, 1, 16, 64, 65, 100, 512, 513, 2100, STAGE_BYTES, STAGE_BYTES + 1, 300_000])('%i bytes', (length) => {
      const plaintext = data.subarray(0, length);
      const secrets = secretsFor(length);
      const cipher = { short: chacha20poly1305(key, nonce, aad), long: xchacha20poly1305(key, longNonce, aad) };
      expectNowhere(secrets, 'making an object');
      for (const [name, box] of Object.entries(cipher)) {
        const sealed = box.encrypt(plaintext);
        expectNowhere(secrets, `encrypt, ${name}`);
        box.decrypt(sealed);
        expectNowhere(secrets, `decrypt, ${name}`);
        box.decrypt(sealed, new Uint8Array(length));
        expectNowhere(secrets, `decrypt into bytes, ${name}`);
        sealed[sealed.length - 1] ^= 1;
        refusal(() => box.decrypt(sealed));
        expectNowhere(secrets, `a forgery, ${name}`);
        refusal(() => box.decrypt(sealed, new Uint8Array(length)));
        expectNowhere(secrets, `a forgery into bytes, ${name}`);
        refusal(() => box.decrypt(new Uint8Array(15)));
        refusal(() => box.encrypt(plaintext));
        refusal(() => box.decryptDetached(plaintext, new Uint8Array(15)));
        expectNowhere(secrets, `refused calls, ${name}`);
      }
      for (const [stream, once] of [
        [chacha20.stream(key, nonce), () => chacha20(key, nonce, plaintext)],
        [xchacha20.stream(key, longNonce), () => xchacha20(key, longNonce, plaintext)],
        [chacha20orig.stream(key, shortNonce), () => chacha20orig(key, shortNonce, plaintext)],
      ] as const) {
        expectNowhere(secrets, 'stream()');
        for (const cut of [0, length >> 1]) stream.update(plaintext.subarray(cut, cut + (length >> 1)));
        expectNowhere(secrets, 'update()');
        once();
        expectNowhere(secrets, 'a single call');
      }
      const mac = poly1305.create(key);
      expectNowhere(secrets, 'poly1305.create()');
      mac.update(plaintext);
      expectNowhere(secrets, 'Poly1305.update()');
      mac.digest();
      poly1305(plaintext, key);
      expectNowhere(secrets, 'poly1305()');
    });

    test('the search would find them', () => {
      const memory = chachaInstance(STAGE_BYTES).memory;
      memory.set(key.subarray(8, 16), memory.length - 8);
      expect(refusal(() => expectNowhere({ key }, 'it was put there'))).toContain('key is still in memory');
      memory.fill(0, memory.length - 8);
    });
  });

  test('messages and additional data are not limited to 64 KiB', () => {
    for (const length of [65_535, 65_536, 65_537, 300_000]) {
      const plaintext = data.subarray(0, length);
      const expected = oracles.seal(key, longNonce, plaintext, plaintext);
      const box = xchacha20poly1305(key, longNonce, plaintext);
      expectBytes(box.encrypt(plaintext), expected, `${length} bytes`);
      expectBytes(box.decrypt(expected), plaintext, `${length} bytes`);
    }
  });

  test('more than 65,536 random bytes do not throw, and long bytes do not overflow the stack', () => {
    expect(randomBytes(65_537)).toHaveLength(65_537);
    const bytes = randomBytes(2 ** 20);
    expect(bytesToHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
  });

  test('a living object never keeps others from working', () => {
    const count = 300;
    const keys = range(0, count).map((i) => sample(32, 1000 + i));
    const streams = keys.map((k) => chacha20.stream(k, nonce));
    const boxes = keys.map((k) => xchacha20poly1305(k, longNonce, aad));
    const macs = keys.map((k) => poly1305.create(k));
    const parts = [data.subarray(0, 33), data.subarray(33, 100)];
    const streamed = parts.map((piece) => {
      macs.forEach((mac) => mac.update(piece));
      return streams.map((stream) => stream.update(piece));
    });
    keys.forEach((k, i) => {
      const plaintext = data.subarray(0, 100);
      expectBytes(concat(streamed[0][i], streamed[1][i]), oracles.chacha20(k, nonce, plaintext), `stream ${i}`);
      expectBytes(boxes[i].encrypt(plaintext), oracles.seal(k, longNonce, aad, plaintext), `box ${i}`);
      expectBytes(macs[i].digest(), oracles.poly1305(plaintext, k), `mac ${i}`);
    });
  });

  test('a plaintext is not written to the caller before its tag is found right', () => {
    for (const length of [1, 64, 512, 513, 2100, STAGE_BYTES, STAGE_BYTES + 1, 300_000]) {
      const sealed = oracles.seal(key, nonce, aad, data.subarray(0, length));
      // The last part alone is forged: all parts before it look right.
      sealed[length - 1] ^= 1;
      const out = untouched(length);
      const box = chacha20poly1305(key, nonce, aad);
      expect(refusal(() => box.decrypt(sealed, out))).toBe('Error: invalid tag');
      expect(refusal(() => box.decryptDetached(sealed.subarray(0, length), sealed.subarray(length), out))).toBe(
        'Error: invalid tag',
      );
      expectBytes(out, untouched(length), `${length} bytes`);
      const before = sealed.slice();
      expect(refusal(() => box.decrypt(sealed, sealed.subarray(0, length)))).toBe('Error: invalid tag');
      expectBytes(sealed, before, `${length} bytes, in place`);
    }
  });

  test('a detached buffer is never taken for an empty message', () => {
    const gone = detached(100);
    for (const use of [
      () => chacha20(key, nonce, gone),
      () => chacha20.stream(key, nonce).update(gone),
      () => chacha20poly1305(key, nonce, gone),
      () => chacha20poly1305(key, nonce).encrypt(gone),
      () => chacha20poly1305(key, nonce).encryptDetached(gone),
      () => chacha20poly1305(key, nonce).decrypt(gone),
      () => chacha20poly1305(key, nonce).decryptDetached(gone, new Uint8Array(16)),
      () => managedNonce(xchacha20poly1305)(key).encrypt(gone),
      () => poly1305(gone, key),
      () => poly1305.create(key).update(gone),
    ])
      expect(refusal(use)).toMatch(/^TypeError: ".*" expected Uint8Array, got one whose buffer is detached/);
  });

  test('key, nonce, additional data and messages are not borrowed: changing them later changes no result', () => {
    const [k, n, a, piece] = [key.slice(), longNonce.slice(), aad.slice(), data.slice(0, 10)];
    const box = xchacha20poly1305(k, n, a);
    const managed = managedNonce(xchacha20poly1305, () => longNonce)(k, a);
    const stream = xchacha20.stream(k, n);
    const mac = poly1305.create(k).update(piece);
    for (const bytes of [k, n, a, piece]) bytes.fill(0);
    const plaintext = data.subarray(0, 100);
    const sealed = oracles.seal(key, longNonce, aad, plaintext);
    expectBytes(box.encrypt(plaintext), sealed, 'the AEAD');
    expectBytes(stream.update(plaintext), oracles.xchacha20(key, longNonce, plaintext), 'the stream');
    expectBytes(mac.digest(), oracles.poly1305(data.subarray(0, 10), key), 'the MAC');
    expectBytes(managed.encrypt(plaintext), concat(longNonce, sealed), 'the managed nonce');
  });

  test('linear memory is not megabytes: 256 KiB in all', () => {
    const buffers = new Set(memories().map(({ buffer }) => buffer));
    expect([...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThanOrEqual(256 * 1024);
  });
});
