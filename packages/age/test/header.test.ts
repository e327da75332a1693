/** The search for the end of a header: in any pieces, within its limits. */
import { describe, expect, it } from 'vitest';
import { HeaderReader } from '../src/index.ts';
import { cut } from './vectors.ts';

const utf8 = new TextEncoder();
const header = `age-encryption.org/v1\n-> X25519 abc\nAAAA\n-> x --- ---\n\n--- ${'B'.repeat(43)}\n`;
const file = utf8.encode(`${header}0123456789abcdefchunks`);

describe.each([[1], [2, 3], [7, 0, 64], [1000], [header.length], [header.length + 16], [header.length + 1]])(
  'in pieces of %i …',
  (...lengths) => {
    it('takes the header and 16 bytes, and nothing behind', () => {
      const reader = new HeaderReader();
      let taken = 0;
      for (const piece of cut(file, lengths)) taken += reader.push(piece);
      expect(reader.complete).toBe(true);
      expect(taken).toBe(header.length + 16);
      expect(new TextDecoder().decode(reader.header)).toBe(header);
      expect(new TextDecoder().decode(reader.salt)).toBe('0123456789abcdef');
      expect(reader.bytes).toEqual(file.subarray(0, taken));
      expect(reader.length).toBe(taken);
    });
  },
);

it('does not mistake another file', () => {
  expect(() => new HeaderReader().push(utf8.encode('age-encryption.org/v2\n'))).toThrow(
    'not an age file: it does not start with "age-encryption.org/v1"',
  );
  expect(() => new HeaderReader().push(utf8.encode('x'))).toThrow('not an age file');
});

it('has limits', () => {
  const line = (length: number): string => `-> ${'x'.repeat(length - 3)}\n`;
  const long = new HeaderReader();
  long.push(utf8.encode(`age-encryption.org/v1\n${line(16_383)}`));
  expect(() => long.push(utf8.encode(line(16_385)))).toThrow('header expected lines of at most 16384 bytes');
  const endless = new HeaderReader();
  endless.push(utf8.encode('age-encryption.org/v1\n'));
  expect(() => {
    for (let i = 0; i < 200; i++) endless.push(utf8.encode(line(10_000)));
  }).toThrow('header expected at most 1048576 bytes');
});

it('says how far a truncated file goes', () => {
  const reader = new HeaderReader();
  expect(reader.truncated().message).toBe('empty, no age file');
  reader.push(file.subarray(0, 50));
  expect(reader.complete).toBe(false);
  expect(reader.truncated().message).toBe('truncated after 50 bytes');
});

it('refuses what is no bytes, and gives no header that is not complete', () => {
  const reader = new HeaderReader();
  expect(() => reader.push('age' as never)).toThrow('"bytes" expected Uint8Array, got type=string');
  expect(() => reader.push(...([file, 1] as unknown as [Uint8Array]))).toThrow('at most 1');
  reader.push(file.subarray(0, 50));
  for (const part of ['header', 'salt'] as const) expect(() => reader[part]).toThrow('the header is not complete');
});
