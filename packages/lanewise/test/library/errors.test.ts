/**
 * Every argument of every public function, with everything that it may not be: the class and the words of the error,
 * that nothing is written anywhere, and that the object still works afterwards.
 */
import { describe, expect, test } from 'vitest';
import * as lanewise from '../../src/chacha.ts';
import { hexToBytes, randomBytes } from '../../src/utils.ts';
import { detached, expectBytes, Liar, liar, refusal, truth, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { streamNames } from '../support/stream-names.ts';
import { data, key, nonces, type Subject, type Values } from '../support/subject.ts';
import { subjects } from '../support/subjects.ts';

/** Values of the right length and of a wrong type. */
const wrongTypes = (length: number): { value: unknown; kind: string }[] => [
  { value: undefined, kind: 'undefined' },
  { value: null, kind: 'null' },
  { value: length, kind: 'number' },
  { value: 10n, kind: 'bigint' },
  { value: true, kind: 'boolean' },
  { value: 'x'.repeat(length), kind: 'string' },
  { value: Symbol('bytes'), kind: 'symbol' },
  { value: () => new Uint8Array(length), kind: 'function' },
  { value: Array.from({ length }, () => 0), kind: 'Array' },
  { value: { length, byteLength: length, 0: 1 }, kind: 'Object' },
  { value: new ArrayBuffer(length), kind: 'ArrayBuffer' },
  { value: new SharedArrayBuffer(length), kind: 'SharedArrayBuffer' },
  { value: new DataView(new ArrayBuffer(length)), kind: 'DataView' },
  { value: new Blob([new Uint8Array(length)]), kind: 'Blob' },
  { value: Promise.resolve(new Uint8Array(length)), kind: 'Promise' },
  { value: new Uint16Array(length), kind: 'Uint16Array' },
  { value: new Int8Array(length), kind: 'Int8Array' },
  { value: new Uint8ClampedArray(length), kind: 'Uint8ClampedArray' },
  { value: new Proxy(new Uint8Array(length), {}), kind: 'Object' },
  { value: Object.create(Uint8Array.prototype), kind: 'Object' },
  {
    value: Object.defineProperty(new Uint16Array(length), Symbol.toStringTag, { value: 'Uint8Array' }),
    kind: 'Uint16Array',
  },
];

/** The advice in errors about values that are easily converted to bytes. */
const remedies: Readonly<Record<string, string | undefined>> = {
  Promise: '; did you forget await?',
  ArrayBuffer: '; use new Uint8Array(buffer)',
  SharedArrayBuffer: '; use new Uint8Array(buffer)',
  string: '; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
};

/** Calls with one wrong value; then, on the same object, with right ones. */
function check({ values, make, expected }: Subject, at: number, wrong: unknown, error: string): void {
  const call = make();
  const right = values();
  const before = right.map((bytes) => bytes.slice());
  const arguments_: unknown[] = [...right];
  arguments_[at] = wrong;
  expect(refusal(() => call(arguments_ as never[]))).toBe(error);
  right.forEach((bytes, i) => expectBytes(bytes, before[i], `after "${error}" argument ${i}`));
  const result = call(right as never[]);
  if (expected) expectBytes(result as Uint8Array, expected, `after "${error}" the result`);
}

onEachEngine(() => {
  describe.each(subjects)('$title', (subject) => {
    const { parameters, values, make, expected } = subject;

    test('wrong types', () => {
      parameters.forEach(({ name, length, optional, orOther }, at) => {
        const wanted = `"${name}" expected Uint8Array${length === undefined || orOther ? '' : ` of length ${length}`}`;
        for (const { value, kind } of wrongTypes(values()[at].length)) {
          if (optional && value === undefined) continue;
          check(subject, at, value, `TypeError: ${wanted}, got type=${kind}${remedies[kind] ?? ''}`);
        }
      });
    });

    test('wrong sizes', () => {
      parameters.forEach(({ name, length }, at) => {
        if (length === undefined) return;
        for (const wrong of [0, 1, length - 1, length + 1, 2 * length + 1]) {
          const error = `RangeError: "${name}" expected Uint8Array of length ${length}, got length=${wrong}`;
          check(subject, at, untouched(wrong), error);
          // A false length does not help: a Liar says 32.
          check(subject, at, new Liar(wrong), error);
        }
      });
    });

    test('bytes whose buffer is detached, or has shrunk below them', () => {
      parameters.forEach(({ name }, at) => {
        const error = `TypeError: "${name}" expected Uint8Array, got one whose buffer is detached or too short`;
        const { length } = values()[at];
        check(subject, at, detached(length), error);
        check(subject, at, detached(0), error);
        const buffer = new ArrayBuffer(length + 8, { maxByteLength: length + 8 });
        const fixed = new Uint8Array(buffer, 8, length);
        const tracking = new Uint8Array(buffer, 8);
        buffer.resize(7);
        check(subject, at, fixed, error);
        check(subject, at, tracking, error);
      });
    });

    test('a subclass that lies is taken at its bytes', () => {
      const result = make()(values().map(liar) as unknown as Values);
      if (expected) expectBytes(truth(result as Uint8Array), expected, 'the result');
    });
  });

  test('hchacha takes words of exact numbers', () => {
    const right = (): Uint32Array[] => [4, 8, 4, 8].map((length) => new Uint32Array(length).fill(7));
    ['constants', 'key', 'input', 'out'].forEach((name, at) => {
      const length = right()[at].length;
      const wanted = `"${name}" expected Uint32Array of length ${length}`;
      const attempt = (value: unknown): string => {
        const values: unknown[] = right();
        const last = values[3] as Uint32Array;
        values[at] = value;
        const error = refusal(() => lanewise.hchacha(...(values as [never, never, never, never])));
        expect([...last]).toEqual([...right()[3]]);
        return error;
      };
      for (const { value, kind } of wrongTypes(length))
        expect(attempt(value)).toBe(
          `TypeError: ${wanted}, got type=${kind}${kind === 'Promise' ? '; did you forget await?' : ''}`,
        );
      expect(attempt(new Uint8Array(length))).toBe(`TypeError: ${wanted}, got type=Uint8Array`);
      for (const wrong of [0, length - 1, length + 1])
        expect(attempt(new Uint32Array(wrong))).toBe(`RangeError: ${wanted}, got length=${wrong}`);
      const gone = new Uint32Array(length);
      structuredClone(gone.buffer, { transfer: [gone.buffer] });
      expect(attempt(gone)).toMatch(/^(Type|Range)Error: "/);
    });
  });

  describe.each(streamNames)('%s: counters', (name) => {
    const cipher = lanewise[name];
    const itsNonce = nonces[cipher.nonceLength];
    const bits = cipher.nonceLength === 12 ? 32 : 64;
    const tooLarge =
      bits === 32 ? [2 ** 32, 2n ** 32n, 2 ** 53, 2n ** 53n, 2n ** 64n] : [2 ** 53, 2n ** 64n, 2n ** 100n];

    test('out of range', () => {
      for (const counter of [-1, -1n, 1.5, NaN, Infinity, -Infinity, ...tooLarge]) {
        const out = untouched(100);
        const hint = bits === 64 && typeof counter === 'number' ? ' (above 2^53 - 1 a bigint)' : '';
        const error = `RangeError: "counter" expected integer from 0 to 2^${bits} - 1${hint}, got ${counter}`;
        expect(refusal(() => cipher(key, itsNonce, data, out, counter))).toBe(error);
        expect(refusal(() => cipher.stream(key, itsNonce, counter))).toBe(error);
        expectBytes(out, untouched(100), 'out');
      }
    });
    test('no numbers', () => {
      for (const [counter, kind] of [
        ['1', 'string'],
        [null, 'null'],
        [true, 'boolean'],
        [{}, 'Object'],
        [new Uint8Array(8), 'Uint8Array'],
        [Symbol('1'), 'symbol'],
      ] as const) {
        const out = untouched(100);
        const error = `TypeError: "counter" expected integer, got type=${kind}`;
        expect(refusal(() => cipher(key, itsNonce, data, out, counter as never))).toBe(error);
        expect(refusal(() => cipher.stream(key, itsNonce, counter as never))).toBe(error);
        const position = error.replace('counter', 'position');
        expect(refusal(() => cipher.stream(key, itsNonce).seek(counter as never))).toBe(position);
        expectBytes(out, untouched(100), 'out');
      }
    });
    test('numbers and bigints are the same counter', () => {
      for (const counter of bits === 32 ? [0, 1, 2 ** 32 - 2] : [0, 1, 2 ** 32, 2 ** 53 - 1]) {
        const answer = cipher(key, itsNonce, data, undefined, BigInt(counter));
        expectBytes(cipher(key, itsNonce, data, undefined, counter), answer, `counter ${counter}`);
      }
      expectBytes(cipher(key, itsNonce, data, undefined, -0), cipher(key, itsNonce, data), 'counter -0');
    });
  });
});

test.each([
  [undefined, 'undefined'],
  [1, 'number'],
  [null, 'null'],
  [new Uint8Array(2), 'Uint8Array'],
  [Promise.resolve('00'), 'Promise; did you forget await?'],
])('hexToBytes(%o)', (value, kind) =>
  expect(refusal(() => hexToBytes(value as never))).toBe(`TypeError: "hex" expected string, got type=${kind}`),
);

test.each([
  ['a', 'got length=1'],
  ['abc', 'got length=3'],
  ['zz', 'got another character at index 0'],
  ['0xab', 'got another character at index 1: leave 0x out'],
  ['0xabc', 'got another character at index 1: leave 0x out'],
  ['ca fe', 'got another character at index 2'],
  [' a', 'got another character at index 0'],
  ['9é', 'got another character at index 1'],
  ['ａａ', 'got another character at index 0'],
  ['cafe\n', 'got another character at index 4'],
])('hexToBytes(%j) says where it is wrong, and not what was in it', (text, got) =>
  expect(refusal(() => hexToBytes(text))).toBe(`RangeError: "hex" expected pairs of hexadecimal digits, ${got}`),
);

test.each([-1, 1.5, NaN, Infinity, 2 ** 53])('randomBytes(%d)', (length) =>
  expect(refusal(() => randomBytes(length))).toBe(`RangeError: "length" expected integer from 0 up, got ${length}`),
);
test.each(['1', 1n, true])('randomBytes(%o)', (length) =>
  expect(refusal(() => randomBytes(length as never))).toBe(
    `TypeError: "length" expected integer, got type=${typeof length}`,
  ),
);
