/** BLAKE2b and BLAKE2s on every engine: the known answers of their authors, whole and in pieces, and those of RFC 7693. */
// Runs in every mode: known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blake2b, blake2s } from '../../src/blake2.ts';
import { hex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

interface Vector {
  readonly function: 'blake2b' | 'blake2s';
  readonly length: number;
  readonly keyLength: number;
  readonly out: string;
}
const { tests } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../vectors/blake2-kat.json'), 'utf8'),
) as { tests: Vector[] };
const functions = { blake2b, blake2s };
const upTo = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);

onEachEngine(() => {
  it.each(['blake2b', 'blake2s'] as const)('%s: 512 known answers', (name) => {
    const its = tests.filter((test) => test.function === name);
    expect(its.length).toBe(512);
    for (const { length, keyLength, out } of its) {
      const message = upTo(length);
      const options = keyLength ? { key: upTo(keyLength) } : {};
      expect(hex(functions[name](message, options))).toBe(out);
      const hasher = functions[name].create(options);
      for (let at = 0; at < length; at += 37) hasher.update(message.subarray(at, at + 37));
      expect(hex(hasher.clone().digest())).toBe(out);
      expect(hex(hasher.digest())).toBe(out);
    }
  });

  // RFC 7693, appendix A and B.
  it('"abc"', () => {
    const abc = new TextEncoder().encode('abc');
    expect(hex(blake2b(abc))).toBe(
      'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
    );
    expect(hex(blake2s(abc))).toBe('508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982');
  });

  /** RFC 7693, appendix E: hashes of hashes at many lengths of messages, keys and digests. */
  it('the self-test of RFC 7693', () => {
    const sequence = (length: number, seed: number): Uint8Array => {
      let [a, b] = [Math.imul(0xdead4bad, seed), 1];
      return Uint8Array.from({ length }, () => {
        const t = (a + b) | 0;
        [a, b] = [b, t];
        return t >>> 24;
      });
    };
    const grand = (hash: typeof blake2b, digests: number[], messages: number[]): string => {
      const all = hash.create({ dkLen: 32 });
      for (const dkLen of digests)
        for (const length of messages) {
          const message = sequence(length, length);
          all.update(hash(message, { dkLen }));
          all.update(hash(message, { dkLen, key: sequence(dkLen, dkLen) }));
        }
      return hex(all.digest());
    };
    expect(grand(blake2b, [20, 32, 48, 64], [0, 3, 128, 129, 255, 1024])).toBe(
      'c23a7800d98123bd10f506c61e29da5603d763b8bbad2e737f5e765a7bccd475',
    );
    expect(grand(blake2s, [16, 20, 28, 32], [0, 3, 64, 65, 255, 1024])).toBe(
      '6a411f08ce25adcdfb02aba641451cec53c598b24f4fc787fbdc88797f4c1dfe',
    );
  });
});
