/** Properties of arguments: any argument is taken by its true type and length, or refused in one of a few ways. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { blake3, type Blake3Options } from '../../src/blake3.ts';
import { chacha20, chacha20orig } from '../../src/chacha.ts';
import { select } from '../../src/engine.ts';
import { bytesToHex, equalBytes, hexToBytes, isBytes } from '../../src/utils.ts';
import { expected as blake3Of } from './blake3.ts';
import { expectBytes, refusal, sample } from './bytes.ts';
import { engines } from './engines.ts';
import * as oracles from './oracles.ts';
import { property, type Property } from './properties.ts';
import { data, key, nonces } from './subject.ts';
import { subjects } from './subjects.ts';

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

const slots = subjects.flatMap((subject) => subject.parameters.map((parameter, at) => ({ subject, parameter, at })));

const bytes = property(
  'what is not the bytes that a parameter takes is refused, and nothing written',
  5,
  fc.record({ slot: fc.constantFrom(...slots), value: anything, engine: fc.constantFrom(...engines) }),
  ({ slot: { subject, parameter, at }, value, engine }) => {
    if (parameter.optional && value === undefined) return;
    if (isBytes(value) && (parameter.length === undefined || value.length === parameter.length)) return;
    // Keys of 16 bytes are keys too there, and some functions take bytes of any length.
    if (isBytes(value) && parameter.orOther && value.length === 16) return;
    select(engine);
    const call = subject.make();
    const right = subject.values();
    const before = right.map((each) => each.slice());
    const given: unknown[] = [...right];
    given[at] = value;
    expect(refusal(() => call(given as never[]))).toMatch(
      new RegExp(`^${isBytes(value) ? 'RangeError' : 'TypeError'}: "${parameter.name}" expected Uint8Array`),
    );
    right.forEach((each, i) => expectBytes(each, before[i], `argument ${i}`));
    const result = call(right as never[]);
    if (subject.expected) expectBytes(result as Uint8Array, subject.expected, `${subject.title} afterwards`);
  },
);

const numbers = fc.oneof(
  anything,
  fc.double(),
  fc.integer(),
  fc.bigInt({ min: -5n, max: 2n ** 72n }),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 0.5, 2 ** 32, 2 ** 32 - 2, 2 ** 53, 2 ** 53 - 1, NaN, Infinity),
);
const isInteger = (value: unknown, end: bigint): value is number | bigint =>
  (typeof value === 'bigint' || Number.isSafeInteger(value)) && Number(value) >= 0 && BigInt(value as number) < end;

const counters = property(
  'a counter is an integer of its width, or refused',
  3,
  fc.record({ value: numbers, wide: fc.boolean(), engine: fc.constantFrom(...engines) }),
  ({ value, wide, engine }) => {
    if (value === undefined) return;
    select(engine);
    const [cipher, nonce, end] = wide ? [chacha20orig, nonces[8], 2n ** 64n] : [chacha20, nonces[12], 2n ** 32n];
    const short = data.subarray(0, 64);
    const call = (): Uint8Array => cipher(key, nonce, short, undefined, value as number);
    const position = (): Uint8Array =>
      cipher
        .stream(key, nonce)
        .seek(value as number)
        .update(short.subarray(0, 1));
    if (!isInteger(value, end)) {
      const kind = typeof value === 'number' || typeof value === 'bigint' ? 'RangeError' : 'TypeError';
      expect(refusal(call)).toMatch(new RegExp(`^${kind}: "counter" expected integer`));
      if (kind === 'TypeError') expect(refusal(position)).toMatch(/^TypeError: "position" expected integer/);
      return;
    }
    expectBytes(call(), oracles.chacha20(key, nonce, short, value), 'counter');
    const block = BigInt(value) / 64n;
    const skip = Number(BigInt(value) % 64n);
    const expected = oracles.chacha20(key, nonce, new Uint8Array(skip + 1), block)[skip] ^ short[0];
    expect(position()[0]).toBe(expected);
  },
);

const optionValues = fc.record(
  { key: anything, context: fc.oneof(anything, fc.string()), dkLen: numbers, other: anything },
  { requiredKeys: [] },
);
const message = sample(100, 91);
const options = property(
  'options of BLAKE3 are what they are, or refused',
  4,
  fc.record({ value: fc.oneof(anything, optionValues), engine: fc.constantFrom(...engines) }),
  ({ value, engine }) => {
    select(engine);
    const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
    const isPlain = prototype === null || prototype === Object.prototype;
    const own = (name: string): unknown =>
      isPlain && Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    const names = isPlain ? Object.keys(value as object) : [];
    const [itsKey, context, dkLen] = ['key', 'context', 'dkLen'].map(own);
    const call = (): Uint8Array => blake3(message, value as Blake3Options);
    const right =
      (value === undefined || isPlain) &&
      names.every((name) => ['key', 'context', 'dkLen'].includes(name)) &&
      (dkLen === undefined || (typeof dkLen === 'number' && Number.isSafeInteger(dkLen) && dkLen >= 0)) &&
      (itsKey === undefined || (isBytes(itsKey) && itsKey.length === 32)) &&
      (context === undefined || typeof context === 'string' || isBytes(context)) &&
      (itsKey === undefined || context === undefined);
    if (!right) {
      expect(refusal(call)).toMatch(
        /^((Type|Range)Error: "(options|key|context|dkLen)" expected|Error: cannot use both "key" and "context")/,
      );
    } else if (dkLen === undefined || dkLen < 1000) {
      if (itsKey === undefined && context === undefined)
        expectBytes(call(), blake3Of(message, 'hash', dkLen), 'the digest');
      else expect(call().length).toBe(Math.abs(dkLen ?? 32));
    }
  },
);

const texts = property(
  'hexadecimal goes there and back, and what is none is refused',
  3,
  fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdefABCDEF')) }),
    fc.string({ unit: fc.constantFrom(...Array.from('09afAF/:@G`g')) }),
  ),
  (text) => {
    if (text.length % 2 || /[^\da-f]/i.test(text)) {
      const wrong = text.search(/[^\da-f]/i);
      const advice = text.startsWith('0x') ? ': leave 0x out' : '';
      const got = wrong < 0 ? `length=${text.length}` : `another character at index ${wrong}${advice}`;
      expect(refusal(() => hexToBytes(text))).toBe(
        `RangeError: "hex" expected pairs of hexadecimal digits, got ${got}`,
      );
      return;
    }
    const given = hexToBytes(text);
    expectBytes(given, Buffer.from(text, 'hex'), text);
    expect(bytesToHex(given)).toBe(text.toLowerCase());
    expect(equalBytes(given, Buffer.from(text, 'hex'))).toBe(true);
    if (!given.length) return;
    const other = given.slice();
    other[other.length - 1] ^= 0x10;
    expect([equalBytes(given, other), equalBytes(given, other.subarray(1))]).toEqual([false, false]);
  },
);

export const argumentProperties: readonly Property[] = [bytes, counters, options, texts];
