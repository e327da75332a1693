/** BLAKE2b and BLAKE2s on every engine: every length around the edges against noble, pieces, refusals, memory. */
import { blake2b as noble2b, blake2s as noble2s } from '@noble/hashes/blake2.js';
import { describe, expect, it } from 'vitest';
import { blake2b, blake2s, type Blake2Function, type Blake2Options } from '../../src/blake2.ts';
import { H, STAGE_BYTES } from '../../src/blake2/map.ts';
import { expectBytes, refusal, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { instances } from './table/instances.ts';

interface Case {
  readonly name: string;
  readonly hash: Blake2Function;
  readonly noble: (message: Uint8Array, options?: Blake2Options) => Uint8Array;
  readonly most: number;
}
const cases: readonly Case[] = [
  { name: 'blake2b', hash: blake2b, noble: noble2b as Case['noble'], most: 64 },
  { name: 'blake2s', hash: blake2s, noble: noble2s as Case['noble'], most: 32 },
];

const EDGES = [64, 128, 192, 256, 512, 1024, STAGE_BYTES - 128, STAGE_BYTES, STAGE_BYTES + 128, 2 * STAGE_BYTES];
const lengths = [...EDGES.flatMap((edge) => [edge - 1, edge, edge + 1]), 0, 1, 200_000];

onEachEngine(() => {
  describe.each(cases)('$name', ({ hash, noble, most }) => {
    const parameters: readonly Blake2Options[] = [
      {},
      { dkLen: 1 },
      { key: sample(most, 3), dkLen: most - 1 },
      { key: sample(1, 4) },
      { salt: sample(most / 4, 5), personalization: sample(most / 4, 6) },
      { key: sample(20, 4), salt: sample(most / 4, 5), personalization: sample(most / 4, 6), dkLen: 17 },
    ];

    it('is noble at every edge, whole and in pieces', () => {
      for (const [i, length] of lengths.entries()) {
        const message = sample(length, 1 + i);
        const options = parameters[i % parameters.length];
        const expected = noble(message, options);
        expectBytes(hash(message, options), expected, `${length} bytes`);
        const hasher = hash.create(options);
        const first = Math.floor(length / 3);
        hasher.update(message.subarray(0, first)).update(message.subarray(first)).update(new Uint8Array(0));
        expectBytes(hasher.digest(), expected, `${length} bytes in pieces`);
      }
    });

    it('is noble with every option', () => {
      for (const length of [0, 1, most, 2 * most, 300])
        for (const options of parameters)
          expectBytes(hash(sample(length, 7), options), noble(sample(length, 7), options), JSON.stringify(options));
    });

    it('clones are apart from each other', () => {
      const hasher = hash.create({ key: sample(8, 1) }).update(sample(100, 2));
      const twin = hasher.clone().update(sample(500, 3));
      hasher.update(sample(60, 4));
      const expected = (rest: Uint8Array): Uint8Array =>
        noble(Uint8Array.of(...sample(100, 2), ...rest), { key: sample(8, 1) });
      expectBytes(twin.digest(), expected(sample(500, 3)), 'the clone');
      expectBytes(hasher.digest(), expected(sample(60, 4)), 'the original');
    });

    it('leaves no secret in memory', () => {
      hash(sample(STAGE_BYTES + 300, 1), { key: sample(most, 2) });
      hash
        .create({ key: sample(most, 2) })
        .update(sample(700, 3))
        .update(sample(700, 4))
        .digest();
      for (const { memory } of instances()) expect(memory.subarray(H).every((byte) => byte === 0)).toBe(true);
    });

    it('ends with its digest, and with destroy()', () => {
      const hasher = hash.create();
      hasher.digest();
      for (const call of [() => hasher.update(sample(1, 1)), () => hasher.digest(), () => hasher.clone()])
        expect(refusal(call)).toBe('Error: cannot use BLAKE2 after digest()');
      const other = hash.create();
      other.destroy();
      expect(refusal(() => other.digest())).toBe('Error: cannot use BLAKE2 after destroy()');
    });

    it.each<readonly [options: unknown, message: string]>([
      [{ dkLen: 0 }, 'RangeError: "dkLen" expected integer from 1 up, got 0'],
      [{ dkLen: most + 1 }, `RangeError: "dkLen" expected integer from 1 to ${most}, got ${most + 1}`],
      [{ dkLen: '32' }, 'TypeError: "dkLen" expected integer, got type=string'],
      [{ key: sample(0, 1) }, `RangeError: "key" expected Uint8Array of length 1 to ${most}, got length=0`],
      [
        { key: sample(most + 1, 1) },
        `RangeError: "key" expected Uint8Array of length 1 to ${most}, got length=${most + 1}`,
      ],
      [{ key: null }, 'TypeError: "key" expected Uint8Array, got type=null'],
      [{ salt: sample(7, 1) }, `RangeError: "salt" expected Uint8Array of length ${most / 4}, got length=7`],
      [
        { personalization: sample(most / 4 + 1, 1) },
        `RangeError: "personalization" expected Uint8Array of length ${most / 4}, got length=${most / 4 + 1}`,
      ],
      [
        { personal: sample(16, 1) },
        'TypeError: "options" expected plain object { dkLen, key, salt, personalization }, got { personal }: it is personalization here',
      ],
    ])('refuses %o', (options, message) => {
      expect(refusal(() => hash(sample(1, 1), options as Blake2Options))).toBe(message);
      expect(refusal(() => hash.create(options as Blake2Options))).toBe(message);
    });
  });
});

/** RFC 7693 §3.2: the counter has 64 bits of BLAKE2s, and carries from one word to the next. */
describe('the counter', () => {
  it('carries into its second word', async () => {
    const { absorb } = await import('../../src/blake2/chain.ts');
    const { variant2s } = await import('../../src/blake2/variants.ts');
    const calls: number[][] = [];
    const kernel = {
      memory: new Uint8Array(65536),
      write: () => undefined,
      run: { compress: (...values: number[]) => void calls.push(values) },
    };
    absorb(kernel as never, variant2s, new Uint8Array(128), 128, 2 ** 33 - 64, true);
    expect(calls.map(([, blocks, low, high, last]) => [blocks, low >>> 0, high, last])).toEqual([
      [1, 0, 2, 0],
      [1, 64, 2, -1],
    ]);
  });
});
