/** SHA-2, HMAC, HKDF and PBKDF2 on every engine: NIST's vectors (CAVP) and Wycheproof's. */
import { expect, it } from 'vitest';
import * as sha2 from '../../src/sha2.ts';
import { expectBytes, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { cavp, expectChain, expectKey, keys, macs, passwords } from './published.ts';

onEachEngine(() => {
  it('CAVP: short messages, and the beginning of the Monte Carlo tests', () => {
    expect(cavp.length).toBe(522);
    for (const test of cavp)
      if (test.msg === undefined) expectChain(test, 2);
      else expectBytes(sha2[test.hash](unhex(test.msg)), unhex(test.md), `${test.hash} of ${test.msg}`);
  });

  it('Wycheproof: HMAC, whole and in pieces', () => {
    for (const { hash, tcId, key, msg, tag, result } of macs) {
      const [itsKey, message, expected] = [unhex(key), unhex(msg), unhex(tag)];
      const whole = sha2.hmac(sha2[hash], itsKey, message).subarray(0, expected.length);
      const isRight = whole.every((byte, i) => byte === expected[i]);
      expect(isRight, `${hash} ${tcId}`).toBe(result === 'valid');
      const hasher = sha2.hmac.create(sha2[hash], itsKey);
      const pieces = hasher.update(message.subarray(0, 1)).update(message.subarray(1)).digest();
      expectBytes(pieces.subarray(0, expected.length), whole, `${hash} ${tcId}, in pieces`);
    }
  });

  it('Wycheproof: HKDF', () => {
    for (const { hash, tcId, ikm, salt, info, size, okm, result } of keys) {
      const derive = (): Uint8Array => sha2.hkdf(sha2[hash], unhex(ikm), unhex(salt), unhex(info), size);
      if (result === 'invalid') expect(derive, `${hash} ${tcId}`).toThrow(RangeError);
      else expectBytes(derive(), unhex(okm), `${hash} ${tcId}`);
    }
  });

  // published.long.test.ts has all: nearly each takes 4096 iterations.
  it('Wycheproof: some of PBKDF2', () => {
    for (let i = 0; i < passwords.length; i += 48) expectKey(passwords[i]);
  });
});
