/**
 * Generated and hand-written kernels give the output of node:crypto, for every remainder of blocks that a group may
 * leave.
 */
import { createCipheriv } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files } from '../src/kernels/blake3-ladder/print.ts';
import { compiled, mixedForms, rotationForms, rowForms, setForms } from '../src/kernels/instances.ts';
import type { KernelForm } from '../src/kernels/form.ts';
import { randomBytes, seeded } from '../src/client/random.ts';
import { ours } from '../src/rooms/chacha/forms.ts';

const random = seeded(20);
const key = randomBytes(32, random);
const nonce = randomBytes(12, random);
const data = randomBytes(1024 * 64, random);
const counterAndNonce = new Uint8Array(16);
counterAndNonce.set(nonce, 4);
const expected = createCipheriv('chacha20', key, counterAndNonce).update(data);

/** A kernel over a fresh memory, which is given the first bytes of the data. */
function placing({ module, place }: KernelForm) {
  const exports = compiled(module());
  return (length: number) => place(exports, { key, nonce, data: data.subarray(0, length), expected });
}

/** The library's kernels, and those with sets. */
const chachaForms = [...ours, ...setForms];
/** Kernels for study only, which no figure uses. */
const others = [...rotationForms, ...rowForms, ...mixedForms];

test.each([...chachaForms, ...others])('$name', (form) => {
  const placed = placing(form);
  for (const blocks of [4, 8, 12, 16, 20, 24, 28, 32, 1000, 1020, 1024]) {
    const bytes = 64 * blocks;
    const whole = placed(data.length).output();
    placed(bytes).run();
    expect(Buffer.compare(whole.subarray(0, bytes), expected.subarray(0, bytes)), `${blocks} blocks`).toBe(0);
    // Hand-written kernels write nothing beyond the blocks; the library's kernel may, and documents it.
    if (form.library === 'study') {
      expect(Buffer.compare(whole.subarray(bytes), data.subarray(bytes)), `behind ${blocks} blocks`).toBe(0);
    }
  }
});

test.each(chachaForms)('$name goes on where it stopped', (form) => {
  const { run, output } = placing(form)(64 * 20);
  const parts = [0, 1, 2].map((part) => {
    const area = output();
    area.set(data.subarray(part * area.length, (part + 1) * area.length));
    run();
    return Uint8Array.from(area);
  });
  expect(Buffer.compare(Buffer.concat(parts), expected.subarray(0, 3 * 64 * 20))).toBe(0);
});

test.each(rowForms)('$name takes any number of blocks', (form) => {
  const placed = placing(form);
  for (const blocks of [1, 2, 3, 5, 7, 11, 1021, 1023]) {
    const { run, output } = placed(64 * blocks);
    run();
    expect(Buffer.compare(output(), expected.subarray(0, 64 * blocks)), `${blocks} blocks`).toBe(0);
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
