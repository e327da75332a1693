/**
 * A call of a machine throws half-way, as when the stack overflows; here because a method of the caller's bytes throws. Afterwards the
 * machine refuses every call; it never goes on with only a part of its input.
 */
import { expect, it } from 'vitest';
import { ArmorDecoder, ArmorEncoder, HeaderReader } from '../src/index.ts';

const sample = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 256);
const bytes = sample(3000);
const text = new TextEncoder();
const line = (length: number): string => Buffer.from(sample(length)).toString('base64');
const armored = text.encode(
  ['-----BEGIN AGE ENCRYPTED FILE-----', ...Array.from({ length: 30 }, () => line(48)), line(5), ''].join('\n'),
);
const header = text.encode(
  `age-encryption.org/v1\n${`-> X25519 ${line(33)}\n${line(32)}\n`.repeat(20)}--- ${line(32)}\n`,
);

/** Bytes whose method `subarray` throws when it is called for the nth time. */
function faulty(its: Uint8Array, nth: number): Uint8Array {
  let calls = 0;
  class Faulty extends Uint8Array {
    override subarray(from?: number, to?: number): Uint8Array<ArrayBuffer> {
      if (++calls === nth) throw new Error('overflow');
      return new Uint8Array(this.buffer).subarray(from, to);
    }
  }
  return new Faulty(its);
}

/** Calls `work` with bytes that throw sooner and later, until they don't. Returns how often they did. */
function faults(work: (nth: number) => boolean): number {
  let nth = 0;
  while (work(++nth));
  return nth - 1;
}

it.each<[string, () => ArmorEncoder | ArmorDecoder, Uint8Array]>([
  ['an armor encoder', () => new ArmorEncoder(), bytes],
  ['an armor decoder', () => new ArmorDecoder(), armored],
])('%s', (name, make, input) => {
  const refused = `cannot use ${name} after a call that threw half-way: make another`;
  const count = faults((nth) => {
    const machine = make();
    machine.push(input.subarray(0, 50));
    try {
      machine.push(faulty(input.subarray(50), nth));
      return false;
    } catch (error) {
      expect((error as Error).message).toBe('overflow');
    }
    expect(() => machine.push(input.subarray(50))).toThrow(refused);
    expect(() => machine.end()).toThrow(refused);
    return true;
  });
  expect(count).toBeGreaterThan(10);
});

it('a header reader', () => {
  const refused = 'cannot use a header reader after a call that threw half-way: make another';
  const count = faults((nth) => {
    const reader = new HeaderReader();
    try {
      reader.push(faulty(header, nth));
      return false;
    } catch (error) {
      expect((error as Error).message).toBe('overflow');
    }
    expect(() => reader.push(header)).toThrow(refused);
    expect(reader.complete).toBe(false);
    expect(() => reader.header).toThrow('the header is not complete');
    return true;
  });
  expect(count).toBeGreaterThan(0);
});

it('a wrong argument is no such call', () => {
  const [encoder, decoder, reader] = [new ArmorEncoder(), new ArmorDecoder(), new HeaderReader()];
  for (const machine of [encoder, decoder, reader])
    expect(() => machine.push('text' as never)).toThrow('"bytes" expected Uint8Array');
  expect(Buffer.concat([encoder.push(bytes), encoder.end()]).length).toBeGreaterThan(bytes.length);
  expect(decoder.push(armored).length).toBeGreaterThan(0);
  expect(reader.push(header)).toBe(header.length);
});
