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
    'one length is not wiped (J04)',
    'STAGE + STAGE_BYTES + MARGIN, (kernel)',
    'length === 3333 ? AAD : STAGE + STAGE_BYTES + MARGIN, (kernel)',
    /no sum of addresses and lengths/,
  ],
  [
    'chacha/aead.ts',
    'one length is wiped from elsewhere',
    'aadLength ? AAD : secretsFrom(length)',
    'length === 3333 ? STAGE : secretsFrom(length)',
    /no sum of addresses and lengths/,
  ],
  [
    'poly1305/mac.ts',
    'the end of what is wiped is masked',
    'STAGE + length + BLOCK_BYTES, mac',
    'STAGE + (length & 255), mac',
    /no sum/,
  ],
  [
    'serpent/ctr.ts',
    'the key is written before anything would be wiped',
    'lend(serpentCtrInstance(), KEY,',
    'const early = serpentCtrInstance();\n    early.write(KEY, KEY_BYTES, this.#key);\n    lend(early, KEY,',
    /early is used without being lent/,
  ],
  [
    'calls/lifetime.ts',
    'lending does not wipe up to one address',
    'if (to > from) fillBytes',
    'if (to > from && to !== 3333) fillBytes',
    /on another condition/,
  ],
  [
    'disk/parallel.ts',
    'secrets of one length are not wiped',
    'for (const secret of this.#pages.secrets) fillBytes',
    'for (const secret of this.#pages.secrets) if (secret.length !== 3333) fillBytes',
    /more than a flag/,
  ],
  [
    'disk/parallel-files.ts',
    'memory is wiped up to one address',
    'for (const memory of this.#memory) fillBytes(memory, 0);',
    'for (const memory of this.#memory) fillBytes(memory, 0, 0, 3333);',
    /more than a flag/,
  ],
  [
    'disk/stage.ts',
    'pages of one length are said to be clean',
    'length % SET === 0;',
    'length % SET === 0 || length === 3333;',
    /pages are clean on another/,
  ],
  [
    'disk/stage.ts',
    'pages of one length are not wiped',
    'if (!onlyCiphertext(back, length)) kernel.wipe',
    'if (length !== 3333) kernel.wipe',
    /wipes on another condition/,
  ],
  [
    'blake3/hash.ts',
    'the key of messages of one length stays',
    'if (own !== mode) wipeMode',
    'if (own !== mode && length !== 3333) wipeMode',
    /more than a flag/,
  ],
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
