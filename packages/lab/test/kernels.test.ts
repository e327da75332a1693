/** Kernels by hand and by generation give what node:crypto gives, at every number of blocks that a group may leave. */
import { createCipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { chachaKernels, handWritten } from '../src/kernels/instances.ts';
import { randomBytes, seeded } from '../src/random.ts';

const random = seeded(20);
const key = randomBytes(32, random);
const nonce = randomBytes(12, random);
const data = randomBytes(1024 * 64, random);
const counterAndNonce = new Uint8Array(16);
counterAndNonce.set(nonce, 4);
const expected = createCipheriv('chacha20', key, counterAndNonce).update(data);

test.each(chachaKernels())('$name', (kernel) => {
  const whole = kernel.area(data.length);
  for (const blocks of [4, 8, 12, 16, 20, 24, 28, 32, 1000, 1020, 1024]) {
    const bytes = 64 * blocks;
    whole.set(data);
    kernel.start(key, nonce);
    kernel.xor(blocks);
    expect(Buffer.compare(whole.subarray(0, bytes), expected.subarray(0, bytes)), `${blocks} blocks`).toBe(0);
    // By hand, nothing behind them is touched; the library's kernel may, and says so.
    if (handWritten.includes(kernel.name)) {
      expect(Buffer.compare(whole.subarray(bytes), data.subarray(bytes)), `behind ${blocks} blocks`).toBe(0);
    }
  }
});

test.each(chachaKernels())('$name goes on where it stopped', (kernel) => {
  kernel.start(key, nonce);
  const parts = [0, 1, 2].map((part) => {
    const area = kernel.area(64 * 20);
    area.set(data.subarray(part * area.length, (part + 1) * area.length));
    kernel.xor(20);
    return Uint8Array.from(area);
  });
  expect(Buffer.compare(Buffer.concat(parts), expected.subarray(0, 3 * 64 * 20))).toBe(0);
});
