/** Pages of the mode authenticated are those of `lanewise/disk.js`, wherever they are in the file. */
import { expect, test } from 'vitest';
import { xchacha20poly1305 } from 'lanewise/chacha.js';
import { authenticatedPages } from 'lanewise/disk.js';
import { PageSealer } from '../src/files/page-sealer.ts';
import { NONCE_BYTES, writeRandom } from '../src/files/nonces.ts';
import { KEY } from './support.ts';

const page = Uint8Array.from({ length: 1024 }, (_, i) => (i < 984 ? i % 251 : 0));

test.each([1, 255, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, 2 ** 42])('page %i', (number) => {
  const ours = new PageSealer(KEY, new Uint8Array(1024));
  const library = authenticatedPages(xchacha20poly1305, KEY);
  ours.seal(page, number);
  expect(library.decrypt(ours.stored, number)).toEqual(page);
  const out = new Uint8Array(1024).fill(9);
  ours.stored.set(library.encrypt(page, number));
  ours.open(number, out);
  expect(out).toEqual(page);
  out.fill(9);
  expect(() => ours.open(number + 1, out)).toThrow('invalid tag');
  expect(out.every((byte) => byte === 9)).toBe(true);
});

test('nonces differ, also from one pool to the next', () => {
  const seen = new Set<string>();
  for (let i = 0; i < 300; i++) {
    const nonce = new Uint8Array(NONCE_BYTES + 4);
    writeRandom(nonce.subarray(3, 3 + NONCE_BYTES));
    expect([nonce[0], nonce[2], nonce.at(-1)]).toEqual([0, 0, 0]);
    seen.add(nonce.join());
  }
  expect(seen.size).toBe(300);
});
