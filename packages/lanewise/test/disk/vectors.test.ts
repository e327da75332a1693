/** Adiantum and HPolyC against their authors' vectors, the gaps between those, and NH alone. */
// Runs in every mode: known answers.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskInstance } from '../../src/disk/binding.ts';
import { adiantum, hpolyc } from '../../src/disk.ts';
import { STAGE, NH, NH_KEY } from '../../src/disk/map.ts';
import { expectBytes, hex, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

const load = <T>(name: string): T =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8')) as T;
const base64 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64'));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Case {
  readonly cipher: 'adiantum' | 'hpolyc';
  readonly rounds: 8 | 12 | 20;
}
type Official = Case & {
  readonly key: string;
  readonly tweak: string;
  readonly plaintext: number;
  readonly ciphertext?: string;
  readonly sha256?: string;
};
type Edge = Case & {
  readonly length: number;
  readonly tweak: number;
  readonly last: string;
  readonly sha256: string;
};

const makers = { adiantum, hpolyc };
const names = ['adiantum', 'hpolyc'] as const;
const official = load<{ plaintexts: string[]; tests: Official[] }>('disk.json');
const edge = load<{ tests: Edge[] }>('disk-edge.json').tests;
const nh = load<{ tests: { name: string; key: string; message: string; hash: string }[] }>('disk-nh.json').tests;

/** The same bytes as in vectors/generate-disk-edge.mjs. */
const pattern = (label: number, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => label * 29 + i * 7 + (i >> 8) * 13 + (i >> 16));

onEachEngine(() => {
  describe.each(names)('%s', (name) => {
    it('the vectors of its authors', () => {
      const tests = official.tests.filter(({ cipher }) => cipher === name);
      expect(tests.length).toBe(540);
      tests.forEach((test, i) => {
        const what = `test ${i} with ${test.rounds} rounds`;
        const cipher = makers[name](unhex(test.key), { rounds: test.rounds });
        const plaintext = base64(official.plaintexts[test.plaintext]);
        const ciphertext = cipher.encrypt(plaintext, unhex(test.tweak));
        const got = test.ciphertext === undefined ? sha256(ciphertext) : hex(ciphertext);
        expect(got, what).toBe(test.ciphertext ?? test.sha256);
        expectBytes(cipher.decrypt(ciphertext, unhex(test.tweak)), plaintext, `${what}, back`);
      });
    });

    it('lengths and tweaks between those', () => {
      const tests = edge.filter(({ cipher }) => cipher === name);
      expect(tests.length).toBe(507);
      const ciphers = new Map([8, 12, 20].map((rounds) => [rounds, makers[name](pattern(1, 32), { rounds } as Case)]));
      for (const { rounds, length, tweak, last, sha256: digest } of tests) {
        const what = `${rounds} rounds, ${length} bytes, tweak of ${tweak}`;
        const cipher = ciphers.get(rounds)!;
        const page = pattern(2, length);
        const ciphertext = cipher.encrypt(page, pattern(3, tweak));
        expect(hex(ciphertext.subarray(-16)), what).toBe(last);
        expect(sha256(ciphertext), what).toBe(digest);
        expectBytes(cipher.decrypt(ciphertext, pattern(3, tweak)), page, `${what}, back`);
      }
    });
  });

  it.each(nh)('NH: $name', ({ key, message, hash }) => {
    const kernel = diskInstance();
    const bytes = base64(message);
    const keys = base64(key);
    kernel.write(NH_KEY, keys.length, keys);
    kernel.write(STAGE, bytes.length, bytes);
    kernel.run.absorb(1, bytes.length);
    const found = hex(kernel.memory.subarray(NH, NH + 32));
    kernel.memory.fill(0, kernel.secrets);
    expect(found).toBe(hash);
  });
});
