/** Serpent's known answers: NESSIE, the submission to AES and its Monte Carlo tests, and libgcrypt at every length. */
// Runs in every mode: known answers.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cbc, ctr, ecb, ocb } from '../../src/serpent.ts';
import { expectBytes, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { linesOf, pattern, xor } from '../support/serpent.ts';

const bytesOf = (line: string): Uint8Array[] => line.split(' ').map(unhex);
/** As the submission prints them: the last byte first. */
const reversed = (text: string): Uint8Array => unhex(text).reverse();
const raw = { disablePadding: true };
const short = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const INNER = 10_000;

/** The Monte Carlo tests of the submission: one of 10000 blocks, each the input of the next. */
const monteCarlo: Record<string, (key: Uint8Array, iv: Uint8Array, input: Uint8Array) => Uint8Array> = {
  ecb_e_m(key, _, input) {
    const cipher = ecb(key, raw);
    const block = input.slice();
    for (let i = 0; i < INNER; i++) cipher.encrypt(block, block);
    return block;
  },
  ecb_d_m(key, _, input) {
    const cipher = ecb(key, raw);
    const block = input.slice();
    for (let i = 0; i < INNER; i++) cipher.decrypt(block, block);
    return block;
  },
  cbc_e_m(key, iv, input) {
    const cipher = ecb(key, raw);
    let [before, plaintext] = [iv, input];
    for (let i = 0; i < INNER; i++) [plaintext, before] = [before, cipher.encrypt(xor(plaintext, before))];
    return before;
  },
  cbc_d_m(key, iv, input) {
    const cipher = ecb(key, raw);
    let [before, ciphertext] = [iv, input];
    for (let i = 0; i < INNER; i++) [before, ciphertext] = [ciphertext, xor(cipher.decrypt(ciphertext), before)];
    return ciphertext;
  },
};

onEachEngine(() => {
  it('NESSIE', () => {
    const lines = linesOf('serpent-nessie.json');
    expect(lines).toHaveLength(1734);
    for (const line of lines) {
      const [key, plaintext, ciphertext] = bytesOf(line);
      expectBytes(ecb(key, raw).encrypt(plaintext), ciphertext, line);
      expectBytes(ecb(key, raw).decrypt(ciphertext), plaintext, line);
    }
  });

  describe('the submission to AES', () => {
    const lines = linesOf('serpent-submission.json');

    it.each([
      ['vk', 576],
      ['vt', 384],
      ['tbl', 1536],
    ])('%s', (kind, count) => {
      const tests = lines.filter((line) => line.startsWith(`${kind} `));
      expect(tests).toHaveLength(count);
      for (const line of tests) {
        const [key, plaintext, ciphertext] = line.split(' ').slice(1).map(reversed);
        expectBytes(ecb(key, raw).encrypt(plaintext), ciphertext, line);
        expectBytes(ecb(key, raw).decrypt(ciphertext), plaintext, line);
      }
    });

    it.each(Object.keys(monteCarlo))('Monte Carlo, %s', (kind) => {
      // The second test of each key size: its key and block are not zero.
      const tests = lines.filter((line) => line.startsWith(`${kind} `)).filter((_, i) => i % 2 === 1);
      expect(tests.map((line) => line.split(' ')[1].length)).toEqual([32, 48, 64]);
      for (const line of tests) {
        const values = line.split(' ').slice(1).map(reversed);
        const [key, iv] = values;
        const [plaintext, ciphertext] = values.slice(-2);
        const [input, output] = kind.endsWith('d_m') ? [ciphertext, plaintext] : [plaintext, ciphertext];
        expectBytes(monteCarlo[kind](key, iv, input), output, line);
      }
    });
  });

  it('libgcrypt, every length up to 1100 and larger ones', () => {
    const lines = linesOf('serpent-libgcrypt.json');
    expect(lines.length).toBeGreaterThan(1101);
    for (const line of lines) {
      const [lengthText, ...digests] = line.split(' ');
      const n = Number(lengthText);
      const key = pattern([16, 24, 32][n % 3], 1 + n);
      const iv = pattern(16, 2 + n);
      const counter = n % 4 ? iv : Uint8Array.from(iv, (byte, i) => (i < 7 ? byte : 255));
      const nonce = pattern(8 + (n % 8), 2 + n);
      const aad = pattern(n % 100 ? (7 * n) % 71 : n, 3 + n);
      const text = pattern(n, 4 + n);
      const sealed = [ctr(key, counter).encrypt(text), cbc(key, iv).encrypt(text), ocb(key, nonce, aad).encrypt(text)];
      expect(sealed.map(short), `${n} bytes`).toEqual(digests);
      expectBytes(ctr(key, counter).decrypt(sealed[0]), text, `CTR, ${n} bytes`);
      expectBytes(cbc(key, iv).decrypt(sealed[1]), text, `CBC, ${n} bytes`);
      expectBytes(ocb(key, nonce, aad).decrypt(sealed[2]), text, `OCB, ${n} bytes`);
    }
  });
});
