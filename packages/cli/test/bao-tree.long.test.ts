/** Contents both ways with the crate bao-tree, which iroh uses: outboards, encodings and slices of whole groups of 16 KiB and others. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, decodeSlice, encode, outboard, slice, verifiedReader } from 'lanewise/bao.js';
import { describe, expect, test } from 'vitest';
import { findBaoTree } from './find-bao.ts';
import { bytes, file, folder, hash, lanewise } from './programs.ts';

const program = findBaoTree();
if (program === undefined) console.log('SKIPPED: comparisons with bao-tree: there is no Cargo to build it');

function judge(values: readonly (string | number)[], input: Uint8Array, expected = 0): Buffer {
  const { status, stdout, stderr } = spawnSync(program!, values.map(String), { input, maxBuffer: 2 ** 28 });
  expect(status, stderr.toString()).toBe(expected);
  return stdout;
}
const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
const CHUNK = 1024;

/** Log of the number of chunks in a group, as bao-tree counts: iroh has 4, 16 KiB. */
const LOGS = [0, 1, 4, 6];
const lengthsOf = (log: number): number[] => {
  const group = CHUNK << log;
  return [0, 1, group - 1, group, group + 1, 2 * group, 3 * group + 500, 4 * group + 1];
};

describe.skipIf(program === undefined)('the crate bao-tree', () => {
  describe.each(LOGS)('groups of 2^%i chunks', (log) => {
    const options = { groupLength: CHUNK << log };

    test.each(lengthsOf(log))('%i bytes', async (length) => {
      const content = bytes(length);
      const tree = await outboard(content, options);
      expect(judge(['outboard', log], content).equals(tree.outboard)).toBe(true);
      const { hash: root, encoded } = await encode(content, options);
      const theirs = judge(['encode', log, 0, 'end'], content);
      expect(theirs.equals(encoded)).toBe(true);
      expect(judge(['decode', log, hex(root), 0, 'end'], encoded).equals(content)).toBe(true);
      expect(Buffer.from(await decode(theirs, root, options)).equals(content)).toBe(true);
    });

    test('slices of whole groups', async () => {
      const { groupLength } = options;
      const content = bytes(5 * groupLength + 700);
      const { hash: root, encoded } = await encode(content, options);
      for (const [first, count] of [
        [0, 1],
        [1, 2],
        [3, 2],
        [5, 1],
        [2, 4],
      ]) {
        const [start, length] = [first * groupLength, count * groupLength];
        const end = Math.min(start + length, content.length);
        // The last group ends with the content: bao-tree takes a range that ends in it for an open one.
        const range = [first << log, end === content.length ? 'end' : (first + count) << log];
        const ours = await slice(encoded, start, length, options);
        const theirs = judge(['encode', log, ...range], content);
        expect(theirs.equals(ours)).toBe(true);
        const again = judge(['decode', log, hex(root), ...range], ours);
        expect(again.subarray(start, end).equals(content.subarray(start, end))).toBe(true);
        expect(await decodeSlice(theirs, root, start, length, options)).toEqual(
          Uint8Array.from(content.subarray(start, end)),
        );
      }
    });

    test('what is wrong is wrong to both', async () => {
      const content = bytes(3 * options.groupLength + 10);
      const { hash: root, encoded } = await encode(content, options);
      const cut = encoded.subarray(0, encoded.length - 1);
      // Not in the length in front: bao-tree is told it, and Bao's decoder reads it.
      const flipped = [8, 71, 200, 1000, encoded.length - 1].map((at) => {
        const wrong = Uint8Array.from(encoded);
        wrong[at] ^= 1;
        return wrong;
      });
      for (const wrong of [cut, ...flipped]) {
        judge(['decode', log, hex(root), 0, 'end'], wrong, 1);
        await expect(decode(wrong, root, options)).rejects.toThrow();
      }
    });
  });

  test('any range of a content by an outboard of bao-tree, and the commands', async () => {
    const content = bytes(300_000);
    const theirs = judge(['outboard', 4], content);
    const { hash: root } = await outboard(content);
    const options = { outboard: Uint8Array.from(theirs), groupLength: 16_384 };
    const reader = await verifiedReader(Uint8Array.from(content), root, options);
    expect(await reader.read(16_000, 99_999)).toEqual(Uint8Array.from(content.subarray(16_000, 99_999)));

    file('content', content);
    file('theirs.obao', theirs);
    const verify = ['verify', 'content', hex(root), '--group-length', '16384'];
    const proven = lanewise([...verify, '--outboard', 'theirs.obao', '--range', '5-70000', '-o', '-']);
    expect(proven.stdout.equals(content.subarray(5, 70_000)), proven.stderr).toBe(true);
    const made = hash(['--outboard', 'ours.obao', '--group-length', '16384', 'content']);
    expect(made.stdout.toString(), made.stderr).toBe(`${hex(root)}  content\n`);
    expect(readFileSync(join(folder, 'ours.obao')).equals(theirs)).toBe(true);
  });
});
