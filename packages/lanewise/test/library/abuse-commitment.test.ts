/**
 * The AEADs do not commit to the key, which docs/guide/security-model.md says: one ciphertext is made that opens under two keys, and the
 * remedy that is named there, the hash of the key in the additional data, refuses it.
 */
import { expect, test } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { chacha20, chacha20poly1305 } from '../../src/chacha.ts';
import { concat, expectBytes, hex, refusal, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

const P = 2n ** 130n - 5n;
const TOP = 2n ** 128n;
const mod = (x: bigint): bigint => ((x % P) + P) % P;

function power(x: bigint, n: bigint): bigint {
  let result = 1n;
  for (let base = mod(x); n > 0n; n >>= 1n, base = mod(base * base)) if (n & 1n) result = mod(result * base);
  return result;
}
const inverse = (x: bigint): bigint => power(x, P - 2n);
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${hex(bytes.slice().reverse())}`);
const bytesOf = (x: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Number((x >> BigInt(8 * i)) & 255n));

/** RFC 8439 §2.5.1, §2.6 */
function oneTimeKey(key: Uint8Array, nonce: Uint8Array): { r: bigint; s: bigint } {
  const block = oracles.chacha20(key, nonce, new Uint8Array(32), 0);
  return { r: numberOf(block.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn, s: numberOf(block.subarray(16)) };
}

/** Two blocks of ciphertext, no additional data, and a tag that both keys find right. RFC 8439 §2.8 */
function forTwo(keys: readonly Uint8Array[], nonce: Uint8Array): Uint8Array {
  const [a, b] = keys.map((key) => oneTimeKey(key, nonce));
  const lengths = TOP + (32n << 64n);
  // c1·r^3 + c2·r^2 + lengths·r (mod p) = tag - s (mod 2^128) for both keys: two equations for two blocks.
  const determinant = mod(power(a.r, 3n) * power(b.r, 2n) - power(b.r, 3n) * power(a.r, 2n));
  for (let attempt = 0; ; attempt++) {
    const tag = sample(16, 700 + attempt);
    const [x, y] = [a, b].map(({ r, s }) => mod(BigInt.asUintN(128, numberOf(tag) - s) - lengths * r));
    const c1 = mod((x * power(b.r, 2n) - y * power(a.r, 2n)) * inverse(determinant));
    const c2 = mod((power(a.r, 3n) * y - power(b.r, 3n) * x) * inverse(determinant));
    // A block is a number with bit 128 set; one solution in sixteen has that form.
    if (c1 >> 128n === 1n && c2 >> 128n === 1n) return concat(bytesOf(c1, 16), bytesOf(c2, 16), tag);
  }
}

onEachEngine(() => {
  test('one ciphertext opens under two keys, unless the additional data bind the key', () => {
    const keys = [sample(32, 601), sample(32, 602)];
    const nonce = sample(12, 603);
    const sealed = forTwo(keys, nonce);
    const plaintexts = keys.map((key) => chacha20poly1305(key, nonce).decrypt(sealed));
    plaintexts.forEach((plaintext, i) =>
      expectBytes(plaintext, chacha20(keys[i], nonce, sealed.subarray(0, 32), undefined, 1), `under key ${i}`),
    );
    expect(hex(plaintexts[0])).not.toBe(hex(plaintexts[1]));

    // With a hash of the key there, the MACs of the two keys are about different data.
    const bound = (key: Uint8Array): Uint8Array => blake3(key, { context: 'lanewise test 2026 key binding' });
    const honest = chacha20poly1305(keys[0], nonce, bound(keys[0])).encrypt(plaintexts[0]);
    expectBytes(chacha20poly1305(keys[0], nonce, bound(keys[0])).decrypt(honest), plaintexts[0], 'bound');
    for (const message of [sealed, honest])
      expect(refusal(() => chacha20poly1305(keys[1], nonce, bound(keys[1])).decrypt(message))).toBe(
        'Error: invalid tag',
      );
  });
});
