/**
 * After every call, whether it returned or threw, the linear memory of every instance equals its state after instantiation:
 * there is no key, no message, no chaining value and no output in it. Every byte is compared.
 */
import { beforeEach, expect, test } from 'vitest';
import { blake3Instance } from '../../src/blake3/binding.ts';
import { blake3, hashMany, merge, root, subtree, type Blake3 } from '../../src/blake3.ts';
import { detached, range } from '../support/bytes.ts';
import { modeNames, modes } from '../support/blake3.ts';
import { onEachEngine } from '../support/engines.ts';
import { Memories, pattern, whileThrowing } from '../support/wiped.ts';

/** Lengths around those of blocks, chunks, four lanes, the gathered bytes and the stage. */
const LENGTHS = [
  0, 1, 63, 64, 65, 128, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 3000, 3073, 4096, 4097, 5121, 8192, 12_289, 16_383,
  16_384, 16_385, 17_408, 20_000, 32_768, 40_001, 65_535, 65_536, 65_537, 131_072, 131_073, 300_000,
];
const OUTPUTS = [1, 32, 63, 64, 65, 128, 300, 1000, 1025, 2048, 2049, 4000, 16_385, 65_500, 65_536, 65_537, 200_000];

const message = pattern(300_000, 7);
const whole = (length: number): Uint8Array => message.subarray(0, length);

let memories: Memories;
const expectWiped: Memories['expectWiped'] = (...values) => memories.expectWiped(...values);
const expectFailure: Memories['expectFailure'] = (...values) => memories.expectFailure(...values);

onEachEngine((engine) => {
  beforeEach(() => {
    memories = new Memories({ short: blake3Instance(0), long: blake3Instance(1e6) });
    // Bytes that are there from the start are not secret: they are masks and the initial value.
    for (const { initial } of memories.watched)
      expect(initial.filter((byte) => byte !== 0).length).toBeLessThanOrEqual(160);
    if (engine === 'js') expect(memories.watched.length).toBe(1);
  });

  test.each(modeNames)('%s', (name) => {
    const mode = modes[name];
    for (const length of LENGTHS) {
      const what = (call: string): string => `${call}, ${length} bytes`;
      const fresh = (): Blake3 => blake3.create(mode).update(whole(length));
      blake3(whole(length), mode);
      expectWiped(what('one call'));
      blake3(whole(length), { ...mode, dkLen: 200 });
      expectWiped(what('one call to 200 bytes'));
      const hasher = blake3.create(mode);
      expectWiped('create');
      hasher.update(whole(length));
      expectWiped(what('update'));
      hasher.update(whole(777)).update(whole(length));
      expectWiped(what('more updates'));
      hasher.peek();
      expectWiped(what('peek'));
      hasher.peek(1000);
      expectWiped(what('peek of 1000 bytes'));
      hasher.clone().digest();
      expectWiped(what('clone and digest'));
      blake3.load(hasher.save()).digestInto(new Uint8Array(32));
      expectWiped(what('save, load and digestInto'));
      hasher.xof(100);
      expectWiped(what('xof'));
      hasher.seek(12_345).xof(5000);
      expectWiped(what('seek and xof'));
      hasher.reset();
      expectWiped(what('reset'));
      hasher.update(whole(length)).destroy();
      expectWiped(what('destroy'));
      fresh().digest();
      expectWiped(what('digest'));
      const gone = fresh();
      gone.xof(10);
      gone.destroy();
      expectWiped(what('xof and destroy'));
    }
  });

  test.each(modeNames)('output, %s', (name) => {
    for (const length of OUTPUTS) {
      const hasher = blake3.create(modes[name]).update(whole(2000));
      for (const position of [0, 1, 63, 64, 100, 2 ** 38 - 64]) {
        hasher.seek(position).xof(length);
        expectWiped(`${length} bytes from ${position}`);
      }
      blake3(whole(2000), { ...modes[name], dkLen: length });
      expectWiped(`one call to ${length} bytes`);
    }
  });

  test.each(modeNames)('many at once, %s', (name) => {
    for (const dkLen of [32, 100])
      for (const count of [0, 1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 130])
        for (const length of [0, 1, 64, 65, 1000, 1024, 1025]) {
          hashMany(
            Array.from({ length: count }, (_, i) => whole(length - (i % 3 ? 0 : length >> 1))),
            { ...modes[name], dkLen },
          );
          expectWiped(`${count} of ${length} bytes`);
        }
  });

  test.each(modeNames)('parts, %s', (name) => {
    for (const size of [1024, 2048, 16_384, 65_536]) {
      const parts = range(0, 4).map((i) => {
        const part = subtree(message.subarray(i * size, (i + 1) * size), { ...modes[name], offset: i * size });
        expectWiped(`a part of ${size} bytes`);
        return part;
      });
      const halves = [merge(parts[0], parts[1]), merge(parts[2], parts[3])];
      expectWiped('merge');
      root(halves[0], halves[1], 100);
      expectWiped('root');
    }
  });

  test('what is refused', () => {
    for (const { key, context } of modeNames.map((name) => modes[name])) {
      const mode = key ? { key } : context === undefined ? {} : { context };
      const hasher = blake3.create(mode).update(whole(5000));
      expectFailure('a string', () => blake3('x' as never, mode), /TypeError/);
      expectFailure('an update with a string', () => hasher.update('x' as never), /TypeError/);
      expectFailure('a detached message', () => blake3(detached(100), mode), /TypeError/);
      expectFailure('a detached update', () => hasher.update(detached(100)), /TypeError/);
      expectFailure('a list with a string', () => hashMany([whole(5), 'x' as never], mode), /TypeError/);
      expectFailure('short out', () => hasher.digestInto(new Uint8Array(31)), /RangeError/);
      expectFailure('no length', () => hasher.xof(-1), /RangeError/);
      expectFailure('past the end', () => hasher.seek(2n ** 64n - 5n).xof(6), /RangeError/);
      hasher.digest();
      expectFailure('a second digest', () => hasher.digest(), /after digest/);
    }
    expectFailure('a short key', () => blake3(whole(5), { key: whole(31) }), /RangeError/);
    expectFailure('key and context', () => blake3(whole(5), { key: whole(32), context: 'x' }), /both/);
    expectFailure('a wrong state', () => blake3.load(whole(100)), /RangeError/);
  });

  test.each(['before', 'after'] as const)('what throws %s the kernel has run', (time) => {
    const calls: Readonly<Record<string, (length: number) => unknown>> = {
      'one call': (length) => blake3(whole(length), modes.keyed_hash),
      derived: (length) => blake3(whole(length), modes.derive_key),
      update: (length) => blake3.create(modes.keyed_hash).update(whole(length)).digest(),
      output: (length) => blake3.create(modes.keyed_hash).update(whole(length)).xof(length),
      many: (length) => hashMany([whole(length), whole(length)], modes.keyed_hash),
    };
    whileThrowing([blake3Instance(0), blake3Instance(1e6)], time, () => {
      for (const [name, call] of Object.entries(calls))
        for (const length of LENGTHS.filter((n) => n > 0))
          expectFailure(`${name}, ${length} bytes`, () => call(length), /planted/);
    });
  });

  test('the search would find what is left', () => memories.expectClose());
});
