/**
 * The stack overflows within a call, at every place where it can. Afterwards the object is unchanged, or it refuses; it never
 * goes on with only a part of its input.
 */
import { expect, test } from 'vitest';
import { blake3, rootXof, subtree, TreeBuilder, type Blake3 } from '../../src/blake3.ts';
import { expectBytes, range, refusal, sample } from '../support/bytes.ts';
import { expected, key } from '../support/blake3.ts';
import { onEachEngine } from '../support/engines.ts';
import { overflowing } from '../support/stack.ts';

const message = sample(250_000, 720);
const [first, rest] = [message.subarray(0, 50_000), message.subarray(50_000)];
const other = message.subarray(0, 3000);
const POSITION = 1234;
const OUTPUT = 70_000;

const output = expected(first, 'keyed_hash', POSITION + OUTPUT).subarray(POSITION);
const [ofFirst, ofAll, ofOther] = [first, message, other].map((bytes) => expected(bytes, 'keyed_hash'));

const cannotUse = (after: string): string => `Error: cannot use Blake3 after ${after}`;
const HALF_WAY = cannotUse('a call that threw half-way; make another or reset() it');

onEachEngine(() => {
  /**
   * Lets the stack overflow in `work`. The object then passes `use` like an object that was left alone, or refuses; after a
   * reset it hashes another message. Returns the number of refusals.
   */
  function refusals(work: (hasher: Blake3) => unknown, refused: string, use: (hasher: Blake3) => void): number {
    let count = 0;
    const overflows = overflowing({
      make: () => blake3.create({ key }).update(first),
      work,
      check(hasher, what) {
        const answer = refusal(() => use(hasher));
        if (answer !== 'nothing was refused') {
          expect(answer, what).toBe(refused);
          count++;
        }
        if (refused === HALF_WAY) expectBytes(hasher.reset().update(other).digest(), ofOther, 'after reset()');
      },
    });
    expect(overflows).toBeGreaterThan(0);
    return count;
  }

  test('update: the object is whole or refuses, and can be reset', () => {
    const count = refusals(
      (hasher) => hasher.update(rest),
      HALF_WAY,
      (hasher) => expectBytes(hasher.update(rest).peek(), ofAll, 'the digest of all'),
    );
    expect(count).toBeGreaterThan(0);
  });

  test('reset: the object is whole or refuses, and can be reset', () => {
    const use = (hasher: Blake3): void => expectBytes(hasher.peek(), ofFirst, 'the digest');
    refusals((hasher) => hasher.reset(), HALF_WAY, use);
  });

  test.each<[string, (hasher: Blake3) => unknown]>([
    ['peek', (hasher) => hasher.peek(OUTPUT)],
    ['clone', (hasher) => hasher.clone()],
    ['save', (hasher) => hasher.save()],
    ['seek', (hasher) => hasher.seek(0)],
  ])('%s: changes nothing', (_, work) => {
    const count = refusals(work, HALF_WAY, (hasher) => expectBytes(hasher.peek(), ofFirst, 'the digest'));
    expect(count).toBe(0);
  });

  test.each<[string, (hasher: Blake3) => unknown]>([
    ['digest()', (hasher) => hasher.digest()],
    ['destroy()', (hasher) => hasher.destroy()],
    ['xof()', (hasher) => hasher.xof(OUTPUT)],
  ])('%s: the object is whole or has ended', (name, work) => {
    refusals(work, cannotUse(name), (hasher) => expectBytes(hasher.update(rest).digest(), ofAll, 'the digest of all'));
  });

  test.each([true, false])('output goes on where it was, whether it had begun: %s', (begun) => {
    const overflows = overflowing({
      make() {
        const hasher = blake3.create({ key }).update(first);
        if (begun) hasher.xof(POSITION);
        else hasher.seek(POSITION);
        return hasher;
      },
      work: (hasher) => hasher.xof(OUTPUT),
      check: (hasher) => expectBytes(hasher.xof(OUTPUT), output, 'the output'),
    });
    expect(overflows).toBeGreaterThan(0);
  });

  test('a tree builder has a part or has it not, or refuses', () => {
    const parts = range(0, 8).map((i) =>
      subtree(message.subarray(1024 * i, 1024 * (i + 1)), { offset: 1024 * i, key }),
    );
    const wanted = expected(message.subarray(0, 8192), 'keyed_hash');
    const overflows = overflowing({
      make() {
        const builder = new TreeBuilder();
        for (const i of [0, 1, 2, 3, 4, 5, 7]) builder.add(parts[i]);
        return builder;
      },
      work: (builder) => builder.add(parts[6]),
      check(builder) {
        const answer = refusal(() => expectBytes(builder.add(parts[6]).digest(), wanted, 'the digest'));
        const refused = 'Error: cannot use a TreeBuilder after an add that threw half-way; make another';
        if (answer !== 'nothing was refused') expect(answer).toBe(refused);
      },
    });
    expect(overflows).toBeGreaterThan(0);
  });

  test('output of a root over two parts goes on where it was', () => {
    const half = (offset: number) => subtree(message.subarray(offset, offset + 1024), { offset, key });
    const wanted = expected(message.subarray(0, 2048), 'keyed_hash', OUTPUT);
    const overflows = overflowing({
      make: () => rootXof(half(0), half(1024)),
      work: (root) => root.xof(OUTPUT),
      check: (root) => expectBytes(root.xof(OUTPUT), wanted, 'the output'),
    });
    expect(overflows).toBeGreaterThan(0);
  });
});
