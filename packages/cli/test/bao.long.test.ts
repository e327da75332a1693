/** Files both ways with the command bao 0.13: encodings, outboards and slices, at lengths on both sides of chunks and powers of two. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSlice, encode, outboard, slice } from 'lanewise/bao.js';
import { describe, expect, test } from 'vitest';
import { findBao } from './find-bao.ts';
import { bytes, file, folder, hash, lanewise } from './programs.ts';

const program = findBao();
if (program === undefined) console.log('SKIPPED: comparisons with the command bao: there is no Cargo to build it');

function bao(values: readonly string[], expected = 0): Buffer {
  const { status, stdout, stderr } = spawnSync(program!, values, { cwd: folder, maxBuffer: 2 ** 28 });
  expect(status, stderr.toString()).toBe(expected);
  return stdout;
}
const read = (name: string): Buffer => readFileSync(join(folder, name));

const LENGTHS = [0, 1, 1023, 1024, 1025, 2048, 2049, 4097, 16_383, 16_384, 16_385, 65_537, 131_071, 1_048_577];

describe.skipIf(program === undefined)('the command bao', () => {
  test.each(LENGTHS)('encodings and outboards of %i bytes', async (length) => {
    const content = bytes(length);
    file('content', content);
    const root = bao(['hash', 'content']).toString().trim();
    bao(['encode', 'content', 'theirs.bao']);
    bao(['encode', 'content', '--outboard', 'theirs.obao']);

    const { hash: its, encoded } = await encode(content);
    expect(Buffer.from(its).toString('hex')).toBe(root);
    expect(read('theirs.bao').equals(encoded)).toBe(true);
    expect(read('theirs.obao').equals((await outboard(content)).outboard)).toBe(true);

    file('ours.bao', encoded);
    bao(['decode', root, 'ours.bao', 'again']);
    expect(read('again').equals(content)).toBe(true);
  });

  test('the commands of the two', () => {
    const content = bytes(300_000);
    file('content', content);
    const root = bao(['hash', 'content']).toString().trim();
    expect(hash(['--outboard', 'ours.obao', 'content']).stdout.toString()).toBe(`${root}  content\n`);
    bao(['decode', root, 'content', '--outboard', 'ours.obao', 'again']);
    expect(read('again').equals(content)).toBe(true);
    bao(['encode', 'content', 'theirs.bao']);
    expect(lanewise(['verify', 'theirs.bao', root, '-o', '-']).stdout.equals(content)).toBe(true);
    bao(['slice', '1000', '50000', 'theirs.bao', 'slice']);
    const ours = lanewise(['verify', '-', root, '--range', '1000-51000', '-o', '-'], read('slice'));
    expect(ours.stdout.equals(content.subarray(1000, 51_000))).toBe(true);
  });

  test.each([
    [0, 0],
    [0, 1],
    [1023, 2],
    [1024, 1024],
    [60_000, 5000],
    [99_999, 1],
    [99_999, 50],
    [100_000, 1],
    [200_000, 10],
  ])('a slice from %i of %i bytes', async (start, length) => {
    const content = bytes(100_000);
    const { hash: its, encoded } = await encode(content);
    const root = Buffer.from(its).toString('hex');
    const range = [String(start), String(length)];
    file('content.bao', encoded);
    bao(['slice', ...range, 'content.bao', 'theirs']);
    const ours = await slice(encoded, start, length);
    expect(read('theirs').equals(ours)).toBe(true);
    file('ours', ours);
    bao(['decode-slice', root, ...range, 'ours', 'again']);
    expect(read('again').equals(content.subarray(start, start + length))).toBe(true);
    expect(Buffer.from(await decodeSlice(read('theirs'), its, start, length)).equals(read('again'))).toBe(true);
  });

  test('what is wrong is wrong to both', async () => {
    const { hash: its, encoded } = await encode(bytes(20_000));
    const root = Buffer.from(its).toString('hex');
    for (const at of [0, 8, 71, 1000, encoded.length - 1]) {
      const wrong = Uint8Array.from(encoded);
      wrong[at] ^= 1;
      file('wrong.bao', wrong);
      bao(['decode', root, 'wrong.bao', 'never'], 1);
      expect(lanewise(['verify', 'wrong.bao', root]).status, String(at)).toBe(1);
    }
  });
});
