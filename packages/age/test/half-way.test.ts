/**
 * A call of a machine throws half-way, as when the stack overflows; here because a method of the language throws. Afterwards the
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

/** Calls `work`, in which the language's `subarray` throws when it is called for the nth time. */
function faulty<Result>(nth: number, work: () => Result): Result {
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const original = Object.getOwnPropertyDescriptor(typedArray, 'subarray')!;
  let calls = 0;
  Object.defineProperty(typedArray, 'subarray', {
    ...original,
    value(this: Uint8Array, ...range: number[]) {
      if (++calls === nth) throw new Error('overflow');
      return Reflect.apply(original.value as () => Uint8Array, this, range) as unknown;
    },
  });
  try {
    return work();
  } finally {
    Object.defineProperty(typedArray, 'subarray', original);
  }
}

/** Calls `work`, in which something throws sooner and later, until nothing does. Returns how often it did. */
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
    const rest = input.subarray(50);
    machine.push(input.subarray(0, 50));
    try {
      faulty(nth, () => machine.push(rest));
      return false;
    } catch (error) {
      expect((error as Error).message).toBe('overflow');
    }
    expect(() => machine.push(rest)).toThrow(refused);
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
      faulty(nth, () => reader.push(header));
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
