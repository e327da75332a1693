/** Runs in Node only: the C that is made of the library's rounds, and the declarations of Node-API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { headers } from '../scripts/headers.ts';

test('the generated C is the same each time, and has no place of this machine', () => {
  expect(headers()).toEqual(headers());
  expect(JSON.stringify(headers())).not.toContain(import.meta.dirname);
});

test('the quarter round in it is that of RFC 8439 §2.1', () => {
  const [, body] = /#define CHACHA_DOUBLE_ROUND_4\(x\)([^]*?)\n\n/.exec(headers()['rounds.h'] + '\n\n')!;
  const ofFirst = body.split(' \\\n').map((line) => line.trim()).filter((line) => /^x\[(0|12)\] /.test(line)).slice(0, 4); // prettier-ignore
  expect(ofFirst).toEqual(['x[0] += x[4];', 'x[12] ^= x[0];', 'x[12] = ROTL(x[12], 16);', 'x[0] += x[4];']);
});

test('all of Node-API that the addon calls is declared', () => {
  const source = join(import.meta.dirname, '../source');
  const called = readFileSync(join(source, 'addon.c'), 'utf8').match(/napi_\w+(?=\()/g)!;
  const declared = readFileSync(join(source, 'node-api.h'), 'utf8').match(/napi_\w+(?=\()/g)!;
  expect(declared).toEqual(expect.arrayContaining(called));
});
