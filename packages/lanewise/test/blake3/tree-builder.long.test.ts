/** Parts of a message in any order, as many as a large download has; and parts that do not belong together. */
// Runs in browsers, too: engines compile the same kernels differently.
import { blake3 as noble } from '@noble/hashes/blake3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxSubtreeLength, merge, root, subtree, subtreeFrom, TreeBuilder, type Subtree } from '../../src/blake3.ts';
import { expectBytes, hex, range, refusal, sample } from '../support/bytes.ts';

const CHUNK = 1024;

describe('parts in every order', () => {
  const zeros = new Uint8Array(CHUNK);
  const partsOf = (count: number): Subtree[] => range(0, count).map((i) => subtree(zeros, { offset: i * CHUNK }));
  const digestOf = (count: number, place: (i: number) => number): string => {
    const parts = partsOf(count);
    const builder = new TreeBuilder();
    for (let i = 0; i < count; i++) builder.add(parts[place(i)]);
    expect(builder.size).toBe(2);
    return hex(builder.digest());
  };

  const SOME = 2 ** 14;
  /** `head -c 16777216 /dev/zero | b3sum`, b3sum 1.2.0 */
  const DIGEST_OF_SOME = 'b4834959bc889fed1abf3c45d5da0e384134386a4b2786cc5dbb9fe8fa853bbb';
  const bits = Math.log2(SOME);
  test.each<[string, (i: number) => number]>([
    ['in order', (i) => i],
    ['in reverse', (i) => SOME - 1 - i],
    ['every second one first', (i) => (i < SOME / 2 ? 2 * i + 1 : 2 * i - SOME)],
    ['by their reversed bits', (i) => range(0, bits).reduce((n, bit) => n | (((i >> bit) & 1) << (bits - 1 - bit)), 0)],
    ['from both ends to the middle', (i) => (i % 2 ? SOME - 1 - (i >> 1) : i >> 1)],
  ])('%s', (_, place) => expect(digestOf(SOME, place)).toBe(DIGEST_OF_SOME));

  // If each part were searched for among all others, or moved them, this would exceed the time limit of a test.
  test('a quarter of a million parts in random order', () => {
    const MANY = 2 ** 18;
    const order = Uint32Array.from({ length: MANY }, (_, i) => i);
    const words = new Uint32Array(sample(4 * MANY, 711).buffer);
    for (let i = MANY - 1; i > 0; i--) {
      const other = words[i] % (i + 1);
      [order[i], order[other]] = [order[other], order[i]];
    }
    // `head -c 268435456 /dev/zero | b3sum`, b3sum 1.2.0
    expect(digestOf(MANY, (i) => order[i])).toBe('9216a60cba88b32b18349b83c57c22d2e3b514a9720916952e214e5fc065c538');
  });
});

test('output of any length', () => {
  const message = sample(5 * CHUNK + 1, 712);
  const builder = new TreeBuilder();
  expect(() => builder.xof()).toThrow('need at least two parts, got 0');
  for (const [from, to] of [[4 * CHUNK, 5 * CHUNK], [0, 4 * CHUNK], [5 * CHUNK]])
    builder.add(subtree(message.subarray(from, to), { offset: from }));
  const output = builder.xof();
  expectBytes(output.xof(100), noble(message, { dkLen: 100 }), 'from its start');
  expectBytes(output.seek(70_000).xof(77), noble(message, { dkLen: 70_077 }).subarray(70_000), 'further on');
});

/** A slow model of `TreeBuilder`, which compares each part with all others. */
class Model {
  parts: { readonly offset: number; readonly length: number }[] = [];

  add(part: { readonly offset: number; readonly length: number }): string {
    const end = part.offset + part.length;
    if (this.parts.some((kept) => kept.offset < end && part.offset < kept.offset + kept.length))
      return `RangeError: "part" expected bytes that no other part has, got offset=${part.offset}`;
    this.parts.push(part);
    this.parts.sort((a, b) => a.offset - b.offset);
    while (this.#mergeOne());
    return 'nothing was refused';
  }

  /** Two whole siblings become one part, unless no other part is left. */
  #mergeOne(): boolean {
    const { parts } = this;
    if (parts.length === 2 && parts[0].offset === 0) return false;
    const at = parts.findIndex(({ offset, length }, i) => {
      const whole = Number.isInteger(Math.log2(length / CHUNK)) && offset % (2 * length) === 0;
      return whole && parts[i + 1]?.offset === offset + length && parts[i + 1].length === length;
    });
    if (at < 0) return false;
    const { offset, length } = parts[at];
    parts.splice(at, 2, { offset, length: 2 * length });
    return true;
  }

  digest(): string {
    let end = 0;
    for (const { offset, length } of this.parts) {
      if (offset !== end) return `Error: cannot hash: bytes from ${end} to ${offset} are missing`;
      end += length;
    }
    if (this.parts.length < 2)
      return `Error: cannot hash: need at least two parts, got ${this.parts.length}; use blake3() for a whole message`;
    return '';
  }
}

const chainingValue = sample(32, 712);
const part = (offset: number, length: number): Subtree => subtreeFrom({ chainingValue, offset, length });

test('parts that overlap, and parts that are missing, are refused as the rules say', () => {
  const places = fc
    .tuple(fc.oneof(fc.nat(20), fc.constantFrom(64, 65, 2 ** 32, 2 ** 42 + 3)), fc.nat(), fc.nat(5))
    .map(([chunk, length, kind]) => {
      const offset = chunk * CHUNK;
      const most = Math.min(maxSubtreeLength(offset), 40 * CHUNK);
      // Mostly whole nodes; otherwise any length, as only the last part of a message may have.
      if (kind) return { offset, length: Math.min(most, CHUNK * 2 ** (length % 6)) };
      return { offset, length: 1 + (length % most) };
    });
  let refused = 0;
  fc.assert(
    fc.property(fc.array(places, { maxLength: 60 }), (list) => {
      const [builder, model] = [new TreeBuilder(), new Model()];
      for (const { offset, length } of list) {
        const answer = refusal(() => builder.add(part(offset, length)));
        expect(answer).toBe(model.add({ offset, length }));
        expect(builder.size).toBe(model.parts.length);
        if (answer.startsWith('RangeError')) refused++;
      }
      const answer = refusal(() => builder.digest());
      const wanted = model.digest();
      // Without a gap, only a part in the midst of the message that isn't a whole node can be wrong.
      if (wanted) expect(answer).toBe(wanted);
      else expect(answer).toMatch(/^nothing was refused$|^RangeError: "(left|right)" expected/);
    }),
    { numRuns: 3000, seed: 713 },
  );
  expect(refused).toBeGreaterThan(1000);
});

describe('parts of several modes', () => {
  const bytes = sample(3 * CHUNK, 714);
  const [key, other] = [sample(32, 715), sample(32, 716)];
  const of = (i: number, options: object): Subtree =>
    subtree(bytes.subarray(i * CHUNK, (i + 1) * CHUNK), { offset: i * CHUNK, ...options });

  test.each<[string, object]>([
    ['no key', {}],
    ['another key', { key: other }],
    ['a context', { context: 'another mode' }],
  ])('%s: refused when it is added, and the builder goes on without it', (_, options) => {
    const builder = new TreeBuilder().add(of(0, { key }));
    for (const i of [1, 2]) {
      expect(refusal(() => builder.add(of(i, options)))).toBe('Error: cannot merge parts of different modes');
      expect(builder.size).toBe(1);
    }
    builder.add(of(2, { key })).add(of(1, { key }));
    expectBytes(builder.digest(), noble(bytes, { key }), 'the digest of the parts of one mode');
  });
});

test('parts whose chaining value was given away are refused', () => {
  const bytes = sample(3 * CHUNK, 717);
  const parts = range(0, 3).map((i) => subtree(bytes.subarray(i * CHUNK, (i + 1) * CHUNK), { offset: i * CHUNK }));
  const builder = new TreeBuilder().add(parts[2]).add(parts[1]);
  structuredClone(parts[1].chainingValue.buffer, { transfer: [parts[1].chainingValue.buffer] });
  const wanted = /^TypeError: "chainingValue" expected Uint8Array/;
  expect(refusal(() => merge(parts[0], parts[1]))).toMatch(wanted);
  expect(refusal(() => root(parts[0], parts[1]))).toMatch(wanted);
  expect(refusal(() => builder.add(parts[0]))).toMatch(wanted);
  const after = 'Error: cannot use a TreeBuilder after an add that threw half-way; make another';
  expect(refusal(() => builder.add(parts[0]))).toBe(after);
  expect(refusal(() => builder.digest())).toBe(after);
});
