/** Mistakes that other implementations of BLAKE3 have made, and that this one must not make. */
import { describe, expect, test } from 'vitest';
import { blake3Instance } from '../../src/blake3/binding.ts';
import { blake3, hashMany, merge, root, rootXof, subtree } from '../../src/blake3.ts';
import { atOffset, concat, expectBytes, range, refusal, sample } from '../support/bytes.ts';
import { digestsOfPrefixes, expected, key, modeNames, modes, piecesOf } from '../support/blake3.ts';
import { onEachEngine } from '../support/engines.ts';

const MEBIBYTE = 2 ** 20;
const message = sample(16 * MEBIBYTE, 601);
const whole = (length: number): Uint8Array => message.subarray(0, length);

const large = [
  MEBIBYTE - 1,
  MEBIBYTE,
  MEBIBYTE + 1,
  1.5 * MEBIBYTE,
  4 * MEBIBYTE + 1,
  5 * MEBIBYTE + 77,
  16 * MEBIBYTE,
];
const digestsOfLarge = digestsOfPrefixes(message, large);
const keyedLarge = digestsOfPrefixes(message.subarray(0, 5 * MEBIBYTE + 77), [5 * MEBIBYTE + 77], 'keyed_hash');

/** Lengths of 1 to 62 bytes below a multiple of four chunks, and their neighbours. */
const bands = [1, 2, 3, 4, 5, 8, 12, 16, 17, 32].flatMap((n) => range(4096 * n - 66, 4096 * n + 3));
const digestsOfBands = digestsOfPrefixes(message, bands);

onEachEngine((engine) => {
  test('digests of more than 64 bytes are right after more than one chunk, in every mode', () => {
    for (const name of modeNames)
      for (const length of [1024, 1025, 2048, 2049, 3072, 5000, 16_385, 31_744, 70_000]) {
        const long = expected(whole(length), name, 300);
        for (const dkLen of [64, 65, 131, 300]) {
          const options = { ...modes[name], dkLen };
          const what = `${name}, ${length} bytes to ${dkLen}`;
          expectBytes(blake3(whole(length), options), long.subarray(0, dkLen), what);
          expectBytes(
            blake3.create(options).update(whole(length)).digest(),
            long.subarray(0, dkLen),
            `${what}, streamed`,
          );
          expectBytes(
            blake3.create(modes[name]).update(whole(length)).xof(dkLen),
            long.subarray(0, dkLen),
            `${what}, xof`,
          );
        }
      }
  });

  test('a second digest, and bytes after the first, are refused or right, never wrong', () => {
    for (const length of [0, 10, 1024, 1025, 5000, 40_000]) {
      const hasher = blake3.create().update(whole(length));
      const digest = expected(whole(length));
      for (const way of ['first', 'second']) expectBytes(hasher.peek(), digest, `the ${way} look`);
      hasher.update(whole(10));
      expectBytes(hasher.peek(), expected(concat(whole(length), whole(10))), 'after ten bytes more');
      hasher.digest();
      for (const use of [
        () => hasher.digest(),
        () => hasher.update(whole(1)),
        () => hasher.xof(1),
        () => hasher.peek(),
      ])
        expect(refusal(use)).toBe('Error: cannot use Blake3 after digest()');
    }
  });

  test('a key at any place of its buffer is a key', () => {
    for (const offset of [1, 2, 3, 5, 30]) {
      const shifted = { key: atOffset(offset, key) };
      expectBytes(blake3(whole(3000), shifted), expected(whole(3000), 'keyed_hash'), `${offset}`);
      expectBytes(blake3.create(shifted).update(whole(9)).digest(), expected(whole(9), 'keyed_hash'), `${offset}`);
    }
  });

  test('strings and ArrayBuffers are refused, not hashed as zeros', () => {
    for (const wrong of ['hello', message.buffer, [1, 2, 3], new Uint32Array(4), undefined] as unknown as Uint8Array[])
      for (const use of [() => blake3(wrong), () => blake3.create().update(wrong), () => hashMany([wrong])])
        expect(refusal(use)).toMatch(/^TypeError: ".*" expected Uint8Array, got type=/);
  });

  test('updates of more than 1 MiB, and messages of 16 MiB', () => {
    for (const length of large) {
      expectBytes(blake3(whole(length)), digestsOfLarge.get(length)!, `${length} bytes in one call`);
      const hasher = blake3.create().update(whole(length));
      expectBytes(hasher.digest(), digestsOfLarge.get(length)!, `${length} bytes in one update`);
    }
    const [[length, digest]] = keyedLarge;
    expectBytes(blake3(whole(length), { key }), digest, 'keyed, in one call');
    expectBytes(
      blake3.create({ key }).update(whole(5)).update(message.subarray(5, length)).digest(),
      digest,
      'and in two',
    );
  });

  test('output of more than 16 KiB is as long as it was asked for', () => {
    for (const name of modeNames) {
      const long = expected(whole(2000), name, 150_000);
      for (const dkLen of [16_383, 16_384, 16_385, 65_536, 65_537, 150_000])
        expectBytes(blake3(whole(2000), { ...modes[name], dkLen }), long.subarray(0, dkLen), `${name} to ${dkLen}`);
    }
    const mebibyte = blake3(whole(2000), { dkLen: MEBIBYTE });
    expect(mebibyte).toHaveLength(MEBIBYTE);
    const hasher = blake3.create().update(whole(2000));
    const pieces = range(0, 64).map(() => hasher.xof(MEBIBYTE / 64));
    expectBytes(concat(...pieces), mebibyte, '1 MiB in pieces');
  });

  test('lengths in the 62 bytes below a multiple of 4 KiB', () => {
    for (const length of bands) {
      expectBytes(blake3(whole(length)), digestsOfBands.get(length)!, `${length} bytes`);
      const hasher = blake3.create().update(whole(length - 62));
      expectBytes(
        hasher.update(message.subarray(length - 62, length)).digest(),
        digestsOfBands.get(length)!,
        'streamed',
      );
    }
  });

  test('a stream takes more than 103,424 bytes, and an error locks nothing', () => {
    const hasher = blake3.create();
    for (const piece of piecesOf(whole(MEBIBYTE), 10_000)) {
      hasher.update(piece);
      refusal(() => hasher.update('x' as never));
      refusal(() => blake3('x' as never));
    }
    expectBytes(hasher.digest(), digestsOfLarge.get(MEBIBYTE)!, '1 MiB');
  });

  test('in a list of messages each has the key, whatever the others are', () => {
    const lengths = [70_000, 3, 70_001, 1024, 1025, 3, 0, 66_000, 64];
    for (const name of modeNames)
      for (const dkLen of [32, 64, 65, 200]) {
        const digests = hashMany(lengths.map(whole), { ...modes[name], dkLen });
        lengths.forEach((length, i) =>
          expectBytes(
            digests[i],
            expected(whole(length), name, dkLen),
            `${name}, number ${i}, ${length} bytes to ${dkLen}`,
          ),
        );
      }
  });

  test('an output of a root takes no key away from the parts it is made of', () => {
    for (const name of modeNames) {
      const part = (at: number) => subtree(message.subarray(at, at + 1024), { ...modes[name], offset: at });
      const [left, right] = [merge(part(0), part(1024)), merge(part(2048), part(3072))];
      const digest = expected(whole(4096), name);
      for (const end of ['destroy', 'reset and digest']) {
        const output = rootXof(left, right);
        expectBytes(output.xof(32), digest, name);
        if (end === 'destroy') output.destroy();
        else output.reset().digest();
        expectBytes(root(left, right), digest, `${name}, after ${end}`);
      }
    }
  });

  test('the number of a chunk has more than 32 bits', () => {
    const [first, second, third] = [2n ** 32n, 2n ** 33n, 2n ** 32n + 16n].map((chunks) => {
      const state = blake3.create().update(whole(16_385)).save();
      const bits = chunks.toString(2).replaceAll('0', '').length;
      new DataView(state.buffer).setBigUint64(8, chunks, true);
      state[2] = bits;
      const values = new Uint8Array(32 * bits).fill(7);
      return blake3.load(concat(state.subarray(0, 64), values, state.subarray(-1))).digest();
    });
    const low = blake3.create().update(whole(16_384)).update(whole(1)).digest();
    const different = new Set([first, second, third, low].map((digest) => Buffer.from(digest).toString('hex')));
    expect(different.size).toBe(4);
  });

  test('linear memory does not grow with messages', () => {
    const memories = (): number[] => [0, 1e6].map((length) => blake3Instance(length).memory.length);
    const before = memories();
    blake3(message);
    blake3(message, { key, dkLen: MEBIBYTE });
    expect(memories()).toEqual(before);
    // Native code reserves addresses for subtrees of 2 MiB, and touches a stage of 64 KiB.
    expect(Math.max(...before)).toBeLessThanOrEqual(engine === 'native' ? 4 * MEBIBYTE : 256 * 1024);
  });

  describe('a living object never keeps others from working', () => {
    test('300 of them', () => {
      const hashers = range(0, 300).map((i) => blake3.create({ key: sample(32, i) }));
      for (const end of [1, 1500, 2000]) hashers.forEach((hasher, i) => hasher.update(message.subarray(i, i + end)));
      hashers.forEach((hasher, i) => {
        const all = concat(...[1, 1500, 2000].map((end) => message.subarray(i, i + end)));
        expectBytes(hasher.digest(), blake3(all, { key: sample(32, i) }), `number ${i}`);
      });
    });
  });
});
