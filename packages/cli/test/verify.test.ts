/** `lanewise hash --outboard` and `lanewise verify`: the answers of Bao and bao-tree, ranges, damage, outputs, wrong arguments. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { file, folder, hash, lanewise, type Result } from './programs.ts';

const read = (name: string): Buffer => readFileSync(join(folder, name));
const text = ({ stdout }: Result): string => stdout.toString();

/** The input of the vectors: a 4-byte little-endian integer that counts from 1. */
function counting(length: number): Buffer {
  const words = Buffer.alloc(length + 3);
  for (let at = 0; at < length; at += 4) words.writeUInt32LE(at / 4 + 1, at);
  return words.subarray(0, length);
}
const vectors = <Case>(name: string): readonly Case[] =>
  (JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors', name), 'utf8')) as { tests: Case[] }).tests;

const bao = vectors<{ input_len: number; bao_hash: string; outboard: { blake3: string } }>('bao.json');
const tree = vectors<{ group: number; input_len: number; hash: string; outboard_blake3: string }>('bao-tree.json');
const LENGTH = Math.max(...bao.map(({ input_len: length }) => length));
const content = counting(LENGTH);
const root = bao.find(({ input_len: length }) => length === LENGTH)!.bao_hash;

/** One line on standard error, nothing on standard output. */
function refused(result: Result, status: number, message: RegExp | string): void {
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(text(result)).toBe('');
  expect(result.status).toBe(status);
}

beforeAll(() => {
  file('content', content);
  expect(text(hash(['--outboard', 'content.obao', 'content']))).toBe(`${root}  content\n`);
});

test.each(bao.filter(({ input_len: length }) => [0, 1025, LENGTH].includes(length)))(
  'the outboard of the command bao: $input_len bytes',
  ({ input_len: length, bao_hash: its, outboard: { blake3 } }) => {
    expect(text(hash(['--outboard', 'out'], content.subarray(0, length)))).toBe(`${its}  -\n`);
    expect(text(hash(['--no-names', 'out']))).toBe(`${blake3}\n`);
  },
);

test('the outboard of bao-tree', () => {
  const { input_len: length, hash: its, outboard_blake3: expected } = tree.findLast(({ group }) => group === 16_384)!;
  file('tree', counting(length));
  const made = hash(['--tag', '--outboard=tree.obao', '--group-length', '16384', 'tree']);
  expect(text(made)).toBe(`BLAKE3 (tree) = ${its}\n`);
  expect(text(hash(['--no-names', 'tree.obao']))).toBe(`${expected}\n`);
  const options = ['--outboard', 'tree.obao', '--group-length=16384'];
  expect(text(lanewise(['verify', 'tree', its.toUpperCase(), ...options]))).toBe('tree: OK\n');
  refused(
    lanewise(['verify', 'tree', its, '--outboard', 'tree.obao']),
    1,
    /^lanewise verify: tree: the outboard has \d+ bytes, .*; --group-length tells another length of groups\n/,
  );
});

describe('verify', () => {
  const options = ['content', root, '--outboard', 'content.obao'];

  test('all, ranges, and standard input', () => {
    expect(lanewise(['verify', ...options])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: Buffer.from('content: OK\n'),
    });
    expect(lanewise(['verify', ...options, '--range', '1000-3000', '-o-']).stdout).toEqual(
      content.subarray(1000, 3000),
    );
    expect(lanewise(['verify', ...options, '--range=5000-', '-o', '-']).stdout).toEqual(content.subarray(5000));
    expect(lanewise(['verify', '-', ...options.slice(1), '-o', 'again'], content)).toMatchObject({ status: 0 });
    expect(read('again')).toEqual(content);
    refused(
      lanewise(['verify', ...options, '--range', `0-${LENGTH + 1}`]),
      1,
      `content: --range expected within ${LENGTH} bytes, the size, got from 0 to ${LENGTH + 1}`,
    );
  });

  test('damage: nothing after it, and no output', () => {
    const wrong = Buffer.from(content);
    wrong[5000] ^= 1;
    file('wrong', wrong);
    const its = ['wrong', ...options.slice(1)];
    const message = /^lanewise verify: wrong: bytes 4096 to 5120 do not match the hash\n/;
    refused(lanewise(['verify', ...its]), 1, message);
    refused(lanewise(['verify', ...its, '-o', 'never']), 1, message);
    expect(existsSync(join(folder, 'never'))).toBe(false);
    expect(lanewise(['verify', ...its, '--range', '6000-7000', '-o', '-']).stdout).toEqual(
      content.subarray(6000, 7000),
    );
    file('wrong.obao', read('content.obao').fill(0, 8, 9));
    refused(
      lanewise(['verify', 'content', root, '--outboard', 'wrong.obao']),
      1,
      /content: the tree over bytes 0 to \d+ does not match the hash/,
    );
    refused(lanewise(['verify', 'content', root]), 1, /content: .*; --outboard FILE names the tree over a file/);
  });

  test('files that are missing, or the same', () => {
    refused(lanewise(['verify', 'nothing', ...options.slice(1)]), 1, /^lanewise verify: nothing: No such file/);
    refused(
      lanewise(['verify', 'content', root, '--outboard', 'nothing']),
      1,
      /^lanewise verify: nothing: No such file/,
    );
    refused(lanewise(['verify', ...options, '-o', 'content']), 2, 'content: input and output file are the same');
    refused(lanewise(['verify', ...options, '-o', 'content.obao']), 2, 'content.obao: input and output file are');
    refused(hash(['--outboard', 'content', 'content']), 2, 'content: input and output file are the same');
    refused(hash(['--outboard', 'nowhere/out', 'content']), 1, 'nowhere');
    expect(read('content')).toEqual(content);
  });

  test('wrong arguments', () => {
    for (const [given, message] of [
      [['content'], 'verify takes FILE and HASH'],
      [['content', root.slice(1)], 'HASH is 64 hexadecimal digits'],
      [[...options, '--range', '5-4'], '--range takes FROM-TO'],
      [[...options, '--range', '-4'], "'--range' needs a value"],
      [[...options, '--group-length', '3000'], '--group-length takes a power of two from 1024 to 65536'],
      [['content', root, '--outboard', '-'], '--outboard takes a file'],
      [['-', ...options.slice(1), '--range', '5-'], '--range with --outboard needs a FILE'],
    ] as const)
      refused(lanewise(['verify', ...given]), 2, message);
  });
});

test('wrong arguments of hash --outboard', () => {
  for (const [given, message] of [
    [['--outboard', 'out', 'content', 'content'], '--outboard takes one FILE only'],
    [['--outboard', '-', 'content'], '--outboard takes a file: standard output gets the checksum'],
    [['--outboard', 'out', '--length', '5', 'content'], '--outboard cannot be used with --length'],
    [['--outboard', 'out', '--check', 'content'], '--outboard cannot be used with --check'],
    [['--group-length', '1024', 'content'], '--group-length needs --outboard'],
  ] as const)
    refused(hash(given), 2, message);
});
