/** Streams of messages: ours and the original's functions have the same states, and take turns on one stream. */
import { describe, expect, test } from 'vitest';
import { bytes, detached, digitsOf, outcomeOf, pairs, type Sodium } from './pairs.ts';

// Ours waits for the original's.
await Promise.all(pairs.map(({ ours }) => ours.ready));

const PREFIX = 'crypto_secretstream_xchacha20poly1305_';
const KEY = bytes(32, 3);
const HEADER = bytes(24, 5);

/** Both directions start from the same state. */
const start = (sodium: Sodium): number => sodium[`${PREFIX}init_pull`](HEADER, KEY) as number;

/** Lengths around whole words and blocks, and around the least that is ours. */
const SIZES = [0, 17, 2047, 2048, 2049, 2055, 2056, 2063, 2064, 4096, 65_536, 70_001, 200_000, 5];
const TAGS = [0, 1, 2, 3, 0, 255, 256 + 2, 0x7fffffff, -0];
const ADS = [undefined, null, bytes(13), new Uint8Array(0), 'text', bytes(200)];

const MESSAGES = SIZES.flatMap((size, i) =>
  [0, 1, 2].map((turn) => ({
    message: bytes(size, i),
    tag: TAGS[(3 * i + turn) % TAGS.length],
    ad: ADS[(i + turn) % ADS.length],
    rekey: (i + turn) % 7 === 6,
  })),
);

/** Pushes all messages; `turn` gives the functions for each. */
function pushed(turn: (i: number) => Sodium): Uint8Array[] {
  const state = start(turn(0));
  return MESSAGES.map(({ message, tag, ad, rekey }, i) => {
    if (rekey) expect(turn(i)[`${PREFIX}rekey`](state)).toBe(true);
    return turn(i)[`${PREFIX}push`](state, message, ad, tag) as Uint8Array;
  });
}

describe.each(pairs)('$title', ({ ours, theirs }) => {
  const expected = pushed(() => theirs);

  test('messages', () => {
    const digits = expected.map(digitsOf);
    expect(pushed(() => ours).map(digitsOf)).toEqual(digits);
    expect(pushed((i) => (i % 2 ? ours : theirs)).map(digitsOf)).toEqual(digits);
    for (const sodium of [ours, theirs]) {
      const state = start(sodium);
      for (const [i, { message, tag, ad, rekey }] of MESSAGES.entries()) {
        if (rekey) sodium[`${PREFIX}rekey`](state);
        // A forgery leaves the state as it was.
        const forged = expected[i].slice();
        forged[i % forged.length] ^= 1;
        for (const [wrong, wrongAd] of [
          [forged, ad],
          [expected[i], 'another'],
        ])
          expect(sodium[`${PREFIX}pull`](state, wrong, wrongAd)).toBe(false);
        const opened = outcomeOf(() => sodium[`${PREFIX}pull`](state, expected[i], ad));
        expect(opened).toEqual(outcomeOf(() => ({ message, tag: tag & 255 })));
      }
    }
  });

  test('a stream of its own', () => {
    const { state, header } = ours[`${PREFIX}init_push`](KEY) as { state: number; header: Uint8Array };
    const message = bytes(5000);
    const sealed = ours[`${PREFIX}push`](state, message, null, 3);
    for (const sodium of [ours, theirs]) {
      const opened = outcomeOf(() => sodium[`${PREFIX}pull`](sodium[`${PREFIX}init_pull`](header, KEY), sealed));
      expect(opened).toEqual(outcomeOf(() => ({ message, tag: 3 })));
    }
  });

  test('the end of the counter, and a memory that grows', () => {
    const all = [ours, theirs].map((sodium) => {
      const state = start(sodium);
      sodium.libsodium.HEAPU8.fill(255, state + 32, state + 36);
      const before = sodium.libsodium.HEAPU8;
      const sealed = [1, 2, 3].map((i) => sodium[`${PREFIX}push`](state, bytes(3000, i), null, 0));
      sodium.crypto_shorthash(new Uint8Array(before.length), bytes(16));
      expect(sodium.libsodium.HEAPU8 === before).toBe(false);
      sealed.push(sodium[`${PREFIX}push`](state, bytes(3000), null, 0));
      return outcomeOf(() => [...sealed, sodium.libsodium.HEAPU8.slice(state, state + 44)]);
    });
    expect(all[0]).toEqual(all[1]);
  });

  test('a state that is wiped in between keeps no key of ours', () => {
    const state = start(ours);
    ours[`${PREFIX}push`](state, bytes(3000), null, 0);
    ours.libsodium.HEAPU8.fill(0, state, state + 44);
    const other = start(theirs);
    theirs.libsodium.HEAPU8.fill(0, other, other + 44);
    expect(outcomeOf(() => ours[`${PREFIX}push`](state, bytes(3000), null, 0))).toEqual(
      outcomeOf(() => theirs[`${PREFIX}push`](other, bytes(3000), null, 0)),
    );
  });

  test('wrong calls, and formats', () => {
    const notBytes = [7, {}, [1], new Uint16Array(2), detached(), undefined, null];
    const calls = (sodium: Sodium): unknown[] => {
      const found: unknown[] = [];
      const note = (name: string, ...values: unknown[]): unknown =>
        found.push(outcomeOf(() => sodium[PREFIX + name](...values)));
      const long = bytes(3000);
      const sealed = theirs[`${PREFIX}push`](start(theirs), long, null, 1) as Uint8Array;
      for (const format of [null, '', 'hex', 'base64', 'text', 'Hex', 9]) {
        note('push', start(sodium), long, null, 1, format);
        note('pull', start(sodium), sealed, null, format);
      }
      for (const tag of [...TAGS, -1, 0.5, 2 ** 31, '1', undefined, null]) note('push', start(sodium), long, null, tag);
      for (const wrong of notBytes) {
        note('push', start(sodium), wrong, null, 1);
        note('push', start(sodium), long, wrong, 1);
        note('pull', start(sodium), wrong);
        note('pull', start(sodium), sealed, wrong);
      }
      for (const size of [0, 16, 17, 2064, 2065, 3016]) note('pull', start(sodium), sealed.subarray(0, size));
      note('push', start(sodium), 'é'.repeat(3000), 'ad', 1);
      note('pull', start(sodium), 'é'.repeat(3000), 'ad');
      for (const state of [undefined, null, 2 ** 31 - 1]) {
        note('push', state, long, null, 1);
        note('pull', state, sealed);
      }
      return found;
    };
    const expectedCalls = calls(theirs);
    expect(expectedCalls.length).toBeGreaterThan(60);
    expect(calls(ours)).toEqual(expectedCalls);
  });
});
