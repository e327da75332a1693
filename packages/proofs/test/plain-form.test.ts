// The form without relaxed instructions computes what the relaxed form does; changes of either are refuted.
import { describe, expect, it } from 'vitest';
import { Failure } from '../src/claims/claim.ts';
import { plainFormClaim, relaxedOf, requirePlainForm } from '../src/claims/plain-form.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { codeSection } from '../src/mutations/patch.ts';
import { decode } from '../src/wasm/decode.ts';
import { DecodeError, type DecodedFunction, type Instruction } from '../src/wasm/types.ts';

const pairs = kernels.flatMap((plain) => {
  const relaxed = relaxedOf(plain);
  return relaxed ? [{ plain, relaxed }] : [];
});

describe('plain form', () => {
  it.each(pairs)('$plain.name', async ({ plain, relaxed }) => {
    await plainFormClaim(plain, relaxed).prove();
  });

  it('is of all kernels with relaxed instructions', () => {
    expect(pairs.map(({ relaxed }) => relaxed)).toEqual(kernels.filter(({ form }) => form === 'relaxed'));
  });
});

const [plain, relaxed] = [kernelOf('random swizzle').bytes, kernelOf('random relaxed').bytes];
const [{ code }] = decode(plain).functions.filter(({ name }) => name === 'generate') as [DecodedFunction];

/** The first instruction that is such a one. */
const at = (test: (instruction: Instruction, i: number) => boolean): number => code.findIndex(test);
const swizzle = at(({ op }) => op === 'i8x16.swizzle');
const product = at(({ op }) => op === 'i32x4.mul');
const [mask, multiplier] = [code[swizzle - 1], code[product - 1]].map(
  (instruction) => (instruction as Instruction & { local: number }).local,
);
const setOf = (local: number): number =>
  at((instruction) => instruction.op === 'local.set' && instruction.local === local);
const dataOf = (set: number): number => {
  const [address, load] = code.slice(set - 2, set) as unknown as [{ value: number }, { offset: number }];
  return address.value + load.offset;
};

/** The bytes, with some exchanged from an offset on. */
function changed(bytes: Uint8Array<ArrayBuffer>, offset: number, ...values: number[]): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy.set(values, offset);
  return copy;
}
/** The module's data at an address has one bit changed. */
function withData(bytes: Uint8Array<ArrayBuffer>, address: number): Uint8Array<ArrayBuffer> {
  const { offset, bytes: data } = decode(bytes).data.find(
    (segment) => address >= segment.offset && address < segment.offset + segment.bytes.length,
  )!;
  const place = Buffer.from(bytes).lastIndexOf(data) + address - offset;
  return changed(bytes, place, bytes[place] ^ 1);
}
/** The place of an instruction's number. */
const number = (i: number): number => code[i].at + 1;
type Bytes = Uint8Array<ArrayBuffer>;
const both = (change: (bytes: Bytes) => Bytes): [Bytes, Bytes] => [change(relaxed), change(plain)];

describe('a plain form is refuted', () => {
  it.each([
    ['a relaxed form', relaxed, relaxed, /is relaxed/],
    ['a swizzle with another mask', relaxed, changed(plain, number(swizzle - 1), mask + 2), /other numbers/],
    ['a multiplication by another local', relaxed, changed(plain, number(product - 1), mask | 128), /stores no data/],
    ['another multiplier', ...both((bytes) => withData(bytes, dataOf(setOf(multiplier)))), /than 2\^7/],
    ['another mask in the data', ...both((bytes) => withData(bytes, dataOf(setOf(mask + 1)))), /that of the data/],
    ['another constant mask', ...both((bytes) => changed(bytes, code[setOf(mask) - 1].at + 2, 1)), /that of the data/],
    ['data that is another', relaxed, withData(plain, dataOf(setOf(multiplier))), /data are others/],
    ['a mask that is read', ...both((bytes) => changed(bytes, number(swizzle - 2), mask + 1)), /may be read/],
    [
      'a relaxed mask that is no index',
      ...both((bytes) => changed(bytes, number(swizzle - 2), mask)),
      /not only a mask|several/,
    ],
    [
      'a multiplier that is set again',
      ...both((bytes) => changed(bytes, number(swizzle + 1), multiplier)),
      /another value/,
    ],
    ['a mask that is set again', ...both((bytes) => changed(bytes, number(swizzle + 1), mask)), /several values/],
  ] as const)('%s', (_, of, bytes, message) => {
    expect(() => {
      requirePlainForm(of, bytes);
    }).toThrow(message);
  });

  it('any bit of its code', () => {
    const { content, to } = codeSection(plain);
    // Some 300 bits, another one of each byte.
    for (let bit = 8 * content; bit < 8 * to; bit += 61) {
      const bytes = changed(plain, bit >> 3, plain[bit >> 3] ^ (1 << (bit & 7)));
      let error: unknown;
      try {
        requirePlainForm(relaxed, bytes);
      } catch (thrown) {
        error = thrown;
      }
      expect(error instanceof Failure || error instanceof DecodeError, `bit ${bit}: ${String(error)}`).toBe(true);
    }
  });
});
