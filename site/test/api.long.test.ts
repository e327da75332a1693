/** The pages of the API reference, as TypeDoc writes them. */
// Runs in Node only: reads the sources of all packages.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeApi } from '../src/api.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-api-'));
let text = '';
beforeAll(async () => {
  await writeApi(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('results with `out` have the type of the buffer that was passed', () => {
  expect(text).toContain('decrypt<Out>(ciphertext, out): Out extends Uint8Array ? Out : Uint8Array<ArrayBuffer>;');
  expect(text).toContain(
    'encryptDetached<Out>(plaintext, out): Detached<Out extends Uint8Array ? Out : Uint8Array<ArrayBuffer>>;',
  );
  expect(text).toContain('`Out` *extends* `Uint8Array` ? `Out` : `Uint8Array`\\<`ArrayBuffer`\\>');
});

test('no page repeats the members of a class of the platform', () => {
  // Members of Uint8Array and ReadableStream that none of our classes has, as tables and blocks of code show them.
  const members =
    /(?:toSorted|copyWithin|pipeThrough|getReader|\[toStringTag\])`?\(|`(?:toSorted|copyWithin|pipeThrough|getReader)\(\)`/;
  const signatures = text.replaceAll(/^(`{3,})ts\n[\s\S]*?^\1$/gm, (block) => (block.includes('import ') ? '' : block));
  expect(signatures.split('\n').filter((line) => members.test(line))).toEqual([]);
});

test('no result is just an object', () => {
  const results = [...text.matchAll(/^.*\): (?:Promise<)?object>?;$/gm)].map(([line]) => line);
  expect(results).toEqual([]);
  expect(text).not.toMatch(/^`object`$/m);
});
