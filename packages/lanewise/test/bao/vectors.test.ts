/** The vectors of Bao's author, through every call, on every engine. Those of bao-tree: tree-vectors.test.ts. */
// Runs in every mode: known answers.
import { describe, expect, test } from 'vitest';
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
  readonly corruptions: readonly number[];
}
interface Vector {
  readonly input_len: number;
  readonly bao_hash: string;
  readonly encode: { readonly output_len: number; readonly blake3: string; readonly corruptions: readonly number[] };
  readonly outboard: {
    readonly output_len: number;
    readonly blake3: string;
    readonly outboard_corruptions: readonly number[];
    readonly input_corruptions: readonly number[];
  };
  readonly slices: readonly Slice[];
}
const vectors = testsOf<Vector>('bao.json', 13);

const contents = new Map(vectors.map(({ input_len }) => [input_len, counting(input_len)]));
const contentOf = (length: number): Uint8Array<ArrayBuffer> => contents.get(length)!;

/** A copy with one bit of one byte flipped. */
function flipped(bytes: Uint8Array, at: number, bit = 1): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy[at] ^= bit;
  return copy;
}
const refused = (call: Promise<unknown>): Promise<void> =>
  expect(call).rejects.toThrow(/match the hash|is truncated|goes on after|has \d+ bytes|the header tells/);

onEachEngine(() => {
  describe.each(vectors)('bao 0.13, $input_len bytes', (vector) => {
    const content = contentOf(vector.input_len);
    const hash = unhex(vector.bao_hash);

    test('encoding', async () => {
      const made = await encode(content);
      expect(made.hash).toEqual(hash);
      expect(made.encoded).toHaveLength(vector.encode.output_len);
      expect(digest(made.encoded)).toBe(vector.encode.blake3);
      expect(await decode(made.encoded, hash)).toEqual(content);
      await refused(decode(made.encoded, flipped(hash, 0)));
      for (const at of vector.encode.corruptions) await refused(decode(flipped(made.encoded, at), hash));
    });

    test('outboard', async () => {
      const made = await outboard(content);
      expect(made.hash).toEqual(hash);
      expect(made.outboard).toHaveLength(vector.outboard.output_len);
      expect(digest(made.outboard)).toBe(vector.outboard.blake3);
      expect(await decode(content, hash, { outboard: made.outboard })).toEqual(content);
      for (const at of vector.outboard.outboard_corruptions)
        await refused(decode(content, hash, { outboard: flipped(made.outboard, at) }));
      for (const at of vector.outboard.input_corruptions)
        await refused(decode(flipped(content, at), hash, { outboard: made.outboard }));
    });

    test('slices', async () => {
      const { encoded } = await encode(content);
      const { outboard: tree } = await outboard(content);
      for (const { start, len, output_len, output_blake3, corruptions } of vector.slices) {
        const made = await slice(encoded, start, len);
        expect(made).toHaveLength(output_len);
        expect(digest(made)).toBe(output_blake3);
        expect(await slice(content, start, len, { outboard: tree })).toEqual(made);
        expect(await decodeSlice(made, hash, start, len)).toEqual(content.slice(start, start + len));
        await refused(decodeSlice(made, flipped(hash, 31), start, len));
        for (const at of corruptions) await refused(decodeSlice(flipped(made, at), hash, start, len));
      }
    });
  });
});
