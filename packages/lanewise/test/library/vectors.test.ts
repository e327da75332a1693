/** Every known answer of /vectors, on every engine, through the public functions. */
// Runs in every mode: known answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as lanewise from '../../src/chacha.ts';
import { chacha20, hchacha, xchacha20, type AeadCipher, type StreamCipher } from '../../src/chacha.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { quarterRound } from '../../src/chacha/rounds.ts';
import { SIGMA } from '../../src/keystream/core.ts';
import type { Words } from '../../src/words/machine.ts';
import { concat, hex, refusal, unhex, untouched } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

/** The fields that a kind of example has; `never` passes for all their types. */
type Test = Record<string, never>;

const load = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8'));
/** All tests of a file. Their number must be `count`: a file that was cut short would otherwise pass. */
function testsOf<T>(name: string, count: number): T[] {
  const { tests } = load(name) as { tests: T[] };
  test(`${name} has ${count} tests`, () => expect(tests).toHaveLength(count));
  return tests;
}
interface Section {
  readonly kind: string;
  readonly tests: readonly Test[];
}
function sectionsOf(name: string, counts: Readonly<Record<string, number>>): Section[] {
  const { sections } = load(name) as { sections: Section[] };
  test(`${name} has all its tests`, () => {
    const found: Record<string, number> = {};
    for (const { kind, tests } of sections) found[kind] = (found[kind] ?? 0) + tests.length;
    expect(found).toEqual(counts);
  });
  return sections;
}

const ciphers: Readonly<Record<string, StreamCipher>> = {
  '8 of 8': lanewise.chacha8orig,
  '12 of 8': lanewise.chacha12orig,
  '20 of 8': lanewise.chacha20orig,
  '8 of 12': lanewise.chacha8,
  '12 of 12': lanewise.chacha12,
  '20 of 12': lanewise.chacha20,
  '8 of 24': lanewise.xchacha8,
  '12 of 24': lanewise.xchacha12,
  '20 of 24': lanewise.xchacha20,
};
const cipherOf = (rounds: number, nonce: Uint8Array): StreamCipher => ciphers[`${rounds} of ${nonce.length}`];

/** The keystream, in one call, in place, and streamed in two pieces; they must agree. */
function keystream(cipher: StreamCipher, key: Uint8Array, nonce: Uint8Array, length: number, counter: bigint): string {
  const zeros = new Uint8Array(length);
  const answer = hex(cipher(key, nonce, zeros, undefined, counter));
  expect(hex(cipher(key, nonce, zeros, zeros, counter))).toBe(answer);
  const stream = cipher.stream(key, nonce, counter);
  const half = length >> 1;
  expect(hex(concat(stream.update(new Uint8Array(half)), stream.update(new Uint8Array(length - half))))).toBe(answer);
  return answer;
}

/** Nothing may be written, by the call or by a stream. */
function expectRefused(
  cipher: StreamCipher,
  key: Uint8Array,
  nonce: Uint8Array,
  length: number,
  counter: bigint,
): void {
  const out = untouched(length);
  expect(refusal(() => cipher(key, nonce, new Uint8Array(length), out, counter))).toMatch(/^RangeError: "/);
  expect(refusal(() => cipher.stream(key, nonce, counter).update(new Uint8Array(length), out))).toMatch(
    /^RangeError: "/,
  );
  expect(hex(out)).toBe(hex(untouched(length)));
}

function checkSealed(aead: AeadCipher, t: Readonly<Record<string, string>>): void {
  const { key, nonce, aad, plaintext, ciphertext, tag } = t;
  const make = (): lanewise.Aead => aead(unhex(key), unhex(nonce), unhex(aad));
  const sealed = unhex(ciphertext + tag);
  expect(hex(make().encrypt(unhex(plaintext)))).toBe(ciphertext + tag);
  expect(hex(make().decrypt(sealed))).toBe(plaintext);
  const parts = make().encryptDetached(unhex(plaintext));
  expect([hex(parts.ciphertext), hex(parts.tag)]).toEqual([ciphertext, tag]);
  expect(hex(make().decryptDetached(parts.ciphertext, parts.tag))).toBe(plaintext);
  if (aad === '') expect(hex(aead(unhex(key), unhex(nonce)).encrypt(unhex(plaintext)))).toBe(ciphertext + tag);
}

/** The word machine that RFC 8439 writes its examples in. */
class PlainWords implements Words<number> {
  readonly state: number[];
  constructor(state: readonly string[]) {
    this.state = state.map((word) => parseInt(word, 16));
  }
  add(d: number, s: number): void {
    this.state[d] = (this.state[d] + this.state[s]) >>> 0;
  }
  xor(d: number, s: number): void {
    this.state[d] = (this.state[d] ^ this.state[s]) >>> 0;
  }
  rotl(d: number, n: number): void {
    this.state[d] = ((this.state[d] << n) | (this.state[d] >>> (32 - n))) >>> 0;
  }
  get words(): string[] {
    return this.state.map((word) => word.toString(16).padStart(8, '0'));
  }
}

const wordsOf = (bytes: Uint8Array): Uint32Array => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
};
const littleEndian = (words: readonly string[]): string => words.map((word) => hex(unhex(word).reverse())).join('');
const sigma = Uint32Array.from(SIGMA);

describe('the quarter round, RFC 8439 §2.1.1 and §2.2.1', () => {
  const { sections } = load('rfc8439.json') as { sections: Section[] };
  const [four] = sections.filter(({ kind }) => kind === 'quarterRound').flatMap(({ tests }) => tests);
  const [state] = sections.filter(({ kind }) => kind === 'quarterRoundOnState').flatMap(({ tests }) => tests);
  test('of four words', () => {
    const machine = new PlainWords(Object.values(four['input']));
    quarterRound(machine, 0, 1, 2, 3);
    expect(machine.words).toEqual(Object.values(four['output']));
  });
  test('of a state', () => {
    const machine = new PlainWords(state['input']);
    const [a, b, c, d] = state['indices'] as readonly number[];
    quarterRound(machine, a, b, c, d);
    expect(machine.words).toEqual(state['output']);
  });
});

/** The examples of RFC 8439 and the XChaCha draft, by kind. */
const kinds: Readonly<Record<string, (t: Test) => void>> = {
  quarterRound: () => undefined, // above: it is the same for all engines
  quarterRoundOnState: () => undefined,
  block(t) {
    const answer = keystream(chacha20, unhex(t['key']), unhex(t['nonce']), 64, BigInt(t['counter']));
    expect(answer).toBe(t['keystream']);
    expect(answer).toBe(littleEndian(t['stateAtEnd']));
  },
  encrypt(t) {
    const run = (data: string): string =>
      hex(chacha20(unhex(t['key']), unhex(t['nonce']), unhex(data), undefined, t['counter']));
    expect(run(t['plaintext'])).toBe(t['ciphertext']);
    expect(run(t['ciphertext'])).toBe(t['plaintext']);
  },
  xencrypt(t) {
    const run = (data: string): string =>
      hex(xchacha20(unhex(t['key']), unhex(t['nonce']), unhex(data), undefined, t['counter']));
    expect(run(t['plaintext'])).toBe(t['ciphertext']);
    expect(run(t['ciphertext'])).toBe(t['plaintext']);
  },
  poly1305: (t) => expect(hex(poly1305(unhex(t['message']), unhex(t['key'])))).toBe(t['tag']),
  poly1305KeyGen: (t) => expect(keystream(chacha20, unhex(t['key']), unhex(t['nonce']), 32, 0n)).toBe(t['oneTimeKey']),
  aeadEncrypt(t) {
    checkSealed(lanewise.chacha20poly1305, t);
    expect(hex(poly1305(unhex(t['macData']), unhex(t['oneTimeKey'])))).toBe(t['tag']);
  },
  aeadDecrypt(t) {
    checkSealed(lanewise.chacha20poly1305, t);
    expect(hex(poly1305(unhex(t['macData']), unhex(t['oneTimeKey'])))).toBe(t['tag']);
  },
  xaeadEncrypt: (t) => checkSealed(lanewise.xchacha20poly1305, t),
  hchacha20(t) {
    const subkey = new Uint32Array(8);
    hchacha(sigma, wordsOf(unhex(t['key'])), wordsOf(unhex(t['nonce'])), subkey);
    expect(subkey).toEqual(wordsOf(unhex(t['subkey'])));
  },
};

const rfc8439 = sectionsOf('rfc8439.json', {
  quarterRound: 1,
  quarterRoundOnState: 1,
  block: 6,
  encrypt: 4,
  poly1305: 12,
  poly1305KeyGen: 4,
  aeadEncrypt: 1,
  aeadDecrypt: 1,
});
const draft = sectionsOf('xchacha-draft.json', { hchacha20: 1, xaeadEncrypt: 1, xencrypt: 2 });

interface Keystream {
  readonly name: string;
  readonly rounds: number;
  readonly key: string;
  readonly nonce: string;
  readonly keystream: string;
  readonly counter: string;
  readonly position: string;
  readonly length: number;
  readonly result: string;
}
const classic = testsOf<Keystream>('chacha-classic.json', 48);
const cryptopp = testsOf<Keystream>('cryptopp-chacha.json', 40);
const edges = testsOf<Keystream>('chacha-counter-edge.json', 186);

interface Wycheproof {
  readonly tcId: number;
  readonly algorithm: string;
  readonly initialCounter: string;
  readonly flags: readonly string[];
  readonly key: string;
  readonly iv: string;
  readonly aad: string;
  readonly msg: string;
  readonly ct: string;
  readonly tag: string;
  readonly result: string;
}
const pycryptodome = testsOf<Wycheproof>('pycryptodome-chacha20-counter.json', 42);
const wycheproof = [
  { aead: lanewise.chacha20poly1305, tests: testsOf<Wycheproof>('wycheproof-chacha20-poly1305.json', 325), valid: 256 },
  {
    aead: lanewise.xchacha20poly1305,
    tests: testsOf<Wycheproof>('wycheproof-xchacha20-poly1305.json', 315),
    valid: 246,
  },
];
const edgesOfPoly1305 = testsOf<{ tcId: number; comment: string; key: string; message: string; tag: string }>(
  'poly1305-edge.json',
  101,
);

onEachEngine(() => {
  for (const [name, sections] of [
    ['RFC 8439', rfc8439],
    ['XChaCha draft', draft],
  ] as const)
    test.each(sections.flatMap(({ kind, tests }) => tests.map((t) => ({ kind, t, name: t['name'] }))))(
      `${name}, $name ($kind)`,
      ({ kind, t }) => kinds[kind](t),
    );

  test.each(classic)('classic: $name: $comment', (t) => {
    const nonce = unhex(t.nonce);
    const answer = keystream(cipherOf(t.rounds, nonce), unhex(t.key), nonce, t.keystream.length / 2, BigInt(t.counter));
    expect(answer).toBe(t.keystream);
  });

  test.each(cryptopp)('Crypto++: $name, $rounds rounds, from byte $position', (t) => {
    const [key, nonce, length] = [unhex(t.key), unhex(t.nonce), t.keystream.length / 2];
    const cipher = cipherOf(t.rounds, nonce);
    const position = BigInt(t.position);
    const stream = cipher.stream(key, nonce).seek(position);
    expect(hex(stream.update(new Uint8Array(length)))).toBe(t.keystream);
    const skip = Number(position % 64n);
    const whole = cipher(key, nonce, new Uint8Array(skip + length), undefined, position / 64n);
    expect(hex(whole.subarray(skip))).toBe(t.keystream);
  });

  test('the counter at its edges', () => {
    let refused = 0;
    for (const t of edges) {
      const [key, nonce, counter] = [unhex(t.key), unhex(t.nonce), BigInt(t.counter)];
      const cipher = cipherOf(t.rounds, nonce);
      if (t.result === 'valid') expect(keystream(cipher, key, nonce, t.length, counter), t.name).toBe(t.keystream);
      else {
        expectRefused(cipher, key, nonce, t.length, counter);
        refused++;
      }
    }
    expect(refused).toBe(21);
  });

  test('pycryptodome: the counter at its edges', () => {
    let refused = 0;
    for (const t of pycryptodome) {
      const [key, nonce, data] = [unhex(t.key), unhex(t.iv), unhex(t.msg)];
      const counter = BigInt(`0x${hex(unhex(t.initialCounter).reverse())}`);
      const cipher = t.algorithm === 'XChaCha20' ? xchacha20 : chacha20;
      if (t.result === 'valid') {
        expect(hex(cipher(key, nonce, data, undefined, counter)), `tcId ${t.tcId}`).toBe(t.ct);
      } else {
        expectRefused(cipher, key, nonce, data.length, counter);
        refused++;
      }
    }
    expect(refused).toBe(6);
  });

  test.each(wycheproof)('Wycheproof, nonces of $aead.nonceLength bytes', ({ aead, tests, valid }) => {
    let accepted = 0;
    for (const t of tests) {
      const make = (): lanewise.Aead => aead(unhex(t.key), unhex(t.iv), unhex(t.aad));
      if (t.result === 'valid') {
        checkSealed(aead, { key: t.key, nonce: t.iv, aad: t.aad, plaintext: t.msg, ciphertext: t.ct, tag: t.tag });
        accepted++;
      } else if (t.iv.length / 2 !== aead.nonceLength) {
        const expected = `RangeError: "nonce" expected Uint8Array of length ${aead.nonceLength}, got length=${t.iv.length / 2}`;
        expect(refusal(make), `tcId ${t.tcId}`).toBe(expected);
      } else {
        const out = untouched(t.ct.length / 2);
        const sealed = unhex(t.ct + t.tag);
        expect(
          refusal(() => make().decrypt(sealed, out)),
          `tcId ${t.tcId}`,
        ).toBe('Error: invalid tag');
        expect(refusal(() => make().decryptDetached(unhex(t.ct), unhex(t.tag), out))).toBe('Error: invalid tag');
        expect(hex(out)).toBe(hex(untouched(out.length)));
      }
    }
    expect(accepted).toBe(valid);
  });

  test.each(edgesOfPoly1305)('Poly1305 at the edges of its arithmetic: $tcId, $comment', (t) => {
    const [key, message] = [unhex(t.key), unhex(t.message)];
    expect(hex(poly1305(message, key))).toBe(t.tag);
    for (let split = 0; split <= message.length; split++) {
      const mac = poly1305.create(key).update(message.subarray(0, split)).update(message.subarray(split));
      expect(hex(mac.digest()), `split at ${split}`).toBe(t.tag);
    }
    const slow = poly1305.create(key);
    for (let i = 0; i < message.length; i++) slow.update(message.subarray(i, i + 1));
    expect(hex(slow.digest()), 'byte by byte').toBe(t.tag);
  });
});
