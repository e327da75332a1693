/**
 * After every call, whether it returned or threw, the linear memory of every instance is as it was after instantiation.
 * Only ciphertext may stay where the message was, or where it was put aside: it is public. Every other byte is compared.
 */
import { createCipheriv } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { chachaInstance } from '../../src/chacha/binding.ts';
import * as chacha from '../../src/chacha.ts';
import { select } from '../../src/engine.ts';
import { ASIDE, STAGE, STAGE_BYTES, MASKS } from '../../src/keystream/map.ts';
import { STAGE_BYTES as MAC_STAGE_BYTES } from '../../src/poly1305/map.ts';
import { poly1305Instance } from '../../src/poly1305/binding.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { engines } from '../support/engines.ts';
import { Memories, pattern, whileThrowing } from '../support/wiped.ts';

/** Lengths around those of blocks, rows, sets, groups, the place aside, the wipe in two parts, and the stages. */
const LENGTHS = [
  0, 1, 16, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 257, 500, 512, 513, 1023, 1024, 1025, 1100, 2048, 2049, 5000,
  65_216, 65_280, 65_281, 65_536, 122_879, 122_880, 122_881, 300_000,
];
const AADS = [0, 5, 64, 1024, 2000];
/** Messages in parts are the slow ones: with no additional data, and with more than goes into one call, they suffice. */
const lengthsWith = (aadLength: number): readonly number[] =>
  aadLength === 0 || aadLength === 2000 ? LENGTHS : LENGTHS.filter((length) => length <= 5000);
const MASK_BYTES = 48;

const key = pattern(32, 1000);
const nonces = { 8: pattern(8, 2000), 12: pattern(12, 3000), 24: pattern(24, 4000) };
const messages = new Map(LENGTHS.map((length) => [length, pattern(length, 5000)]));
const message = (length: number): Uint8Array<ArrayBuffer> => messages.get(length) ?? pattern(length, 5000);
const aadOf = (length: number): Uint8Array<ArrayBuffer> => pattern(length, 6000);

let memories: Memories;
const expectWiped: Memories['expectWiped'] = (...values) => memories.expectWiped(...values);
const expectFailure: Memories['expectFailure'] = (...values) => memories.expectFailure(...values);
/** Where a ciphertext was staged or put aside. */
const isPublic = (byte: number, i: number, ciphertext: Uint8Array, name: string): boolean =>
  name !== 'poly1305' && byte === ciphertext[i - (i < STAGE ? ASIDE : STAGE)];

const detached = (): Uint8Array<ArrayBuffer> => {
  const bytes = pattern(100, 1);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};

const raws = {
  chacha8: 12,
  chacha12: 12,
  chacha20: 12,
  chacha8orig: 8,
  chacha12orig: 8,
  chacha20orig: 8,
  xchacha8: 24,
  xchacha12: 24,
  xchacha20: 24,
} as const;
const aeads = { chacha20poly1305: 12, xchacha20poly1305: 24 } as const;

describe.each(engines)('%s', (engine) => {
  beforeAll(() => {
    select(engine);
    memories = new Memories(
      { short: chachaInstance(0), long: chachaInstance(1e6), poly1305: poly1305Instance() },
      isPublic,
    );
  });

  it('starts with nothing in memory but the masks', () => {
    for (const { name, initial } of memories.watched) {
      const masks = engine === 'simd' && name !== 'poly1305';
      const [from, to] = masks ? [MASKS, MASKS + MASK_BYTES] : [0, 0];
      expect(initial.every((byte, i) => byte === 0 || (i >= from && i < to))).toBe(true);
    }
  });

  it('is looked at closely: one byte of anything else is found', () => {
    memories.expectClose();
  });

  it.each(Object.entries(raws))('%s', (name, nonceLength) => {
    const cipher = chacha[name as keyof typeof raws];
    const nonce = nonces[nonceLength];
    for (const length of LENGTHS) {
      cipher(key, nonce, message(length));
      expectWiped(`${length} bytes`);
      const out = message(length).slice();
      cipher(key, nonce, out, out, 7);
      expectWiped(`${length} bytes in place`);
    }
    if (nonceLength !== 8) return;
    cipher(key.subarray(0, 16), nonce, message(500));
    expectWiped('a short key');
  });

  it('overlapping data and out, of more than the stage', () => {
    const buffer = pattern(300_100, 1);
    chacha.xchacha20(key, nonces[24], buffer.subarray(0, 300_000), buffer.subarray(100));
    expectWiped('raw');
    chacha.xchacha20poly1305(key, nonces[24]).encrypt(buffer.subarray(0, 300_000), buffer.subarray(84));
    expectWiped('AEAD', buffer.subarray(84));
  });

  it.each(['chacha20', 'chacha20orig', 'xchacha20'] as const)('%s.stream', (name) => {
    const nonce = nonces[raws[name]];
    for (const skip of [0, 1, 63]) {
      for (const length of LENGTHS) {
        const stream = chacha[name].stream(key, nonce, 3).seek(skip);
        expectWiped('made');
        stream.update(message(length));
        expectWiped(`${length} bytes from ${skip}`);
        const out = new Uint8Array(10);
        stream.update(message(10), out);
        expectWiped(`10 bytes behind ${length}`);
        stream.destroy();
      }
    }
  });

  describe.each(Object.entries(aeads))('%s', (name, nonceLength) => {
    const cipher = chacha[name as keyof typeof aeads];
    const nonce = nonces[nonceLength];

    it.each(AADS)('%i bytes of additional data', (aadLength) => {
      const aad = aadOf(aadLength);
      for (const length of lengthsWith(aadLength)) {
        const what = `${length} bytes`;
        const make = () => cipher(key, nonce, aadLength ? aad : undefined);
        const plaintext = message(length);
        const sealed = make().encrypt(plaintext);
        expectWiped(`${what}: encrypt`, sealed);
        expectWiped(`${what}: encrypt with out`, make().encrypt(plaintext, new Uint8Array(length + 16)));
        const { ciphertext, tag } = make().encryptDetached(plaintext);
        expectWiped(`${what}: encryptDetached`, ciphertext);
        make().encryptDetached(plaintext, new Uint8Array(length));
        expectWiped(`${what}: encryptDetached with out`, ciphertext);
        make().decrypt(sealed);
        expectWiped(`${what}: decrypt`, sealed);
        make().decrypt(sealed, new Uint8Array(length));
        expectWiped(`${what}: decrypt with out`, sealed);
        make().decryptDetached(ciphertext, tag);
        expectWiped(`${what}: decryptDetached`, sealed);
        make().decryptDetached(ciphertext, tag, new Uint8Array(length));
        expectWiped(`${what}: decryptDetached with out`, sealed);
      }
    });

    it.each(AADS)('a wrong tag, %i bytes of additional data', (aadLength) => {
      for (const length of lengthsWith(aadLength)) {
        const make = () => cipher(key, nonce, aadOf(aadLength));
        const wrong = make().encrypt(message(length));
        expectWiped(`${length} bytes: encrypt`, wrong);
        wrong[wrong.length - 1] ^= 1;
        const out = new Uint8Array(length);
        expectFailure(`${length} bytes`, () => make().decrypt(wrong), /invalid tag/, wrong);
        expectFailure(`${length} bytes with out`, () => make().decrypt(wrong, out), /invalid tag/, wrong);
        const tag = wrong.slice(length);
        expectFailure(`detached`, () => make().decryptDetached(wrong.subarray(0, length), tag), /invalid tag/, wrong);
        expectFailure(
          `with out`,
          () => make().decryptDetached(wrong.subarray(0, length), tag, out),
          /invalid tag/,
          wrong,
        );
      }
    });

    it('misuse', () => {
      for (const length of [0, 64, 500, 5000, STAGE_BYTES + 1]) {
        const short = new Uint8Array(length + 15);
        expectFailure('out too short', () => cipher(key, nonce).encrypt(message(length), short), /"out"/);
        const box = cipher(key, nonce);
        expectWiped(`${length} bytes`, box.encrypt(message(length)));
        expectFailure('second encrypt', () => box.encrypt(message(length)), /twice/);
        expectFailure('too short', () => box.decrypt(new Uint8Array(15)), /tagLength/);
        box.destroy();
        expectFailure('destroyed', () => box.decrypt(message(length)), /destroy/);
      }
      expectFailure('detached plaintext', () => cipher(key, nonce).encrypt(detached()), /detached/);
      expectFailure('detached ciphertext', () => cipher(key, nonce).decrypt(detached()), /detached/);
      expectFailure('detached additional data', () => cipher(key, nonce, detached()), /detached/);
      expectFailure('short key', () => cipher(key.subarray(1), nonce), /"key"/);
    });
  });

  it('managedNonce', () => {
    const box = chacha.managedNonce(chacha.xchacha20poly1305)(key, aadOf(5));
    for (const length of LENGTHS) {
      const sealed = box.encrypt(message(length));
      expectWiped(`encrypt ${length} bytes`, sealed.subarray(24));
      box.decrypt(sealed);
      expectWiped(`decrypt ${length} bytes`, sealed.subarray(24));
      sealed[30] ^= 1;
      expectFailure(`${length} bytes`, () => box.decrypt(sealed), /invalid tag/, sealed.subarray(24));
    }
  });

  it('hchacha', () => {
    const words = (length: number, seed: number): Uint32Array => new Uint32Array(pattern(4 * length, seed).buffer);
    chacha.hchacha(words(4, 1), words(8, 2), words(4, 3), new Uint32Array(8));
    expectWiped('hchacha');
    const bad = (): void => {
      chacha.hchacha(words(4, 1), words(8, 2), words(4, 3), new Uint32Array(7));
    };
    expectFailure('hchacha', bad, /"out"/);
  });

  it('poly1305', () => {
    for (const length of [...LENGTHS, MAC_STAGE_BYTES - 1, MAC_STAGE_BYTES, MAC_STAGE_BYTES + 1]) {
      poly1305(message(length), key);
      expectWiped(`${length} bytes`);
      const mac = poly1305.create(key).update(message(length));
      expectWiped(`update, ${length} bytes`);
      mac.update(message(5)).update(message(length));
      expectWiped(`5 and ${length} more bytes`);
      mac.digest();
      expectWiped('digest');
      expectFailure('update after digest', () => mac.update(message(1)), /digest/);
    }
    expectFailure('short key', () => poly1305(message(500), key.subarray(1)), /"key"/);
    expectFailure('wrong out', () => poly1305.create(key).update(message(500)).digestInto(new Uint8Array(15)), /"out"/);
    expectFailure('detached message', () => poly1305(detached(), key), /detached/);
  });

  it('a raw cipher that may not go on', () => {
    const last = 2 ** 32 - 1;
    const { chacha20 } = chacha;
    const nonce = nonces[12];
    expectFailure('one call', () => chacha20(key, nonce, message(65), undefined, last), /counter/);
    const stream = chacha20.stream(key, nonce, last);
    stream.update(message(60));
    expectWiped('in the last block');
    expectFailure('past the end', () => stream.update(message(5)), /counter/);
    stream.update(message(4));
    expectWiped('the last byte');
    expectFailure('at the end', () => stream.update(message(1)), /counter/);
    expectFailure('short out', () => chacha20(key, nonce, message(500), new Uint8Array(499)), /"out"/);
    expectFailure('detached data', () => chacha20(key, nonce, detached()), /detached/);
    expectFailure('short nonce', () => chacha20(key, nonce.subarray(1), message(500)), /"nonce"/);
  });

  it.each(['before', 'after'] as const)('what throws %s the kernel has run', (time) => {
    const box = () => chacha.xchacha20poly1305(key, nonces[24], aadOf(5));
    const sealed = new Map(LENGTHS.map((length) => [length, box().encrypt(message(length))]));
    const calls = {
      raw: (length: number) => chacha.xchacha20(key, nonces[24], message(length)),
      stream: (length: number) => chacha.chacha20.stream(key, nonces[12]).update(message(length)),
      encrypt: (length: number) => box().encrypt(message(length)),
      encryptDetached: (length: number) => box().encryptDetached(message(length)),
      decrypt: (length: number) => box().decrypt(sealed.get(length)!),
      'decrypt with out': (length: number) => box().decrypt(sealed.get(length)!, new Uint8Array(length)),
      poly1305: (length: number) => poly1305(message(length), key),
      'poly1305.create': (length: number) => poly1305.create(key).update(message(length)),
    };
    memories.restore();
    whileThrowing([chachaInstance(0), chachaInstance(1e6), poly1305Instance()], time, () => {
      for (const [name, call] of Object.entries(calls))
        for (const length of LENGTHS.filter((n) => n >= 16))
          expectFailure(`${name}, ${length} bytes`, () => call(length), /planted/, sealed.get(length));
    });
  });
});

it('looks for bytes that are not zero: few of a keystream are, none of what is encrypted here', () => {
  const keystream = createCipheriv('chacha20', key, Buffer.concat([Buffer.alloc(4), nonces[12]])).update(
    new Uint8Array(4096),
  );
  expect(keystream.filter((byte) => byte === 0).length).toBeLessThan(64);
  expect(message(5000)).not.toContain(0);
});
