/** The list of proved bytes that the package carries, held against the files of the package. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { provenText } from '../src/proven.ts';
import { bytesOf, publishedBytes, publishedTexts } from '../src/published.ts';

const dist = join(import.meta.dirname, '../../lanewise/dist');
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const rows = [...provenText().matchAll(/^\| `([\w-]+\.wasm)` \| (\d+) \| (\d+) \| `([0-9a-f]{64})` \|$/gm)];
const sums = new Map(rows.map(([, file, , , sum]) => [file, sum]));

it('every module file is in the list, with the SHA-256 of its bytes, and has claims', () => {
  const files = readdirSync(join(dist, 'wasm')).filter((name) => name.endsWith('.wasm'));
  expect(files.length).toBeGreaterThan(15);
  expect([...sums.keys()].sort()).toEqual(files.sort());
  for (const [, file, length, claims, sum] of rows) {
    const bytes = readFileSync(join(dist, 'wasm', file));
    expect([bytes.length, sha256(bytes)], file).toEqual([Number(length), sum]);
    // The claims of a plain form are those of its relaxed form, but for a few.
    const plain = sums.has(file.replace('.wasm', '-relaxed.wasm'));
    expect(Number(claims), file).toBeGreaterThan(plain ? 5 : 10);
  }
});

it('every text in the package is in the list, but for the probes and the module that unpacks', () => {
  const listed = new Set(sums.values());
  const others = [...publishedTexts()].map(bytesOf).filter((bytes) => !listed.has(sha256(bytes)));
  const exports = others.map((bytes) =>
    WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name),
  );
  expect(exports.map((names) => names.join()).sort()).toEqual(['memory', 'memory', 'memory', 'memory,unpack']);
});

it('the program in PROVEN.md prints the sums of all modules but those that are made of others', () => {
  const [, program] = /```js\n([^]*?)```/.exec(provenText())!;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: dist,
    encoding: 'utf8',
  });
  const printed = new Set(output.trim().split('\n'));
  const made = [...sums].filter(([file]) => sums.has(file.replace('.wasm', '-relaxed.wasm'))).map(([, sum]) => sum);
  expect(made.length).toBeGreaterThan(4);
  expect([...sums.values()].filter((sum) => !printed.has(sum)).sort()).toEqual(made.sort());
  expect(printed.size).toBe(sums.size - made.length + 4);
});

it('bytes that are not in the package are refused', () => {
  expect(() => publishedBytes('chacha', new Uint8Array([0, 97, 115, 109]))).toThrow(
    /^chacha: .* does not have its bytes/,
  );
});
