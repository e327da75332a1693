/** ChaCha8Rand on every engine: the specification's sample, Go's generator in all its calls, states, and refusals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chacha8rand, type ChaCha8Rand } from '../../src/random.ts';
import { randomInstance } from '../../src/random/binding.ts';
import { MASKS_BYTES } from '../../src/random/map.ts';
import { concat, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const vectors = <T>(name: string): readonly T[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8')) as { tests: T[] }).tests;

interface Call {
  readonly call: 'bytes' | 'uint32' | 'uint64' | 'float' | 'below' | 'shuffle';
  readonly value?: string;
  readonly result: string;
}
const [sample] = vectors<{ seed: string; output: string }>('chacha8rand-c2sp.json');
const go = vectors<{ seed: string; calls: readonly Call[] }>('chacha8rand.json');

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The call, and its result as Go prints it. */
function called(random: ChaCha8Rand, { call, value = '' }: Call): string {
  switch (call) {
    case 'bytes':
      return hex(random.bytes(Number(value)));
    case 'below': {
      const n = BigInt(value);
      return String(n <= 2n ** 53n ? random.below(Number(n)) : random.below(n));
    }
    case 'shuffle':
      return `[${random.shuffle(Array.from({ length: Number(value) }, (_, i) => i)).join(' ')}]`;
    case 'float':
      return String(random.float());
    default:
      return String(random[call]());
  }
}
/** Go prints floating-point numbers with another exponent. */
const same = (call: Call, result: string): string => (call.call === 'float' ? String(Number(result)) : result);

onEachEngine(() => {
  it('gives the sample of the specification, however it is cut', () => {
    const seed = unhex(sample.seed);
    expect(hex(chacha8rand(seed).bytes(2976))).toBe(sample.output);
    for (const size of [1, 7, 8, 31, 992, 1000]) {
      const random = chacha8rand(seed);
      const pieces = Array.from({ length: Math.ceil(2976 / size) }, () => random.bytes(size));
      expect(hex(concat(...pieces).subarray(0, 2976)), `in pieces of ${size}`).toBe(sample.output);
    }
  });

  it.each(go)('gives what Go gives, seed $seed', ({ seed, calls }) => {
    expect(calls.length).toBe(400);
    const random = chacha8rand(unhex(seed));
    for (const [i, call] of calls.entries())
      expect(called(random, call), `call ${i}: ${call.call}(${call.value ?? ''})`).toBe(same(call, call.result));
  });

  it('draws 64-bit integers below a number and below a bigint alike', () => {
    const [a, b] = [chacha8rand(unhex(sample.seed)), chacha8rand(unhex(sample.seed))];
    for (const n of [1, 2, 6, 1000, 2 ** 32 - 5, 2 ** 32 + 1, 2 ** 53])
      expect(BigInt(a.below(n))).toBe(b.below(BigInt(n)));
  });

  it('is the same in one piece and in many, across whole iterations and the most that one call makes', () => {
    const seed = unhex(sample.seed);
    for (const length of [991, 992, 993, 1984, 63 * 992 - 1, 63 * 992, 64 * 992 + 5, 200_001]) {
      const whole = chacha8rand(seed).bytes(length);
      const random = chacha8rand(seed);
      const out = new Uint8Array(length);
      for (let at = 0, size = 1; at < length; at += size, size = 3 * size + 1)
        random.bytes(out.subarray(at, at + size));
      expect(hex(out) === hex(whole), `${length} bytes`).toBe(true);
    }
  });

  it('saves and loads its state in 33 bytes, wherever it is', () => {
    const random = chacha8rand(unhex(sample.seed));
    for (let words = 0; words < 260; words++) {
      const saved = random.save();
      expect(saved.length).toBe(33);
      const again = chacha8rand.load(saved);
      expect(again.save()).toEqual(saved);
      expect(again.uint64()).toBe(random.uint64());
    }
  });

  it('leaves nothing in memory', () => {
    const random = chacha8rand(unhex(sample.seed));
    for (const length of [8, 992, 5000, 70_000]) {
      random.bytes(length);
      const { memory } = randomInstance();
      expect(memory.subarray(MASKS_BYTES).every((byte) => byte === 0)).toBe(true);
    }
  });
});

describe('what is refused', () => {
  const random = chacha8rand(new Uint8Array(32));
  it.each([
    [
      'a seed of another length',
      () => chacha8rand(new Uint8Array(31)),
      '"seed" expected Uint8Array of length 32, got length=31',
    ],
    [
      'a state of another length',
      () => chacha8rand.load(new Uint8Array(32)),
      '"state" expected Uint8Array of length 33, got length=32',
    ],
    [
      'a state beyond its iteration',
      () => chacha8rand.load(new Uint8Array(33).fill(125)),
      '"state" expected at most 124 words drawn, got 125',
    ],
    ['none of no numbers', () => random.below(0), '"n" expected integer from 1 to 2^53 (above it a bigint), got 0'],
    ['half a number', () => random.below(1.5), '"n" expected integer from 1 to 2^53 (above it a bigint), got 1.5'],
    ['none of no bigints', () => random.below(0n), '"n" expected integer from 1 to 2^64 - 1, got 0'],
    [
      'too large a bigint',
      () => random.below(2n ** 64n),
      '"n" expected integer from 0 to 2^64 - 1, got 18446744073709551616',
    ],
    ['a text for a number', () => random.below('6' as never), '"n" expected integer, got type=string'],
    [
      'a text for bytes',
      () => random.bytes('3' as never),
      '"out" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
    ],
    ['a negative length', () => random.bytes(-1), '"length" expected integer from 0 up, got -1'],
    [
      'an object that is no list',
      () => random.shuffle({ length: 2 } as never),
      '"array" expected array or typed array, got type=Object',
    ],
  ])('%s', (_, call, message) => {
    expect(call).toThrow(message);
  });

  it('saving within a word, until the rest of it is drawn', () => {
    const generator = chacha8rand(new Uint8Array(32));
    generator.bytes(3);
    expect(() => generator.save()).toThrow('cannot save() within a word: bytes(5) draws the rest of it');
    generator.bytes(5);
    expect(generator.save()[32]).toBe(1);
  });

  it('a generator that was destroyed', () => {
    const generator = chacha8rand(new Uint8Array(32));
    generator.destroy();
    for (const call of [
      () => generator.uint32(),
      () => generator.bytes(1),
      () => generator.save(),
      () => generator.shuffle([]),
    ])
      expect(call).toThrow('cannot use a generator after destroy()');
  });
});
