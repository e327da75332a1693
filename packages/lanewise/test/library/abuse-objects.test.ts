/** Objects of the library that are cloned, printed, or asked why a message was refused. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { blake3, subtree, TreeBuilder, merge, type Subtree } from '../../src/blake3.ts';
import { chacha20, chacha20poly1305, managedNonce, xchacha20poly1305 } from '../../src/chacha.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { hex, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

// No byte of the key occurs twice, so that any three of them are found wherever they are.
const key = Uint8Array.from({ length: 32 }, (_, i) => 0xff - 7 * i);
const nonces = { 12: sample(12, 51), 24: sample(24, 52) };
const aad = sample(20, 53);
const plaintext = sample(100, 54);

describe('objects that hold a key', () => {
  const objects: Record<string, () => object> = {
    Aead: () => xchacha20poly1305(key, nonces[24], aad),
    CipherStream: () => chacha20.stream(key, nonces[12]),
    Poly1305: () => poly1305.create(key),
    Blake3: () => blake3.create({ key }),
  };

  test.each(Object.entries(objects))('%s: a structured clone has no key, and no use', (_, make) => {
    const clone = structuredClone(make()) as Record<string, unknown>;
    expect(Object.getPrototypeOf(clone)).toBe(Object.prototype);
    expect(Object.values(clone).filter((value) => typeof value !== 'number')).toEqual([]);
  });

  test('what is made of functions cannot be cloned', () => {
    for (const value of [chacha20, xchacha20poly1305, poly1305, blake3, managedNonce(xchacha20poly1305)(key)])
      expect(() => structuredClone(value)).toThrow(/(could|can) ?not be cloned/);
  });

  test.each(Object.entries({ ...objects, ManagedCipher: () => managedNonce(xchacha20poly1305)(key) }))(
    '%s: neither JSON nor the inspection of Node shows a byte of it',
    (_, make) => {
      const it = make();
      const shown = [JSON.stringify(it), inspect(it, { depth: 10, showHidden: true, getters: true })];
      const secret = [hex(key), [...key].join(', '), [...key].join(',')];
      for (const text of shown)
        for (const all of secret)
          for (let at = 0; at + 9 <= all.length; at++)
            if (text.includes(all.slice(at, at + 9))) expect.fail(`${text} holds a part of the key`);
      const own = Reflect.ownKeys(it).map((name) => Reflect.get(it, name) as unknown);
      expect(own.filter((value) => value instanceof Uint8Array || value instanceof ArrayBuffer)).toEqual([]);
    },
  );

  test('a part of a tree that was cloned is no part any more: it is refused', () => {
    const message = sample(2048, 55);
    const parts = [0, 1024].map((offset) => subtree(message.subarray(offset, offset + 1024), { key, offset }));
    const clone = structuredClone<Subtree>(parts[0]);
    expect(refusal(() => merge(clone, parts[1]))).toMatch(
      /^TypeError: "left" expected what subtree\(\) or merge\(\) gave/,
    );
    expect(refusal(() => new TreeBuilder().add(clone))).toMatch(/^TypeError: "part" expected/);
  });
});

onEachEngine(() => {
  describe.each([12, 24] as const)('a message that is refused, nonce of %i bytes', (nonceLength) => {
    const cipher = nonceLength === 12 ? chacha20poly1305 : xchacha20poly1305;
    const nonce = nonces[nonceLength];
    const open = (length: number): unknown[] => {
      const message = sample(length, 56);
      const sealed = oracles.seal(key, nonce, aad, message);
      const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
        bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
      const attempts = [
        () => cipher(key, nonce, aad).decrypt(flipped(sealed, 0)),
        () => cipher(key, nonce, aad).decrypt(flipped(sealed, sealed.length - 16)),
        () => cipher(key, nonce, aad).decrypt(flipped(sealed, sealed.length - 1)),
        () => cipher(key, nonce, aad).decrypt(sealed.subarray(0, -1)),
        () => cipher(key, nonce, aad).decrypt(sealed.subarray(1), new Uint8Array(length - 1)),
        () => cipher(key, nonce, aad).decryptDetached(sealed.subarray(0, length), new Uint8Array(16)),
        () => cipher(flipped(key, 31), nonce, aad).decrypt(sealed),
        () => cipher(key, flipped(nonce, 0), aad).decrypt(sealed),
        () => cipher(key, nonce, flipped(aad, 0)).decrypt(sealed),
        () => cipher(key, nonce).decrypt(sealed, untouched(length)),
      ];
      return attempts.map((attempt) => {
        try {
          return attempt();
        } catch (error) {
          return error;
        }
      });
    };

    test('does not say why: every error is the same, and says nothing of the message', () => {
      for (const length of [1, 64, 100, 1500, 300_000])
        for (const error of open(length)) {
          if (!(error instanceof Error)) expect.fail('a forgery was opened');
          expect([error.constructor, error.message, error.cause]).toEqual([Error, 'invalid tag', undefined]);
          // Only the properties that every error has.
          expect(Object.keys(error)).toEqual([]);
        }
    });
  });

  test('a nonce is used once: the second encrypt throws, whatever the first was, and writes nothing', () => {
    for (const first of [
      (it: ReturnType<typeof xchacha20poly1305>) => it.encrypt(plaintext),
      (it: ReturnType<typeof xchacha20poly1305>) => it.encryptDetached(plaintext).ciphertext,
    ]) {
      const it = xchacha20poly1305(key, nonces[24]);
      first(it);
      const out = untouched(116);
      for (const second of [() => it.encrypt(plaintext, out), () => it.encryptDetached(plaintext, out.subarray(16))])
        expect(refusal(second)).toBe(
          'Error: cannot encrypt() twice with same key + nonce: make another object with a fresh nonce',
        );
      expect(out).toEqual(untouched(116));
    }
    // managedNonce gives each message another nonce.
    const box = managedNonce(xchacha20poly1305)(key);
    expect(hex(box.encrypt(plaintext)).slice(0, 48)).not.toBe(hex(box.encrypt(plaintext)).slice(0, 48));
  });
});

/** A result is a buffer of its own: never a view of a pool, of linear memory, or of an argument. */
onEachEngine(() => {
  test('fresh results have a buffer of their own, also if all arguments are views of the pool of Node', () => {
    const pooled = (bytes: Uint8Array): Buffer => Buffer.from(bytes);
    const [k, n, message] = [pooled(key), pooled(nonces[24]), pooled(plaintext)];
    expect(k.buffer).toBe(n.buffer);
    const pool = new Uint8Array(k.buffer);
    const before = pool.slice();
    const sealed = xchacha20poly1305(k, n, message).encrypt(message);
    const detached = xchacha20poly1305(k, n).encryptDetached(message);
    const results = [
      sealed,
      detached.ciphertext,
      detached.tag,
      xchacha20poly1305(k, n, message).decrypt(pooled(sealed)),
      chacha20(k, n.subarray(0, 12), message),
      chacha20.stream(k, n.subarray(0, 12)).update(message),
      poly1305(message, k),
      poly1305.create(k).update(message).digest(),
      blake3(message, { key: k }),
      blake3.create({ key: k }).update(message).xof(40),
      blake3.create({ key: k }).update(message).save(),
    ];
    for (const result of results) {
      expect(Object.getPrototypeOf(result)).toBe(Uint8Array.prototype);
      expect([result.byteOffset, result.buffer.byteLength]).toEqual([0, result.length]);
    }
    expect(new Set(results.map(({ buffer }) => buffer)).size).toBe(results.length);
    // The pool is unchanged, except for bytes that the test itself has put there since.
    const used = Buffer.from(sealed).byteOffset;
    expect(hex(pool.subarray(0, Math.min(used, k.byteOffset)))).toBe(
      hex(before.subarray(0, Math.min(used, k.byteOffset))),
    );
    expect([hex(k), hex(n), hex(message)]).toEqual([hex(key), hex(nonces[24]), hex(plaintext)]);
  });
});
