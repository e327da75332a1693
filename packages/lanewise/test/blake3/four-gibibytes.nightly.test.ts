/** BLAKE3 of so many bytes that their number outgrows 32 bits, on every engine. The digest is that of b3sum 1.2.0 for the same 4097 MiB. */
// Runs in browsers, too: engines compile the same kernels differently.
import { expect, test } from 'vitest';
import { blake3 } from '../../src/blake3.ts';
import { hex } from '../support/bytes.ts';
import { pattern } from '../support/blake3.ts';
import { onEachEngine } from '../support/engines.ts';

onEachEngine((engine) => {
  test('more than 4 GiB', { timeout: 300_000 }, ({ skip }) => {
    skip(engine !== 'simd' && process.env['LANEWISE_SLOW'] === undefined, 'needs half a minute: set LANEWISE_SLOW=1');
    const mebibyte = pattern(2 ** 20);
    const hasher = blake3.create();
    for (let i = 0; i < 4097; i++) hasher.update(mebibyte);
    expect(hasher.count).toBe(4097 * 2 ** 20);
    expect(hex(hasher.digest())).toBe('08e56aadc6376d3e0662b71d679b519a37d2d11368d456970c3febdb6227b8af');
  });
});
