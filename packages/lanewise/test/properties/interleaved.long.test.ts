// Runs in Node only: asks implementations that only Node can load.
import { expect, test } from 'vitest';
import { expectBytes, refusal } from '../support/bytes.ts';
import { Kit } from '../support/interleaved/kit.ts';
import type { Native } from '../support/interleaved/natives.ts';
import { interleave, interleavedProperties } from '../support/properties-interleaved.ts';
import { testProperties } from '../support/properties-test.ts';

testProperties(
  interleavedProperties([], () => undefined),
  2000,
);

type Call = (input: Uint8Array, out: Uint8Array | undefined) => Uint8Array;
const set = (to: Uint8Array, from: Uint8Array, at = 0): void => Uint8Array.prototype.set.call(to, from, at);
/** How many bytes there are, whatever the array says. */
const lengthOf = (bytes: Uint8Array): number =>
  Reflect.get(Object.getPrototypeOf(Uint8Array.prototype) as object, 'byteLength', bytes) as number;

/** A copy of the input, as all calls are that do something with it. */
function copied(input: Uint8Array, out: Uint8Array | undefined): Uint8Array {
  const bytes = new Uint8Array(lengthOf(input));
  set(bytes, input);
  if (!out) return bytes;
  set(out, bytes);
  return out;
}

test.each<[string, Call | undefined, RegExp | undefined]>([
  ['nothing, if nothing is wrong', copied, undefined],
  [
    'a wrong byte',
    (input, out) => {
      const result = copied(input, out);
      result[lengthOf(input) - 1] ^= 1;
      return result;
    },
    /instead of/,
  ],
  [
    'a changed input',
    (input, out) => {
      const result = copied(input, out);
      if (!out) input[0] ^= 1;
      return result;
    },
    /an argument in/,
  ],
  ['another array than out', (input) => copied(input, undefined), /something else than out/],
  [
    'a byte behind out',
    (input, out) => {
      // Only where the array says where it is.
      const behind = out && out.byteOffset + lengthOf(out);
      if (out && behind! < out.buffer.byteLength && out.constructor === Uint8Array)
        new Uint8Array(out.buffer)[behind!] ^= 1;
      return copied(input, out);
    },
    /all of the room/,
  ],
])('what is seen of a call: %s', (_, call, wanted) => {
  const kit = new Kit(7, []);
  const answers = Array.from({ length: 200 }, () => {
    const input = kit.random.bytes(40);
    return refusal(() => {
      kit.apply('a call', input, 40, input, call!);
      kit.settle();
    });
  });
  if (wanted) expect(answers.some((answer) => wanted.test(answer))).toBe(true);
  else expect(new Set(answers)).toEqual(new Set(['nothing was refused']));
});

test('what native code says is compared, at the end of a world', () => {
  const asked: string[] = [];
  const native = (wrong: boolean): Native => ({
    name: 'a program',
    answers: ({ mode }) => mode === 'ctr',
    ask: (questions) =>
      questions.map(({ mode, text }) => {
        asked.push(mode);
        return wrong ? text : new Uint8Array(0);
      }),
  });
  expect(refusal(() => interleave(3, 400, [native(true)]))).toMatch(/ctr, by a program: \d+ bytes instead of/);
  expect(new Set(asked)).toEqual(new Set(['ctr']));
});

test('a seed gives the same objects and bytes each time', () => {
  expect(interleave(11, 150, [])).toBe(interleave(11, 150, []));
  const [one, two] = [new Kit(5, []), new Kit(5, [])];
  expectBytes(one.random.bytes(100), two.random.bytes(100), 'bytes');
});
