import { expect, test } from 'vitest';
import { equals, hex, joined, unhex } from '../src/client/bytes.ts';

const bytes = Uint8Array.of(1, 2, 3, 4);

test('outputs are equal in one array or in parts, with every byte and no other', () => {
  expect(equals(bytes, bytes)).toBe(true);
  expect(equals([bytes.subarray(0, 1), new Uint8Array(), bytes.subarray(1)], bytes)).toBe(true);
  expect(equals([], new Uint8Array())).toBe(true);
  expect(equals(bytes.subarray(0, 3), bytes)).toBe(false);
  expect(equals([bytes, Uint8Array.of(5)], bytes)).toBe(false);
  expect(equals([bytes.subarray(0, 2), bytes.subarray(3)], bytes)).toBe(false);
  expect(equals(Uint8Array.of(1, 2, 3, 5), bytes)).toBe(false);
});

test('joined makes a copy', () => {
  const copy = joined([bytes.subarray(0, 2), bytes.subarray(2)]);
  expect(copy).toEqual(bytes);
  copy[0] = 9;
  expect(bytes[0]).toBe(1);
  expect(joined(bytes)).not.toBe(bytes);
});

test('hexadecimal there and back', () => {
  expect(hex(Uint8Array.of(0, 15, 16, 255))).toBe('000f10ff');
  expect(unhex('000f10ff')).toEqual(Uint8Array.of(0, 15, 16, 255));
  expect(unhex('')).toHaveLength(0);
});
