/** BLAKE3 in pieces: cut anywhere, interleaved, cloned, saved, looked at and begun anew, on every engine. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blake3, type Blake3 } from '../../src/blake3.ts';
import { select } from '../../src/engine.ts';
import { concat, expectBytes, range, sample } from '../support/bytes.ts';
import { context, digestsOfPrefixes, expected, key, modeNames, modes, pattern, piecesOf } from '../support/blake3.ts';
import { engines, onEachEngine } from '../support/engines.ts';

const MOST = 140_000;
const message = sample(MOST, 401);
const other = sample(MOST, 402);
const whole = (length: number): Uint8Array => message.subarray(0, length);

/** Lengths at which a hasher's code path changes: at a block, at a chunk, at the bytes it gathers, at those one call takes. */
const POINTS = [
  0, 1, 63, 64, 65, 1023, 1024, 1025, 2048, 3000, 16_383, 16_384, 16_385, 32_768, 40_000, 81_920, 131_073,
];
const MORE = [0, 1, 1024, 5000, 16_384, 60_000];
const ENDS = [...new Set(POINTS.flatMap((point) => MORE.map((more) => point + more)))]
  .filter((length) => length <= MOST)
  .sort((a, b) => a - b);
const digests = Object.fromEntries(modeNames.map((name) => [name, digestsOfPrefixes(message, ENDS, name)]));
const otherDigests = digestsOfPrefixes(other, ENDS);
const continued = POINTS.flatMap((point) => MORE.map((more) => [point, point + more] as const)).filter(
  ([, end]) => end <= MOST,
);

/** Each run tries other cuts; a failure is told with its seed, and LANEWISE_SEED repeats it. */
const seed = Number(process.env['LANEWISE_SEED'] ?? Date.now() % 2 ** 31);
const parameters = { numRuns: 60, seed };
console.log(`blake3-streaming: LANEWISE_SEED=${seed}`);

/** Lengths near the sizes of the hasher's buffers, and others. */
const size = fc.oneof(
  fc.nat(200),
  fc.nat(MOST),
  fc.tuple(fc.nat(130), fc.integer({ min: -2, max: 2 })).map(([n, d]) => Math.max(0, 1024 * n + d)),
);

onEachEngine((engine) => {
  test('cut anywhere', () => {
    fc.assert(
      fc.property(fc.array(size, { maxLength: 20 }), fc.constantFrom(...modeNames), (sizes, name) => {
        const hasher = blake3.create({ ...modes[name], dkLen: 70 });
        let at = 0;
        for (const n of sizes) {
          const end = Math.min(MOST, at + n);
          expect(hasher.update(message.subarray(at, end))).toBe(hasher);
          at = end;
          expect(hasher.count).toBe(at);
        }
        // Other tests show that one call gives the right digest.
        expectBytes(hasher.digest(), blake3(whole(at), { ...modes[name], dkLen: 70 }), `${name} of ${at} bytes`);
      }),
      parameters,
    );
  });

  test('cut anywhere, against another implementation', () => {
    fc.assert(
      fc.property(fc.array(size, { maxLength: 6 }), (sizes) => {
        const hasher = blake3.create();
        let at = 0;
        for (const n of sizes) hasher.update(message.subarray(at, (at = Math.min(20_000, at + (n % 20_000)))));
        expectBytes(hasher.digest(), expected(whole(at)), `${at} bytes`);
      }),
      parameters,
    );
  });

  test('output cut anywhere, and from anywhere', () => {
    const long = blake3(whole(3000), { key, dkLen: 200_000 });
    expectBytes(long.subarray(0, 5000), expected(whole(3000), 'keyed_hash', 5000), 'the output');
    const hasher = blake3.create({ key }).update(whole(3000));
    let at = 0;
    fc.assert(
      fc.property(fc.nat(60_000), fc.option(fc.nat(140_000)), (length, to) => {
        if (to !== null || at + length > 200_000) hasher.seek((at = to ?? 0));
        const out = hasher.xofInto(new Uint8Array(length));
        expectBytes(out, long.subarray(at, (at += length)), `${length} bytes up to ${at}`);
      }),
      parameters,
    );
  });

  test.each([1, 2, 3, 63, 65, 1000, 1023, 1025, 4097, 16_383, 16_385, 65_537])('updates of %i bytes', (n) => {
    for (const end of n === 1 ? [20_000, 40_000] : [40_000, 81_920, 131_073]) {
      const hasher = blake3.create();
      for (const piece of piecesOf(whole(end), n)) hasher.update(piece);
      expectBytes(hasher.digest(), blake3(whole(end)), `${end} bytes`);
    }
  });

  test('objects of all modes interleaved, over changing engines and calls in between', () => {
    const hashers = modeNames.flatMap((name) => [blake3.create(modes[name]), blake3.create(modes[name])]);
    const order = [...engines, ...engines.toReversed(), engine];
    let at = 0;
    for (const [i, end] of [1, 700, 1025, 17_000, 17_001, 60_000, 131_073].entries()) {
      select(order[i % order.length]);
      hashers.forEach((hasher, n) => hasher.update((n % 2 ? other : message).subarray(at, end)));
      blake3(other.subarray(0, 3000), { context: 'in between' });
      hashers[i % 6].peek(100);
      at = end;
    }
    hashers.forEach((hasher, n) => {
      const name = modeNames[n >> 1];
      const digest = n % 2 ? expected(other.subarray(0, at), name) : digests[name].get(at)!;
      expectBytes(hasher.digest(), digest, `${name}, object ${n}`);
    });
  });

  test('outputs of two objects interleaved', () => {
    const [one, two] = [blake3.create({ key }).update(whole(3000)), blake3.create({ context }).update(whole(100))];
    const [first, second] = [expected(whole(3000), 'keyed_hash', 3000), expected(whole(100), 'derive_key', 3000)];
    for (const at of range(0, 30).map((i) => 100 * i)) {
      expectBytes(one.xof(100), first.subarray(at, at + 100), `the first, ${at}`);
      blake3(whole(5000));
      expectBytes(two.xof(100), second.subarray(at, at + 100), `the second, ${at}`);
    }
  });

  test('no buffer of the caller is kept', () => {
    for (const name of modeNames)
      for (const [point, end] of continued) {
        const buffer = new Uint8Array(Math.max(point, end - point));
        const ourKey = key.slice();
        const hasher = blake3.create(name === 'keyed_hash' ? { key: ourKey } : modes[name]);
        ourKey.fill(0);
        for (const piece of [message.subarray(0, point), message.subarray(point, end)]) {
          buffer.set(piece);
          hasher.update(buffer.subarray(0, piece.length));
          buffer.fill(0xee);
        }
        expectBytes(hasher.digest(), digests[name].get(end)!, `${name}, ${point} and up to ${end} bytes`);
      }
    const bytes = new TextEncoder().encode(context);
    const derived = blake3.create({ context: bytes });
    bytes.fill(0);
    expectBytes(derived.update(whole(1025)).digest(), digests['derive_key'].get(1025)!, 'the context');
    const state = blake3.create({ key }).update(whole(17_408)).save();
    const loaded = blake3.load(state);
    state.fill(0);
    expectBytes(loaded.digest(), expected(whole(17_408), 'keyed_hash'), 'the state');
  });

  describe.each(modeNames)('%s', (name) => {
    const digest = (length: number): Uint8Array => digests[name].get(length)!;
    const at = (point: number): Blake3 => blake3.create(modes[name]).update(whole(point));
    const on = (hasher: Blake3, from: number, to: number): Uint8Array =>
      hasher.update(message.subarray(from, to)).digest();

    test('a digest may be looked at, and more follow', () => {
      for (const [point, end] of continued) {
        const hasher = at(point);
        expectBytes(hasher.peek(), digest(point), `${point} bytes`);
        expectBytes(hasher.peek(), digest(point), `${point} bytes, again`);
        expect(hasher.peek(200)).toHaveLength(200);
        expectBytes(on(hasher, point, end), digest(end), `${point} and up to ${end} bytes`);
      }
    });

    test('a clone and its original go separate ways', () => {
      for (const [point, end] of continued) {
        const hasher = at(point);
        const [first, second] = [hasher.clone(), hasher.clone()];
        expect(first.count).toBe(point);
        first.update(other);
        second.destroy();
        const third = hasher.clone();
        expectBytes(on(hasher, point, end), digest(end), 'the original');
        expectBytes(on(third, point, end), digest(end), 'a clone of it, after it');
        expectBytes(first.digest(), expectedOfBoth(point), 'a clone with other bytes');
      }
    });
    const both = new Map<number, Uint8Array>();
    const expectedOfBoth = (point: number): Uint8Array => {
      if (!both.has(point)) both.set(point, blake3(concat(whole(point), other), modes[name]));
      return both.get(point)!;
    };

    test('a saved state goes on, again and again', () => {
      for (const [point, end] of continued) {
        const hasher = at(point);
        const state = hasher.save();
        expect(state.length).toBeLessThan(20_000);
        for (const loaded of [blake3.load(state), blake3.load(state)]) {
          expect([loaded.count, loaded.outputLen, loaded.blockLen]).toEqual([point, 32, 64]);
          expectBytes(loaded.save(), state, 'saved again');
          expectBytes(on(loaded, point, end), digest(end), `${point} and up to ${end} bytes`);
        }
        expectBytes(on(hasher, point, end), digest(end), 'the original');
      }
      const long = blake3.load(
        blake3
          .create({ ...modes[name], dkLen: 200 })
          .update(whole(1025))
          .save(),
      );
      expect(long.outputLen).toBe(200);
      expectBytes(long.digest(), expected(whole(1025), name, 200), 'the length of the digest is saved');
    });

    test('a clone and a saved state keep the position in the output', () => {
      const long = expected(whole(1025), name, 700);
      for (const position of [0, 1, 63, 64, 500]) {
        const hasher = at(1025).seek(position);
        for (const twin of [hasher.clone(), blake3.load(hasher.save()), blake3.load(hasher.clone().save())])
          expectBytes(twin.xof(200), long.subarray(position, position + 200), `from ${position}`);
      }
      for (const position of [2 ** 32 + 5, 2n ** 53n + 1n, 2n ** 64n - 100n]) {
        const wanted = at(1025).seek(position).xof(100);
        expectBytes(blake3.load(at(1025).seek(position).save()).xof(100), wanted, `from ${position}`);
      }
    });

    test('reset forgets the message, and neither mode nor length', () => {
      for (const [point, end] of continued) {
        const hasher = at(point);
        if (point % 2) hasher.xof(100);
        if (end % 2) hasher.seek(1000);
        expect(hasher.reset()).toBe(hasher);
        expect(hasher.count).toBe(0);
        hasher.update(whole(end));
        expectBytes(hasher.peek(), digest(end), `reset after ${point}, then ${end} bytes`);
        expectBytes(hasher.xof(32), digest(end), 'and its output is from the start');
      }
    });
  });

  test('nothing at all, and empty updates', () => {
    const nothing = new Uint8Array(0);
    for (const name of modeNames) {
      const wanted = expected(nothing, name);
      expectBytes(blake3.create(modes[name]).digest(), wanted, 'no update');
      expectBytes(blake3.create(modes[name]).xof(32), wanted, 'no update, xof');
      expectBytes(blake3.create(modes[name]).update(nothing).update(nothing).digest(), wanted, 'empty updates');
      const hasher = blake3.create(modes[name]);
      for (const piece of piecesOf(whole(40_000), 4096)) hasher.update(piece).update(nothing);
      expectBytes(hasher.digest(), digests[name].get(40_000)!, 'empty updates in between');
      expectBytes(blake3.load(blake3.create(modes[name]).save()).digest(), wanted, 'saved before it began');
    }
  });

  test('two objects of other messages', () => {
    const [one, two] = [blake3.create(), blake3.create()];
    let at = 0;
    for (const end of ENDS) {
      one.update(message.subarray(at, end));
      two.update(other.subarray(at, end));
      at = end;
      expectBytes(one.peek(), digests['hash'].get(end)!, `the first at ${end}`);
      expectBytes(two.peek(), otherDigests.get(end)!, `the second at ${end}`);
    }
  });

  test('3 MiB in one update, in large ones, and in one call', () => {
    const large = pattern(3 * 2 ** 20 + 5);
    const wanted = expected(large);
    expectBytes(blake3(large), wanted, 'in one call');
    for (const n of [large.length, 2 ** 20, 2 ** 20 + 1, 100_003]) {
      const hasher = blake3.create();
      for (const piece of piecesOf(large, n)) hasher.update(piece);
      expectBytes(hasher.digest(), wanted, `in pieces of ${n}`);
    }
  });
});
