/** Contexts are text on hosts without TextEncoder, too. */
// Runs in every mode: known answers.
import { expect, test } from 'vitest';
import { encodeUtf8 } from '../src/blake3/utf8.ts';
import { hex } from './support/bytes.ts';

test('RFC 3629 §7', () => {
  expect(hex(encodeUtf8('A\u2262\u0391.'))).toBe('41e289a2ce912e');
  expect(hex(encodeUtf8('\ud55c\uad6d\uc5b4'))).toBe('ed959ceab5adec96b4');
  expect(hex(encodeUtf8('\ufeff\ud84c\udfb4'))).toBe('efbbbff0a38eb4');
});

test('what TextEncoder makes of texts around the borders of lengths, and of halves of pairs', () => {
  const units = [
    '',
    'a',
    '\x7f',
    '\x80',
    '\u07ff',
    '\u0800',
    '\ud7ff',
    '\ud800',
    '\udbff',
    '\udc00',
    '\udfff',
    '\ue000',
    '\uffff',
  ];
  for (const a of units)
    for (const b of units)
      for (const c of units) {
        const text = a + b + c;
        expect(hex(encodeUtf8(text)), JSON.stringify(text)).toBe(hex(new TextEncoder().encode(text)));
      }
});
