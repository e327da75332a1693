/** The steps of BLAKE3 kept for study give the digests of the official vectors, and those of noble at every length. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blake3 } from '@noble/hashes/blake3.js';
import { describe, expect, test } from 'vitest';
import { steps } from '../src/kernels/blake3-ladder/steps.ts';
import { faultsOf, faultsOfSteps } from '../src/rooms/blake3-ladder/answers.ts';

const { tests: vectors } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../vectors/blake3.json'), 'utf8'),
) as {
  readonly tests: readonly { readonly input_len: number; readonly hash: string }[];
};

/** The input of the official vectors. */
const message = Uint8Array.from({ length: 2 ** 20 + 8 }, (_, i) => i % 251);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const EVERY = 5200;
/** Edges of chunks, groups and subtrees, and of the library's stage, behind the lengths that are all taken. */
const edges = [8, 12, 16, 20, 32, 33, 36, 48, 63, 64, 65, 68, 80, 96, 128, 129, 144, 192, 1024].flatMap((chunks) => [
  1024 * chunks - 1,
  1024 * chunks,
  1024 * chunks + 1,
]);
const lengths = [...Array.from({ length: EVERY + 1 }, (_, i) => i), ...edges];
const expected = new Map(lengths.map((length) => [length, hex(blake3(message.subarray(0, length)))]));

const whole = hex(blake3(message));

test('the vectors are the official ones', () => {
  expect(vectors).toHaveLength(35);
  expect(vectors.at(-1)?.input_len).toBe(102_400);
});

describe.each(steps)('$name', ({ load }) => {
  test('official vectors', async () => {
    const { hash } = await load();
    for (const { input_len: length, hash: digest } of vectors)
      expect(hex(hash(message.subarray(0, length))), `${length}`).toBe(digest.slice(0, 64));
  });

  test('every length, and the edges of groups', async () => {
    const { hash } = await load();
    const wrong = lengths.filter((length) => hex(hash(message.subarray(0, length))) !== expected.get(length));
    expect(wrong).toEqual([]);
  });

  test('at every address, and with a digest of its own', async () => {
    const { hash } = await load();
    const first = hash(message);
    for (const offset of [1, 2, 3, 4, 5]) {
      for (const length of [0, 3, 64, 100, 1024, 5000, 70_001]) {
        const bytes = message.subarray(offset, offset + length);
        expect(hex(hash(bytes)), `${length} bytes at ${offset}`).toBe(hex(blake3(bytes)));
      }
    }
    expect(hex(first)).toBe(whole);
  });
});

test('V8 compiles the form in asm.js as such', () => {
  const folder = join(import.meta.dirname, '../src/kernels/blake3-ladder');
  const [step, generated] = ['asm.ts', 'generated/asm.ts'].map((name) => JSON.stringify(join(folder, name)));
  // The step calls the function, which compiles it.
  const program = `import ${step}; import { asmModule } from ${generated}; console.log(%IsAsmWasmCode(asmModule));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--allow-natives-syntax', '--input-type=module', '--eval', program],
    { encoding: 'utf8' },
  );
  expect([stdout.trim(), stderr]).toEqual(['true', '']);
});

describe('before a contest is timed', () => {
  const wrongFor = (bad: (message: Uint8Array) => boolean) => ({
    name: 'wrong',
    load: () => Promise.resolve({ hash: (bytes: Uint8Array) => (bad(bytes) ? new Uint8Array(32) : blake3(bytes)) }),
  });

  test('no step has a fault', async () => {
    expect(await faultsOfSteps()).toEqual(new Map());
  });

  test.each([
    ['gives wrong bytes for 4097 bytes', (bytes: Uint8Array) => bytes.length === 4097],
    ['gives wrong bytes for 0 bytes at an odd address', (bytes: Uint8Array) => bytes.byteOffset % 2 === 1],
  ])('a step that %s is found', async (fault, bad) => {
    expect(await faultsOf([wrongFor(bad)])).toEqual(new Map([['wrong', fault]]));
  });

  test('a step that throws is found, and one that cannot be loaded is left to the contest', async () => {
    const throws = { name: 'throws', load: () => Promise.resolve({ hash: () => expect.fail('no memory') }) };
    const refused = { name: 'refused', load: () => Promise.reject(new Error('no WebAssembly')) };
    expect(await faultsOf([throws, refused])).toEqual(new Map([['throws', 'throws: no memory']]));
  });
});
