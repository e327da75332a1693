/** The vectors of bao-tree, whose trees have groups of chunks as leaves, through every call, on every engine. */
import { expect, test } from 'vitest';
import { decode, decodeSlice, encode, outboard, slice } from '../../src/bao.ts';
import { counting, digest } from '../support/bao.ts';
import { testsOf } from '../support/blake3.ts';
import { unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

interface Slice {
  readonly start: number;
  readonly len: number;
  readonly output_len: number;
  readonly output_blake3: string;
}
interface Grouped {
  readonly group: number;
  readonly input_len: number;
  readonly hash: string;
  readonly outboard_len: number;
  readonly outboard_blake3: string;
  readonly encoded_len: number;
  readonly encoded_blake3: string;
  readonly slices: readonly Slice[];
}
const grouped = testsOf<Grouped>('bao-tree.json', 119);

const contents = new Map(grouped.map(({ input_len }) => [input_len, counting(input_len)]));

onEachEngine(() => {
  test.each(grouped)('bao-tree, groups of $group, $input_len bytes', async (vector) => {
    const content = contents.get(vector.input_len)!;
    const hash = unhex(vector.hash);
    const options = { groupLength: vector.group };
    const made = await outboard(content, options);
    expect(made.hash).toEqual(hash);
    expect(made.outboard).toHaveLength(vector.outboard_len);
    expect(digest(made.outboard)).toBe(vector.outboard_blake3);
    const { encoded } = await encode(content, options);
    expect(encoded).toHaveLength(vector.encoded_len);
    expect(digest(encoded)).toBe(vector.encoded_blake3);
    expect(await decode(encoded, hash, options)).toEqual(content);
    for (const { start, len, output_len, output_blake3 } of vector.slices) {
      const its = await slice(encoded, start, len, options);
      expect(its).toHaveLength(output_len);
      expect(digest(its)).toBe(output_blake3);
      expect(await decodeSlice(its, hash, start, len, options)).toEqual(content.slice(start, start + len));
    }
  });
});
