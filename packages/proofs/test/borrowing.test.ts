/** The lint of how public modules borrow memory: the sources as they are pass, and with a fault in them they do not. */
import { describe, expect, it } from 'vitest';
import { texts } from '../src/javascript/texts.ts';
import { borrowFindingsIn, borrowFindingsOf, formulasIn, sourcesIn } from '../src/lints/borrowing.ts';

/** The rooms with a text, and those that use others' kernels. */
const rooms = [...new Set([...texts.map(({ room }) => room), 'keystream', 'calls', 'siv', 'stream', 'box', 'bao'])];

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
    'argon2/functions.ts',
    'memory is given back before it is wiped',
    'lend(kernel, SCRATCH,',
    'giveBack(kernel);\n  lend(kernel, SCRATCH,',
    /kernel is used without being lent/,
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
    'sha2/stage.ts',
    'the function that says what is wiped leaves out one length',
    'STAGE + min(length, STAGE_BYTES) + PADDING_BYTES;',
    'length === 3333 ? STAGE : STAGE + min(length, STAGE_BYTES) + PADDING_BYTES;',
    /no sum of addresses and lengths/,
  ],
  [
    'sha2/stage.ts',
    'the function that says what is wiped masks a length',
    'STAGE + min(length, STAGE_BYTES) + PADDING_BYTES;',
    'STAGE + (length & 255) + PADDING_BYTES;',
    /no sum/,
  ],
  [
    'sha2/hkdf.ts',
    'another function has the name of the one that says what is wiped',
    'const leaves =',
    'function other(wipedTo: (length: number) => number): number {\n  return wipedTo(3333);\n}\nconst leaves =',
    /no sum/,
  ],
  [
    'sha2/hasher.ts',
    'a function of another room has the name of the one that says what is wiped',
    "import { read, wipedTo } from './stage.ts';",
    "import { read } from './stage.ts';\nimport { part as wipedTo } from '../engine/intrinsics.ts';",
    /no sum/,
  ],
  [
    'siv/sealing.ts',
    'one length is not wiped behind open (N36)',
    'const to = STAGE + length + MARGIN;',
    'const to = length === 6007 ? AAD : STAGE + length + MARGIN;',
    /no sum/,
  ],
  [
    'stream/secretstream-state.ts',
    'one length is not wiped behind open (N37)',
    'const to = STAGE + min(BLOCK + length + adLength, STAGE_BYTES) + MARGIN;',
    'const to = length === 5008 ? SETS : STAGE + min(BLOCK + length + adLength, STAGE_BYTES) + MARGIN;',
    /no sum/,
  ],
  [
    'stream/secretstream-state.ts',
    'one length of additional data is not wiped (N38)',
    'lend({ memory, secrets: 0 }, 0, to, () =>',
    'lend({ memory, secrets: 0 }, 0, to === 6016 ? 0 : to, () =>',
    /no sum/,
  ],
  [
    'stream/derive.ts',
    'the last secret is not wiped',
    'i < used.length; i++) fillBytes(used[i], 0);',
    'i < used.length - 1; i++) fillBytes(used[i], 0);',
    /more than a flag/,
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
    const sources = sourcesIn(file.split('/', 1)[0]);
    expect(sources[file]).toContain(from);
    const found = borrowFindingsOf({ ...sources, [file]: sources[file].replace(from, () => to) });
    expect(found.map((one) => one.message).join('\n')).toMatch(message);
  });
});

describe('the functions of a room that return sums', () => {
  it.each<[what: string, texts: string[], names: string[]]>([
    ['a sum', ['const x = (a: number) => A + 2 * a;'], ['x']],
    [
      'one that calls another, which is defined later',
      ['const x = (a: number) => y(a) + 1;', 'const y = (a: number) => a;'],
      ['y', 'x'],
    ],
    ['none that calls an unknown one', ['const x = (a: number) => y(a);'], []],
    ['none with a condition', ['const x = (a: number) => (a > 3 ? a : 0);'], []],
    ['none that decides by a default', ['const x = (a: number, b = a > 3) => a;'], []],
    ['none that decides by a default of a pattern', ['const x = ({ a = b > 3 }) => a;'], []],
    ['none with statements', ['const x = (a: number) => { return a; };'], []],
    ['none that may become another', ['let x = (a: number) => a;'], []],
    ['none whose name a parameter has', ['const x = (a: number) => a;', 'function f(x: number) {}'], []],
    ['none whose name another function has', ['const x = (a: number) => a;', 'function x() {}'], []],
    ['none that is imported from elsewhere', ['const x = (a: number) => a;', "import { x } from '../y.ts';"], []],
    ['a sum that is imported', ['const x = (a: number) => a;', "import { x } from './y.ts';"], ['x']],
  ])('%s', (_, texts, names) => {
    expect([...formulasIn(texts)]).toEqual(names);
  });
});
