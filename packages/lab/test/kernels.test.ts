/**
 * Generated and hand-written kernels give the output of node:crypto, for every remainder of blocks that a group may
 * leave.
 */
import { createCipheriv } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files } from '../src/kernels/blake3-ladder/print.ts';
import {
  compiled,
  mixedForms,
  rotationForms,
  rowForms,
  scalarKernel,
  setForms,
  simdKernel,
} from '../src/kernels/instances.ts';
import { randomBytes, seeded } from '../src/client/random.ts';

const random = seeded(20);
const key = randomBytes(32, random);
const nonce = randomBytes(12, random);
const data = randomBytes(1024 * 64, random);
const counterAndNonce = new Uint8Array(16);
counterAndNonce.set(nonce, 4);
const expected = createCipheriv('chacha20', key, counterAndNonce).update(data);

/** Fresh instances of the library's kernels, and of those with sets. */
const chachaKernels = () => [simdKernel, scalarKernel, ...setForms].map(({ module, over }) => over(compiled(module())));
/** Kernels for study only, which no figure uses. */
const others = [...rotationForms, ...rowForms, ...mixedForms];

test.each([...chachaKernels(), ...others.map(({ module, over }) => over(compiled(module())))])('$name', (kernel) => {
  const whole = kernel.area(data.length);
  for (const blocks of [4, 8, 12, 16, 20, 24, 28, 32, 1000, 1020, 1024]) {
    const bytes = 64 * blocks;
    whole.set(data);
    kernel.start(key, nonce);
    kernel.xor(blocks);
    expect(Buffer.compare(whole.subarray(0, bytes), expected.subarray(0, bytes)), `${blocks} blocks`).toBe(0);
    // Hand-written kernels write nothing beyond the blocks; the library's kernel may, and documents it.
    if (kernel.name.includes('by hand')) {
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

test.each(rowForms)('$name takes any number of blocks', ({ module, over }) => {
  const kernel = over(compiled(module()));
  for (const blocks of [1, 2, 3, 5, 7, 11, 1021, 1023]) {
    const area = kernel.area(64 * blocks);
    area.set(data.subarray(0, area.length));
    kernel.start(key, nonce);
    kernel.xor(blocks);
    expect(Buffer.compare(area, expected.subarray(0, area.length)), `${blocks} blocks`).toBe(0);
  }
});

test('each kind of rotation is code of its own', () => {
  const modules = rotationForms.map(({ module }) => Buffer.from(module().bytes()).toString('latin1'));
  expect(new Set(modules).size).toBe(3);
  // i8x16.swizzle is FD 8E 00, with the opcode 0E in as many bytes as that of relaxed swizzles; shifts need none.
  const swizzles = modules.map((text) => text.split('\xfd\x8e\x00').length - 1);
  expect(swizzles[0]).toBe(0);
  expect(swizzles[1]).toBeGreaterThan(0);
});

test('the steps of BLAKE3 that are printed are those of print.ts: `npm run generate` writes them', () => {
  const folder = join(import.meta.dirname, '../src/kernels/blake3-ladder/generated');
  expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
});
