/** Streams and incremental MACs: pieces of any lengths give the result of one call, up to the end of the counter. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as lanewise from '../../src/chacha.ts';
import type { CipherStream, StreamCipher } from '../../src/chacha.ts';
import { select } from '../../src/engine.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { STAGE_BYTES as MAC_STAGE_BYTES } from '../../src/poly1305/map.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { concat, expectBytes, range, refusal, sample, unhex, untouched } from '../support/bytes.ts';
import { engines, onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/oracles.ts';

/** The seed of the random cuts. The tests' names print it, so that a failure can be repeated. */
const seed = 8439;
const MOST = 4000;

const key = sample(32, 12);
const nonce = sample(12, 13);
const shortNonce = sample(8, 14);
const longNonce = sample(24, 15);
const data = sample(600_000, 16);

interface Subject {
  readonly name: string;
  readonly cipher: StreamCipher;
  readonly nonce: Uint8Array;
  /** Another implementation's answer; ciphers with fewer rounds are compared with their own single call. */
  readonly expected: (length: number, counter?: bigint) => Uint8Array;
}
const whole = (length: number): Uint8Array => data.subarray(0, length);
const own = (name: 'chacha8' | 'chacha12' | 'chacha8orig' | 'chacha12orig' | 'xchacha8' | 'xchacha12'): Subject => {
  const cipher = lanewise[name];
  const itsNonce = { 8: shortNonce, 12: nonce, 24: longNonce }[cipher.nonceLength] ?? nonce;
  return {
    name,
    cipher,
    nonce: itsNonce,
    expected: (n, counter) => cipher(key, itsNonce, whole(n), undefined, counter),
  };
};
const ietf: Subject = {
  name: 'chacha20',
  cipher: lanewise.chacha20,
  nonce,
  expected: (n, counter) => oracles.chacha20(key, nonce, whole(n), counter),
};
const original: Subject = {
  name: 'chacha20orig',
  cipher: lanewise.chacha20orig,
  nonce: shortNonce,
  expected: (n, counter) => oracles.chacha20(key, shortNonce, whole(n), counter),
};
const extended: Subject = {
  name: 'xchacha20',
  cipher: lanewise.xchacha20,
  nonce: longNonce,
  expected: (n, counter = 0n) => oracles.xchacha20At(key, longNonce, whole(n), counter),
};
const full = [ietf, original, extended];
const all = [
  ...full,
  ...(['chacha8', 'chacha12', 'chacha8orig', 'chacha12orig', 'xchacha8', 'xchacha12'] as const).map(own),
];

/** The pieces between cuts. */
function pieces(length: number, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts.map((cut) => Math.min(cut, length)).sort((a, b) => a - b), length];
  return ends.map((end, i) => data.subarray(i ? ends[i - 1] : 0, end));
}
const cutting = fc.record({
  length: fc.nat(MOST),
  cuts: fc.array(fc.nat(MOST), { maxLength: 12 }),
  inPlace: fc.boolean(),
});

const updated = (stream: CipherStream, piece: Uint8Array, inPlace: boolean): Uint8Array => {
  if (!inPlace) return stream.update(piece);
  const own = piece.slice();
  return stream.update(own, own);
};

onEachEngine((engine) => {
  describe.each(all)('$name', ({ cipher, nonce, expected }) => {
    test(`any cuts give what one call gives (seed ${seed})`, () => {
      const answer = expected(MOST);
      fc.assert(
        fc.property(cutting, ({ length, cuts, inPlace }) => {
          const stream = cipher.stream(key, nonce);
          const parts = pieces(length, cuts).map((piece) => updated(stream, piece, inPlace));
          expectBytes(concat(...parts), answer.subarray(0, length), `cut at ${cuts.join()}`);
        }),
        { seed, numRuns: 100 },
      );
    });

    test(`any seeks, forward and back, give the bytes of that place (seed ${seed})`, () => {
      const answer = expected(MOST);
      const visit = fc.tuple(fc.nat(MOST), fc.nat(200), fc.boolean());
      fc.assert(
        fc.property(fc.array(visit, { maxLength: 12 }), (visits) => {
          const stream = cipher.stream(key, nonce);
          for (const [position, length, big] of visits) {
            const end = Math.min(MOST, position + length);
            stream.seek(big ? BigInt(position) : position);
            expectBytes(stream.update(data.subarray(position, end)), answer.subarray(position, end), `at ${position}`);
          }
        }),
        { seed, numRuns: 50 },
      );
    });
  });

  describe.each(full)('$name', ({ cipher, nonce, expected }) => {
    test('10 and 10 bytes give what 20 give', () => {
      const stream = cipher.stream(key, nonce);
      const [first, second] = [stream.update(data.subarray(0, 10)), stream.update(data.subarray(10, 20))];
      expect([first.length, second.length]).toEqual([10, 10]);
      expectBytes(concat(first, second), expected(20), '10 + 10');
    });

    test('byte by byte', () => {
      const stream = cipher.stream(key, nonce);
      expectBytes(concat(...range(0, 700).map((i) => stream.update(data.subarray(i, i + 1)))), expected(700), 'bytes');
    });

    test('nothing is absorbed by nothing', () => {
      const stream = cipher.stream(key, nonce);
      const none = new Uint8Array(0);
      expect(stream.update(none)).toHaveLength(0);
      const parts = [stream.update(data.subarray(0, 64)), stream.update(none), stream.update(data.subarray(64, 70))];
      expectBytes(concat(...parts, stream.update(none)), expected(70), '64 + 0 + 6');
    });

    test('pieces around what one call of the kernel takes', () => {
      const answer = expected(2 * STAGE_BYTES + 400);
      for (const skip of [0, 1, 63, 64, 65])
        for (const size of [
          STAGE_BYTES - 64,
          STAGE_BYTES - 63,
          STAGE_BYTES - 1,
          STAGE_BYTES,
          STAGE_BYTES + 1,
          2 * STAGE_BYTES + 100,
        ]) {
          const stream = cipher.stream(key, nonce);
          const parts = pieces(skip + size + 70, [skip, skip + size]).map((piece) => stream.update(piece));
          expectBytes(concat(...parts), answer.subarray(0, skip + size + 70), `${skip} + ${size} + 70`);
        }
    });

    test('every byte can be sought, aligned or not', () => {
      const answer = expected(1400);
      const stream = cipher.stream(key, nonce);
      for (const position of [...range(0, 700), ...range(0, 700).reverse()]) {
        expect(stream.seek(position)).toBe(stream);
        const end = position + 1 + (position % 70);
        expectBytes(stream.update(data.subarray(position, end)), answer.subarray(position, end), `at ${position}`);
      }
    });

    test('positions count from the counter that the stream was made with', () => {
      const stream = cipher.stream(key, nonce, 1000);
      stream.update(data.subarray(0, 77));
      expectBytes(stream.seek(0).update(whole(300)), expected(300, 1000n), 'sought back to the start');
      expectBytes(stream.seek(64 * 5).update(whole(300)), expected(300, 1005n), 'sought to block 5');
    });

    test('two streams and single calls between each other', () => {
      const otherKey = sample(32, 99);
      const one = cipher.stream(key, nonce);
      const two = cipher.stream(otherKey, nonce, 3);
      const parts: [Uint8Array, Uint8Array][] = pieces(1000, [1, 70, 130, 131, 500]).map((piece) => {
        const pair: [Uint8Array, Uint8Array] = [one.update(piece), two.update(piece)];
        cipher(otherKey, nonce, piece);
        lanewise.xchacha20poly1305(otherKey, longNonce).encrypt(piece);
        return pair;
      });
      expectBytes(concat(...parts.map(([a]) => a)), expected(1000), 'the first');
      const second = cipher(otherKey, nonce, whole(1000), undefined, 3);
      expectBytes(concat(...parts.map(([, b]) => b)), second, 'the second');
    });

    test('a stream goes on when the engine changes', () => {
      const stream = cipher.stream(key, nonce);
      const order = [...engines, ...engines.toReversed(), engine];
      const parts = pieces(2000, [5, 64, 300, 301, 1000, 1500]).map((piece, i) => {
        select(order[i % order.length]);
        return stream.update(piece);
      });
      expectBytes(concat(...parts), expected(2000), order.join());
    });

    test('after destroy nothing is given out, and destroying twice is no mistake', () => {
      const stream = cipher.stream(key, nonce);
      stream.update(data.subarray(0, 10));
      stream.destroy();
      stream.destroy();
      const out = untouched(10);
      expect(refusal(() => stream.update(data.subarray(0, 10), out))).toBe(
        'Error: cannot use a stream after destroy()',
      );
      expect(refusal(() => stream.seek(0))).toBe('Error: cannot use a stream after destroy()');
      expectBytes(out, untouched(10), 'out');
    });
  });

  describe.each([original, extended])('$name, beyond 32 bits', ({ cipher, nonce, expected }) => {
    const answer = (): Uint8Array => expected(1500, 2n ** 32n - 9n);

    test('the counter carries within an update and between updates', () => {
      for (const cuts of [[], [64 * 9], [64 * 9 - 1], [64 * 8, 64 * 9 + 1], range(1, 1500)]) {
        const stream = cipher.stream(key, nonce, 2 ** 32 - 9);
        expectBytes(concat(...pieces(1500, cuts).map((p) => stream.update(p))), answer(), `${cuts.length} cuts`);
      }
    });

    test('seek carries, and comes back', () => {
      const stream = cipher.stream(key, nonce, 2 ** 32 - 9);
      for (const position of [1400, 64 * 9, 64 * 9 - 1, 64 * 9 + 1, 0, 64 * 8 + 63])
        expectBytes(
          stream.seek(position).update(data.subarray(position, position + 100)),
          answer().subarray(position, position + 100),
          `at ${position}`,
        );
      const far = cipher.stream(key, nonce).seek(64 * (2 ** 32 - 9) + 5);
      expectBytes(far.update(data.subarray(5, 1500)), answer().subarray(5), 'sought from the start');
    });

    test('positions above 2^53 are bigints', () => {
      const stream = cipher.stream(key, nonce).seek(64n * (2n ** 63n + 5n) + 3n);
      expectBytes(stream.update(data.subarray(3, 300)), expected(300, 2n ** 63n + 5n).subarray(3), 'at 2^69');
    });
  });

  describe.each(all)('$name, at the end of its counter', ({ cipher, nonce, expected }) => {
    const end = cipher.nonceLength === 12 ? 2n ** 32n : 2n ** 64n;
    /** One byte more is refused, writes nothing, and leaves the stream where it was. */
    function expectEnd(stream: CipherStream): void {
      for (const length of [1, 64, 65, 1000, STAGE_BYTES + 1]) {
        const out = untouched(length);
        expect(
          refusal(() => stream.update(whole(length), out)),
          `${length} bytes past the end`,
        ).toMatch(/^RangeError: "/);
        expectBytes(out, untouched(length), 'out');
        expect(refusal(() => stream.update(whole(length)))).toMatch(/^RangeError: "/);
      }
      expect(stream.update(new Uint8Array(0))).toHaveLength(0);
    }

    test.each([1, 2, 3, 4, 5, 8, 9, 16, 17, 40])('the last %i blocks may be used, and nothing after them', (blocks) => {
      const length = 64 * blocks;
      const answer = expected(length, end - BigInt(blocks));
      for (const cuts of [[], [1], [length - 1], [length - 64], [64], [length >> 1]]) {
        const stream = cipher.stream(key, nonce, end - BigInt(blocks));
        const parts = pieces(length, cuts).map((piece) => stream.update(piece));
        expectBytes(concat(...parts), answer, `${length} bytes cut at ${cuts.join()}`);
        expectEnd(stream);
        expectBytes(
          stream.seek(length - 1).update(data.subarray(length - 1, length)),
          answer.subarray(-1),
          'the last byte',
        );
        expectEnd(stream);
        expectEnd(stream.seek(length));
        expectBytes(stream.seek(0).update(whole(length)), answer, 'all of it again');
        expectEnd(stream);
      }
    });

    test('a refused update leaves the stream where it was', () => {
      const answer = expected(128, end - 2n);
      const stream = cipher.stream(key, nonce, end - 2n);
      const first = stream.update(whole(10));
      const out = untouched(119);
      expect(refusal(() => stream.update(whole(119), out))).toMatch(/^RangeError: "/);
      expectBytes(out, untouched(119), 'out');
      expectBytes(concat(first, stream.update(data.subarray(10, 128))), answer, 'what came after');
    });

    test('seeking to the end is allowed, past it refused without moving', () => {
      const stream = cipher.stream(key, nonce, end - 3n);
      const answer = expected(192, end - 3n);
      expectEnd(stream.seek(192));
      stream.seek(100);
      for (const position of [
        193,
        192 + 63,
        256,
        257,
        10_000,
        2n ** 69n,
        2n ** 70n - 1n,
        2n ** 70n,
        -1,
        1.5,
        NaN,
        2 ** 53,
      ])
        expect(
          refusal(() => stream.seek(position)),
          String(position),
        ).toMatch(/^RangeError: "position" expected /);
      expectBytes(stream.update(data.subarray(100, 192)), answer.subarray(100), 'after refused seeks');
      expectEnd(cipher.stream(key, nonce).seek(64n * end));
    });

    test('a single call stops there as well', () => {
      const data = untouched(129);
      expect(refusal(() => cipher(key, nonce, data, data, end - 2n))).toMatch(/^RangeError: "/);
      expectBytes(data, untouched(129), 'data');
      expect(cipher(key, nonce, new Uint8Array(0), undefined, end - 1n)).toHaveLength(0);
    });
  });

  describe('poly1305.create', () => {
    test(`any cuts give what one call gives (seed ${seed})`, () => {
      fc.assert(
        fc.property(cutting, ({ length, cuts }) => {
          const mac = poly1305.create(key);
          for (const piece of pieces(length, cuts)) expect(mac.update(piece)).toBe(mac);
          expectBytes(mac.digest(), oracles.poly1305(whole(length), key), `cut at ${cuts.join()}`);
        }),
        { seed, numRuns: 200 },
      );
    });

    test('byte by byte, and pieces around what one call of the kernel takes', () => {
      const slow = poly1305.create(key);
      for (const i of range(0, 700)) slow.update(data.subarray(i, i + 1));
      expectBytes(slow.digest(), oracles.poly1305(whole(700), key), 'bytes');
      for (const skip of [0, 1, 15, 16, 17])
        for (const size of [-17, -16, -15, -1, 0, 1, 15, 16, 17, MAC_STAGE_BYTES].map((d) => MAC_STAGE_BYTES + d)) {
          const mac = poly1305.create(key);
          for (const piece of pieces(skip + size + 20, [skip, skip + size])) mac.update(piece);
          expectBytes(mac.digest(), oracles.poly1305(whole(skip + size + 20), key), `${skip} + ${size} + 20`);
        }
    });

    test('nothing at all has a tag: s, the second half of the key', () => {
      expectBytes(poly1305.create(key).digest(), key.subarray(16), 'no update');
      expectBytes(poly1305.create(key).update(new Uint8Array(0)).digest(), key.subarray(16), 'an empty update');
    });

    test('two objects and single calls between each other, over changing engines', () => {
      const otherKey = unhex('85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b');
      const [one, two] = [poly1305.create(key), poly1305.create(otherKey)];
      const order = [...engines, ...engines.toReversed(), engine];
      pieces(2000, [1, 17, 300, 301, 1000, 1500]).forEach((piece, i) => {
        select(order[i % order.length]);
        one.update(piece);
        poly1305(piece, otherKey);
        two.update(piece);
      });
      expectBytes(one.digest(), oracles.poly1305(whole(2000), key), 'the first');
      expectBytes(two.digest(), oracles.poly1305(whole(2000), otherKey), 'the second');
    });

    test('digest and destroy end the object', () => {
      const mac = poly1305.create(key).update(whole(20));
      mac.digest();
      const gone = poly1305.create(key).update(whole(20));
      gone.destroy();
      gone.destroy();
      const out = untouched(16);
      for (const [object, how] of [
        [mac, 'digest()'],
        [gone, 'destroy()'],
      ] as const) {
        const message = `Error: cannot use Poly1305 after ${how}`;
        expect(refusal(() => object.update(whole(1)))).toBe(message);
        expect(refusal(() => object.digest())).toBe(message);
        expect(refusal(() => object.digestInto(out))).toBe(message);
      }
      expectBytes(out, untouched(16), 'out');
    });
  });
});
