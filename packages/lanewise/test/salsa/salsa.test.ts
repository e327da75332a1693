/** The raw ciphers of the Salsa20 family: published answers, every length against others, streams, counters, errors. */
// Runs in every mode: known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STAGE_BYTES } from '../../src/keystream/map.ts';
import { quarterRound } from '../../src/salsa/rounds.ts';
import * as lanewise from '../../src/salsa.ts';
import { bytesOf, expectBytes, guarded, hex, range, refusal, sample, unhex, wordsOf } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import * as oracles from '../support/salsa.ts';

const { salsa8, salsa12, salsa20, xsalsa8, xsalsa12, xsalsa20, hsalsa } = lanewise;
const key = sample(32, 1);
const shortKey = sample(16, 2);
const nonce = sample(8, 3);
const longNonce = sample(24, 4);
const data = sample(3 * STAGE_BYTES, 5);

const load = <T>(name: string, count: number): readonly T[] => {
  const path = join(import.meta.dirname, '../../../../vectors', name);
  const { tests } = JSON.parse(readFileSync(path, 'utf8')) as { tests: T[] };
  if (tests.length !== count) throw new Error(`${name} has ${tests.length} tests instead of ${count}`);
  return tests;
};
interface Ecrypt {
  readonly name?: string;
  readonly rounds: 8 | 12 | 20;
  readonly key: string;
  readonly nonce: string;
  readonly position: string;
  readonly plaintext?: string;
  readonly ciphertext?: string;
  readonly length?: number;
  readonly xorDigest?: string;
}
const ecrypt = load<Ecrypt>('cryptopp-salsa.json', 110);
interface Nacl {
  readonly kind: string;
  readonly name: string;
  readonly key: string;
  readonly nonce: string;
  readonly subkey: string;
}
const hsalsas = load<Nacl>('salsa-nacl.json', 14).filter(({ kind }) => kind === 'hsalsa20');

const constants = new TextEncoder().encode('expand 32-byte k');

describe('the quarter round, "Salsa20 specification" §3', () => {
  const examples = [
    ['00000000 00000000 00000000 00000000', '00000000 00000000 00000000 00000000'],
    ['00000001 00000000 00000000 00000000', '08008145 00000080 00010200 20500000'],
    ['00000000 00000001 00000000 00000000', '88000100 00000001 00000200 00402000'],
    ['e7e8c006 c4f9417d 6479b4b2 68c67137', 'e876d72b 9361dfd5 f1460244 948541a3'],
    ['d3917c5b 55f1c407 52a58a7a 8f887a3b', '3e2f308c d90a8f36 6ab2a923 2883524c'],
  ];
  test.each(examples)('of %s', (input, output) => {
    const y = input.split(' ').map((word) => parseInt(word, 16));
    const machine = {
      xorRotatedSum(d: number, a: number, b: number, n: number): void {
        const sum = (y[a] + y[b]) | 0;
        y[d] = (y[d] ^ ((sum << n) | (sum >>> (32 - n)))) >>> 0;
      },
    };
    quarterRound(machine, 0, 1, 2, 3);
    expect(y.map((word) => word.toString(16).padStart(8, '0')).join(' ')).toBe(output);
  });
});

onEachEngine(() => {
  test.each(ecrypt.map((t, i) => ({ ...t, title: `${i + 1} ${t.name ?? 'of NaCl'}, ${t.rounds} rounds` })))(
    'ECRYPT and others: $title',
    (t) => {
      const cipher = t.nonce.length === 48 ? xsalsa20 : { 8: salsa8, 12: salsa12, 20: salsa20 }[t.rounds];
      const wanted = t.xorDigest ?? t.ciphertext!;
      const length = t.length ?? wanted.length / 2;
      const plaintext = t.plaintext ? unhex(t.plaintext) : new Uint8Array(length);
      const whole = cipher(unhex(t.key), unhex(t.nonce), plaintext, undefined, BigInt(t.position) / 64n);
      const streamed = cipher.stream(unhex(t.key), unhex(t.nonce)).seek(BigInt(t.position)).update(plaintext);
      for (const answer of [whole, streamed]) {
        const sum = new Uint8Array(64);
        if (t.xorDigest) answer.forEach((byte, i) => (sum[i % 64] ^= byte));
        expect(hex(t.xorDigest ? sum : answer)).toBe(wanted);
      }
    },
  );

  test.each(hsalsas)('HSalsa20, NaCl: $name', (t) => {
    const out = new Uint32Array(8);
    hsalsa(wordsOf(constants), wordsOf(unhex(t.key)), wordsOf(unhex(t.nonce)), out);
    expect(hex(bytesOf(out))).toBe(t.subkey);
  });

  test("HSalsa20 with any constants is libsodium's", () => {
    const [own, k, input] = [sample(16, 6), sample(32, 7), sample(16, 8)];
    const out = new Uint32Array(8);
    hsalsa(wordsOf(own), wordsOf(k), wordsOf(input), out);
    expectBytes(bytesOf(out), oracles.hsalsa(own, k, input), 'subkey');
  });

  test('every length up to 1100, and around what one call takes', () => {
    const stages = [-65, -64, -1, 0, 1, 63, 64].map((d) => STAGE_BYTES + d);
    const most = data.subarray(0, 2 * STAGE_BYTES + 1);
    const wanted = {
      salsa20: oracles.salsa20(key, nonce, most),
      'salsa20, 16': oracles.salsa20(shortKey, nonce, most),
      xsalsa20: oracles.salsa20(key, longNonce, most),
      salsa12: oracles.reduced(12, key, nonce, most),
      salsa8: oracles.reduced(8, key, nonce, most),
    };
    for (const length of [...range(0, 1101), 65_535, 65_536, 65_537, ...stages, 2 * STAGE_BYTES, 2 * STAGE_BYTES + 1]) {
      const input = most.subarray(0, length);
      const got = {
        salsa20: salsa20(key, nonce, input),
        'salsa20, 16': salsa20(shortKey, nonce, input),
        xsalsa20: xsalsa20(key, longNonce, input),
        salsa12: salsa12(key, nonce, input),
        salsa8: salsa8(key, nonce, input),
      };
      for (const [name, bytes] of Object.entries(got))
        expectBytes(bytes, wanted[name as keyof typeof wanted].subarray(0, length), `${name}, ${length} bytes`);
    }
  });

  test('fewer rounds with a long nonce are fewer rounds of the subkey too', () => {
    // The cipher with a short nonce under HSalsa20's subkey; the subkey of fewer rounds makes the first block.
    for (const [extended, cipher] of [
      [xsalsa8, salsa8],
      [xsalsa12, salsa12],
    ] as const) {
      const input = longNonce.subarray(0, 16);
      // HSalsa20/r is the block without the final addition, whose words are known: constants and input.
      const block = cipher(key, input.subarray(0, 8), new Uint8Array(64), undefined, counterOf(input.subarray(8)));
      const z = wordsOf(block);
      const c = wordsOf(constants);
      const n = wordsOf(input);
      const subkey = [...[0, 5, 10, 15].map((w, i) => z[w] - c[i]), ...[6, 7, 8, 9].map((w, i) => z[w] - n[i])];
      const own = bytesOf(Uint32Array.from(subkey));
      for (const length of [1, 64, 300, 1100]) {
        const input = data.subarray(0, length);
        expectBytes(extended(key, longNonce, input), cipher(own, longNonce.subarray(16), input), `${length} bytes`);
      }
    }
  });
  const counterOf = (bytes: Uint8Array): bigint => new DataView(bytes.slice().buffer).getBigUint64(0, true);

  test('the counter carries into its upper half, in rows, sets and one by one, and between calls', () => {
    for (const before of [1, 2, 3, 4, 6, 8, 15, 17])
      for (const blocks of [1, 2, 3, 4, 5, 9, 16, 17, 40]) {
        const counter = 2n ** 32n - BigInt(before);
        const input = data.subarray(0, 64 * blocks);
        const wanted = oracles.salsa20(key, nonce, input, counter);
        expectBytes(salsa20(key, nonce, input, undefined, counter), wanted, `${before}, ${blocks}`);
        const stream = salsa20.stream(key, nonce, counter);
        const cut = Math.floor(input.length / 3);
        const [first, rest] = [stream.update(input.subarray(0, cut)), stream.update(input.subarray(cut))];
        expectBytes(first, wanted.subarray(0, cut), `${before}, ${blocks}: first`);
        expectBytes(rest, wanted.subarray(cut), `${before}, ${blocks}: rest`);
      }
  });

  test('the last of 2^64 blocks may be used, and one more byte is refused before anything is written', () => {
    const last = 2n ** 64n - 1n;
    const wanted = oracles.salsa20(key, nonce, data.subarray(0, 64), last);
    expectBytes(salsa20(key, nonce, data.subarray(0, 64), undefined, last), wanted, 'last block');
    const { out, check } = guarded(65);
    const copy = out.slice();
    expect(refusal(() => salsa20(key, nonce, data.subarray(0, 65), out, last))).toBe(
      'RangeError: "data" expected at most 1 blocks of 64 bytes up to the counter\'s end, got 2',
    );
    expectBytes(out, copy, 'out');
    check('refused');
    const stream = xsalsa20.stream(key, longNonce, last);
    stream.update(data.subarray(0, 60));
    expect(refusal(() => stream.update(data.subarray(0, 5)))).toMatch(/counter's end/);
    stream.update(data.subarray(0, 4));
    expect(refusal(() => stream.update(data.subarray(0, 1)))).toMatch(/counter's end/);
  });

  test('streams in any cuts, and seeks, are one call', () => {
    const whole = oracles.salsa20(key, longNonce, data.subarray(0, 5000));
    let state = 12345;
    const random = (below: number): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 1) % below;
    for (let round = 0; round < 20; round++) {
      const stream = xsalsa20.stream(key, longNonce);
      for (let at = 0; at < 5000;) {
        const size = Math.min(5000 - at, random([3, 70, 300, 1500][round % 4]));
        expectBytes(stream.update(data.subarray(at, at + size)), whole.subarray(at, at + size), `${at}, ${size}`);
        at += size;
      }
      for (let i = 0; i < 20; i++) {
        const at = random(5000);
        expectBytes(stream.seek(at).update(data.subarray(at, 5000)), whole.subarray(at), `from ${at}`);
      }
    }
  });

  test('into given bytes, in place and overlapping', () => {
    for (const length of [1, 64, 100, 1000, STAGE_BYTES + 100]) {
      const wanted = oracles.salsa20(key, nonce, data.subarray(0, length));
      const { out, check } = guarded(length, 3);
      expect(salsa20(key, nonce, data.subarray(0, length), out)).toBe(out);
      expectBytes(out, wanted, `${length} bytes`);
      check(`${length} bytes`);
      for (const shift of [-70, -1, 0, 1, 70]) {
        const room = new Uint8Array(length + 140);
        const input = room.subarray(70, 70 + length);
        input.set(data.subarray(0, length));
        const target = room.subarray(70 + shift, 70 + shift + length);
        salsa20(key, nonce, input, target);
        expectBytes(target, wanted, `${length} bytes moved by ${shift}`);
      }
    }
  });

  test('refuses what it cannot take', () => {
    const wrong = <T>(value: unknown): T => value as T;
    expect(refusal(() => salsa20(key.subarray(1), nonce, data))).toBe(
      'RangeError: "key" expected Uint8Array of length 32, got length=31',
    );
    expect(refusal(() => xsalsa20(shortKey, longNonce, data))).toBe(
      'RangeError: "key" expected Uint8Array of length 32, got length=16',
    );
    expect(refusal(() => salsa20(key, longNonce, data))).toBe(
      'RangeError: "nonce" expected Uint8Array of length 8, got length=24',
    );
    expect(refusal(() => salsa12(key, nonce, wrong('text')))).toBe(
      'TypeError: "data" expected Uint8Array, got type=string; use hexToBytes, fromBase64, TextEncoder, or scrypt for a password',
    );
    expect(refusal(() => salsa8(key, nonce, data, new Uint8Array(3)))).toMatch(/^RangeError: "out" expected/);
    expect(refusal(() => salsa20(key, nonce, data, undefined, -1))).toMatch(/^RangeError: "counter" expected/);
    expect(refusal(() => salsa20(key, nonce, data, undefined, wrong('0')))).toMatch(/^TypeError: "counter" expected/);
    const four = new Uint32Array(4);
    expect(refusal(() => hsalsa(four, new Uint32Array(7), four, new Uint32Array(8)))).toBe(
      'RangeError: "key" expected Uint32Array of length 8, got length=7',
    );
    expect(refusal(() => hsalsa(wrong(key), new Uint32Array(8), four, new Uint32Array(8)))).toMatch(/^TypeError/);
    const stream = salsa20.stream(key, nonce);
    stream.destroy();
    expect(refusal(() => stream.update(data))).toBe('Error: cannot use a stream after destroy()');
  });
});

test('ciphers say what they take', () => {
  const shapes = { salsa8, salsa12, salsa20, xsalsa8, xsalsa12, xsalsa20 };
  for (const [name, cipher] of Object.entries(shapes)) {
    expect(cipher.blockSize).toBe(64);
    expect(cipher.nonceLength).toBe(name.startsWith('x') ? 24 : 8);
    expect(Object.isFrozen(cipher)).toBe(true);
  }
});
