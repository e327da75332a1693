/**
 * A long message opened into `out`: of each AEAD, and of secretstream. No memory as long as the message is taken, `out` stays as it
 * is if the tag is wrong, wherever it is, and bytes in shared memory give the sealed plaintext.
 */
// Runs in Node only: it reads how many bytes buffers take.
import { describe, expect, it } from 'vitest';
import { chacha20poly1305, xchacha20poly1305, type Aead } from '../../src/chacha.ts';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { secretbox, secretbox_xchacha20poly1305 } from '../../src/salsa.ts';
import { ocb } from '../../src/serpent.ts';
import { chacha20poly1305siv } from '../../src/siv.ts';
import { secretstream } from '../../src/stream.ts';
import { concat, expectBytes, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const key = sample(32, 1);
const aad = sample(21, 2);
const MIB = 2 ** 20;
const plaintext = sample(MIB, 3);

interface Way {
  readonly name: string;
  /** Whether its tag can be checked before the message is decrypted. */
  readonly twoPasses: boolean;
  readonly sealed: (length: number) => Uint8Array;
  readonly open: (sealed: Uint8Array, out: Uint8Array) => Uint8Array;
}
const aead = (name: string, make: () => Aead, twoPasses = true): Way => ({
  name,
  twoPasses,
  sealed: (length) => make().encrypt(plaintext.subarray(0, length)),
  open: (sealed, out) => make().decrypt(sealed, out),
});
/** A stream's first message; the header is in front of it. */
const firstMessage: Way = {
  name: 'secretstream',
  twoPasses: true,
  sealed(length) {
    const sealer = secretstream(key).sealer();
    return concat(sealer.header, sealer.push(plaintext.subarray(0, length), undefined, { ad: aad }));
  },
  open(sealed, out) {
    const opener = secretstream(key).opener({ header: sealed.subarray(0, 24) });
    return opener.push(sealed.subarray(24), out, { ad: aad });
  },
};
const ways: readonly Way[] = [
  aead('chacha20poly1305', () => chacha20poly1305(key, sample(12, 4), aad)),
  aead('xchacha20poly1305', () => xchacha20poly1305(key, sample(24, 4), aad)),
  aead('long AAD', () => xchacha20poly1305(key, sample(24, 4), plaintext.subarray(0, STAGE_BYTES + 7))),
  aead('secretbox', () => secretbox(key, sample(24, 4))),
  aead('secretbox_xchacha20poly1305', () => secretbox_xchacha20poly1305(key, sample(24, 4))),
  aead('chacha20poly1305siv', () => chacha20poly1305siv(key, sample(16, 4), aad)),
  aead('Serpent-OCB', () => ocb(key, sample(12, 4), aad), false),
  firstMessage,
];

/** The most bytes of buffers that one of some calls has taken: none is collected while a call runs, so the largest increase counts. */
function mostTaken(call: () => void): number {
  const increases = Array.from({ length: 5 }, () => {
    const before = process.memoryUsage().arrayBuffers;
    call();
    return process.memoryUsage().arrayBuffers - before;
  });
  return Math.max(...increases);
}

it('a copy is noticed', () => {
  expect(mostTaken(() => plaintext.slice())).toBeGreaterThanOrEqual(plaintext.length);
});

onEachEngine(() => {
  describe.each(ways)('$name', ({ twoPasses, sealed: seal, open }) => {
    it(`takes ${twoPasses ? 'no memory' : 'memory'} as long as the message, right or wrong`, () => {
      const [sealed, out] = [seal(MIB), new Uint8Array(MIB)];
      const forged = sealed.slice();
      forged[sealed.length >> 1] ^= 1;
      open(sealed, out);
      const calls = { right: () => open(sealed, out), wrong: () => refusal(() => open(forged, out)) };
      for (const [name, call] of Object.entries(calls)) expect(mostTaken(call) < MIB / 4, name).toBe(twoPasses);
    });

    // The stage holds 122,880 bytes; secretstream's two ways depend on the length modulo 8.
    it.each([STAGE_BYTES + 32, STAGE_BYTES + 33, 2 * STAGE_BYTES, 300_008])('%i bytes', (length) => {
      const message = plaintext.subarray(0, length);
      const sealed = seal(length);
      for (const distance of [undefined, 0, 24, 40, 1, -1, 1000, -1000, STAGE_BYTES + 1, -STAGE_BYTES - 1]) {
        // `out` in a buffer of its own, or in that of the ciphertext.
        const start = Math.max(0, -(distance ?? 0)) + 8;
        const room = untouched(start + sealed.length + Math.max(0, distance ?? 0) + 300);
        room.set(sealed, start);
        const input = room.subarray(start, start + sealed.length);
        const out =
          distance === undefined ? untouched(length) : room.subarray(start + distance, start + distance + length);
        for (const flipped of [sealed.length - 1, sealed.length - length - 1, sealed.length >> 1]) {
          input[flipped] ^= 1;
          const before = [room.slice(), out.slice()];
          expect(refusal(() => open(input, out))).toMatch(/invalid tag|not authentic/);
          expectBytes(room, before[0], `forged at ${flipped}, out ${distance} bytes after the input`);
          expectBytes(out, before[1], `forged at ${flipped}, out ${distance} bytes after the input`);
          input[flipped] ^= 1;
        }
        const expected = room.slice();
        if (distance !== undefined) expected.set(message, start + distance);
        open(input, out);
        expectBytes(out, message, `out ${distance} bytes after the input`);
        expectBytes(room, expected, `around out, ${distance} bytes after the input`);
      }
    });
  });
});
