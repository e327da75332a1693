/** noble's functions over hashes with our `blake3`: docs/guide/migrating/from-noble.md says which of them take it. */
import { blake3 as nobleBlake3 } from '@noble/hashes/blake3.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { expect, test } from 'vitest';
import { blake3 } from '../../src/blake3.ts';

type Hash = typeof nobleBlake3;
const ours = blake3 as unknown as Hash;
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (5 + 3 * i) % 256);

test('hmac takes it, and hkdf for one block', () => {
  expect(hmac(ours, bytes(32), bytes(3000))).toEqual(hmac(nobleBlake3, bytes(32), bytes(3000)));
  const derived = (hash: Hash): Uint8Array => hkdf(hash, bytes(32), bytes(10), bytes(7), 32);
  expect(derived(ours)).toEqual(derived(nobleBlake3));
});

test.each([
  ['hkdf of more', (hash: Hash) => hkdf(hash, bytes(32), bytes(10), bytes(7), 33)],
  ['pbkdf2', (hash: Hash) => pbkdf2(hash, bytes(8), bytes(16), { c: 2, dkLen: 32 })],
])('%s is an error, and no other result', (_, derived) => {
  expect(derived(nobleBlake3).length).toBeGreaterThan(31);
  expect(() => derived(ours)).toThrow('_cloneInto is not a function');
});
