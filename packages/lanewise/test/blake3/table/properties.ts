/** Properties of BLAKE3. */
import { blake3 as noble } from '@noble/hashes/blake3.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  blake3,
  hashMany,
  maxSubtreeLength,
  root,
  subtree,
  TreeBuilder,
  type Blake3Options,
} from '../../../src/blake3.ts';
import { select } from '../../../src/engine.ts';
import { expected, modeNames, modes, type ModeName } from '../../support/blake3.ts';
import { expectBytes, sample } from '../../support/bytes.ts';
import { engines } from '../../support/engines.ts';
import { lengths, onAllEngines, property, seeds, type Property } from '../../support/properties.ts';

const encoder = new TextEncoder();
const cases = fc.record({
  seed: seeds,
  mode: fc.constantFrom(...modeNames),
  length: lengths(70_000),
  offset: fc.integer({ min: 0, max: 15 }),
  dkLen: fc.oneof(
    { weight: 3, arbitrary: fc.constant(32) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }) },
  ),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

interface Hashed {
  readonly message: Uint8Array;
  readonly options: Blake3Options;
  /** Output from the start, by another implementation. */
  readonly output: (length: number) => Uint8Array;
}

function hashed({ seed, mode, length, offset, dkLen }: Case): Hashed {
  const message = new Uint8Array(length + offset).subarray(offset);
  message.set(sample(length, seed));
  const [key, context] = [sample(32, seed + 1), `context ${seed} – ключ ✓`];
  const own = { hash: {}, keyed_hash: { key }, derive_key: { context } }[mode];
  const theirs = { hash: {}, keyed_hash: { key }, derive_key: { context: encoder.encode(context) } }[mode];
  return { message, options: { ...own, dkLen }, output: (n) => noble(message, { ...theirs, dkLen: n }) };
}

const oneCall = property('BLAKE3 gives what another implementation gives', 10, cases, (c) => {
  const { message, options, output } = hashed(c);
  const expected = output(c.dkLen);
  onAllEngines((engine) => {
    expectBytes(blake3(message, options), expected, `${engine} one call`);
    expectBytes(blake3.create(options).update(message).digest(), expected, `${engine} one update`);
  });
});

type Step =
  | { readonly kind: 'update'; readonly part: number }
  | { readonly kind: 'engine'; readonly engine: (typeof engines)[number] }
  | { readonly kind: 'clone' | 'save' | 'peek' };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('update' as const), part: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('engine' as const), engine: fc.constantFrom(...engines) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('clone' as const, 'save' as const, 'peek' as const) }) },
  ),
  { maxLength: 10 },
);
const reads = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 200 })), { maxLength: 4 });

const pieces = property(
  'a message in pieces, cloned, saved and on changing engines, and its output from anywhere',
  8,
  fc.tuple(cases, steps, reads),
  ([c, list, wanted]) => {
    const { message, options, output } = hashed(c);
    let hasher = blake3.create(options);
    let done = 0;
    for (const step of list) {
      if (step.kind === 'update') {
        const end = done + (step.part % (message.length - done + 1));
        hasher.update(message.subarray(done, end));
        done = end;
      } else if (step.kind === 'engine') select(step.engine);
      else if (step.kind === 'save') hasher = blake3.load(hasher.save());
      else if (step.kind === 'peek') hasher.peek();
      else {
        const twin = hasher.clone();
        hasher.update(sample(100, 1)).destroy();
        hasher = twin;
      }
      expect(hasher.count).toBe(done);
    }
    hasher.update(message.subarray(done));
    const long = output(700);
    expectBytes(hasher.peek(), long.subarray(0, c.dkLen), 'peek');
    for (const [position, length] of wanted)
      expectBytes(hasher.seek(position).xof(length), long.subarray(position, position + length), `from ${position}`);
    if (!wanted.length) expectBytes(hasher.digest(), long.subarray(0, c.dkLen), 'digest');
  },
);

const many = property(
  'many messages side by side are hashed like one',
  4,
  fc.record({
    seed: seeds,
    mode: fc.constantFrom<ModeName>(...modeNames),
    lengths: fc.oneof(
      fc.array(fc.integer({ min: 0, max: 1100 }), { maxLength: 12 }),
      fc
        .tuple(fc.integer({ min: 0, max: 1030 }), fc.integer({ min: 1, max: 70 }))
        .map(([n, count]) => Array<number>(count).fill(n)),
    ),
    dkLen: fc.constantFrom(1, 32, 33),
  }),
  ({ seed, mode, lengths: list, dkLen }) => {
    const options = { ...modes[mode], dkLen };
    const messages = list.map((length, i) => sample(length, seed + i));
    const wanted = messages.map((message) => expected(message, mode, dkLen));
    onAllEngines((engine) => {
      const digests = hashMany(messages, options);
      expect(digests.length).toBe(messages.length);
      digests.forEach((digest, i) => expectBytes(digest, wanted[i], `${engine} message ${i}`));
    });
  },
);

/** The parts that some ways to cut a message at the borders of its tree make. */
function cut(offset: number, length: number, choices: readonly boolean[], taken = { count: 0 }): [number, number][] {
  if (length <= 1024 || choices[taken.count++ % choices.length]) return [[offset, length]];
  let left = 1024;
  while (2 * left < length) left *= 2;
  return [...cut(offset, left, choices, taken), ...cut(offset + left, length - left, choices, taken)];
}

const trees = property(
  'parts of a message, in any order, are put together to its hash',
  1,
  fc.record({
    c: cases,
    more: fc.integer({ min: 1025, max: 20_000 }),
    choices: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    order: fc.array(fc.nat(), { maxLength: 20 }),
  }),
  ({ c, more, choices, order }) => {
    const { message, options, output } = hashed({ ...c, length: more });
    const { dkLen: _, ...mode } = options;
    let left = 1024;
    while (2 * left < more) left *= 2;
    const spans = [...cut(0, left, choices), ...cut(left, more - left, choices)];
    const shuffled = spans.map((span, i) => ({ span, at: order.length ? order[i % order.length] : i }));
    shuffled.sort((a, b) => a.at - b.at);
    onAllEngines((engine) => {
      const builder = new TreeBuilder();
      for (const { span } of shuffled) {
        const [offset, length] = span;
        expect(length).toBeLessThanOrEqual(maxSubtreeLength(offset));
        builder.add(subtree(message.subarray(offset, offset + length), { ...mode, offset }));
      }
      expectBytes(builder.digest(c.dkLen), output(c.dkLen), `${engine} of ${spans.length} parts`);
      if (spans.length !== 2) return;
      const [first, second] = spans.map(([offset, length]) =>
        subtree(message.subarray(offset, offset + length), { ...mode, offset }),
      );
      expectBytes(root(first, second, c.dkLen), output(c.dkLen), `${engine} root`);
    });
  },
);

export const properties: readonly Property[] = [oneCall, pieces, many, trees];

/** How many cases the tests draw; `npm run fuzz` draws as many as there is time for. */
export const CASES = 25_000;
