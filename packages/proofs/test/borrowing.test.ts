/** The lint of how public modules borrow memory: the sources as they are pass, and with a fault in them they do not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { texts } from '../src/javascript/texts.ts';
import { borrowFindings, borrowFindingsIn } from '../src/lints/borrowing.ts';

const src = join(import.meta.dirname, '../../lanewise/src');
const rooms = [...new Set([...texts.map(({ room }) => room), 'keystream', 'calls'])];

it.each(rooms)('%s: nothing is found', (room) => {
  expect(borrowFindingsIn(room)).toEqual([]);
});

describe.each<[file: string, what: string, from: string, to: string, message: RegExp]>([
  [
    'chacha/aead.ts',
    'one length is not wiped',
    'kernel.wipe(aadLength ?',
    'if (length !== 3333) kernel.wipe(aadLength ?',
    /kernel is not wiped whatever happens/,
  ],
  [
    'chacha/aead.ts',
    'the same where it wipes more, too',
    'kernel.wipe(aadLength ?',
    'kernel.wipe(TAG, HEAD); if (length !== 3333) kernel.wipe(aadLength ?',
    /more than a call decides/,
  ],
  [
    'chacha/aead.ts',
    'one length is wiped from elsewhere',
    'kernel.wipe(aadLength ? AAD :',
    'kernel.wipe(length === 3333 ? DATA :',
    /no sum of addresses and lengths/,
  ],
  [
    'poly1305/mac.ts',
    'the end of what is wiped is masked',
    'STAGE + length + BLOCK)',
    'STAGE + (length & 255))',
    /no sum/,
  ],
  ['blake3/hash.ts', 'what throws is not wiped', 'finally {\n    kernel', 'catch {\n    kernel', /no try that wipes/],
  ['chacha/aead.ts', 'the error goes on to nobody', '      throw error;\n', '', /no try that wipes/],
  [
    'serpent/ctr.ts',
    'the key is written before anything would be wiped',
    'const kernel = serpentCtrInstance();\n',
    'const kernel = serpentCtrInstance();\n    kernel.write(KEY, KEY_BYTES, this.#key);\n',
    /no try that wipes/,
  ],
  [
    'serpent/blocks.ts',
    'nothing is wiped',
    'kernel.wipe(KEY, DATA + min',
    'void (KEY, DATA + min',
    /not wiped whatever/,
  ],
  [
    'disk/pages.ts',
    'one length is said to be clean',
    'length % SET === 0',
    'length % SET === 0 || length === 3333',
    /another condition/,
  ],
  ['disk/pages.ts', 'pages are clean from the start', 'let clean = false', 'let clean = true', /another condition/],
  [
    'disk/pages.ts',
    'a page is clean for another reason',
    'clean = onlyCiphertext(',
    'clean = length > 100 || onlyCiphertext(',
    /another/,
  ],
  ['calls/parts.ts', 'a copy of one length stays', 'if (copied)', 'if (copied && length !== 3333)', /more than a flag/],
])('%s: %s', (file, _, from, to, message) => {
  it('is found', () => {
    const text = readFileSync(join(src, file), 'utf8');
    expect(text).toContain(from);
    const found = borrowFindings(
      file,
      text.replace(from, () => to),
    );
    expect(found.map((one) => one.message).join('\n')).toMatch(message);
  });
});
