/** Messages of 16 and 64 MiB opened into `out`: no memory is taken, and after a wrong tag `out` is as it was. */
// Runs in Node only: it reads how many bytes buffers take.
import { describe, expect, it } from 'vitest';
import { chacha20poly1305 } from '../../src/chacha.ts';
import { expectBytes, refusal, sample, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const MIB = 2 ** 20;
const make = () => chacha20poly1305(sample(32, 1), sample(12, 2));

onEachEngine(() => {
  describe.each([16, 64])('%i MiB', (size) => {
    const message = Buffer.alloc(size * MIB, sample(MIB, 3));

    it.each(['in a buffer of its own', 'over the ciphertext'])('out %s', (place) => {
      const sealed = make().encrypt(message);
      const out = place.startsWith('over') ? sealed.subarray(0, message.length) : untouched(message.length);
      sealed[sealed.length - 1] ^= 1;
      const before = out.slice();
      const taken = (call: () => unknown): number => {
        const start = process.memoryUsage().arrayBuffers;
        call();
        return process.memoryUsage().arrayBuffers - start;
      };
      expect(taken(() => expect(refusal(() => make().decrypt(sealed, out))).toBe('Error: invalid tag'))).toBeLessThan(
        MIB,
      );
      expectBytes(out, before, 'after a wrong tag');
      sealed[sealed.length - 1] ^= 1;
      expect(taken(() => make().decrypt(sealed, out))).toBeLessThan(MIB);
      expectBytes(out, message, 'the plaintext');
    });
  });
});
