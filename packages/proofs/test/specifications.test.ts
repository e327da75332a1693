// The specifications that kernels are proved against, run on numbers: every published known answer that the repository has.
import { covered, fileOf, itCoversItsSpecifications, specifications } from './specification-coverage.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { macData, seal } from '../src/rooms/chacha/aead-specification.ts';
import { bytesOf, numbers, wordsOf, wordsOf64 } from '../src/specifications/algebra.ts';
import * as blake3 from '../src/rooms/blake3/specification.ts';
import * as chacha from '../src/rooms/chacha/specification.ts';
import { hchacha, xchacha } from '../src/rooms/chacha/hchacha-specification.ts';
import * as poly1305 from '../src/rooms/poly1305/specification.ts';
import * as salsa from '../src/rooms/salsa/specification.ts';
import { secretbox } from '../src/rooms/salsa/secretbox-specification.ts';
import { symbols } from '../src/specifications/terms.ts';
import { constant, valueOf } from '../src/terms/term.ts';

type Fields = Record<string, never>;

const load = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../vectors', name), 'utf8'));
function testsOf(name: string, count: number): Fields[] {
  const { tests } = load(name) as { tests: Fields[] };
  test(`${name} has ${count} tests`, () => expect(tests).toHaveLength(count));
  return tests;
}

const hex = (bytes: readonly number[]): string => Buffer.from(bytes).toString('hex');
const unhex = (text: string): number[] => [...Buffer.from(text, 'hex')];
const words = (bytes: readonly number[]): number[] => wordsOf(numbers, bytes);
const zeros = (length: number): number[] => new Array<number>(length).fill(0);
const word = (digits: string): number => parseInt(digits, 16);

/** A counter of 32 bits with a nonce of 12 bytes, of 64 bits with other nonces. */
const counterFrom = (first: number | string, nonceLength: number) => (j: number) => {
  const words = wordsOf64(numbers, BigInt(first) + BigInt(j));
  return nonceLength === 12 ? words.slice(0, 1) : words;
};
const keystream = (key: number[], nonce: number[], counter: number | string, length: number, rounds: chacha.Rounds) =>
  (nonce.length === 24 ? xchacha : chacha.encrypt)(
    numbers,
    words(key),
    counterFrom(counter, nonce.length),
    words(nonce),
    zeros(length),
    rounds,
  );

/** The examples of the RFC and of the draft, by the subject of their section. */
const examples: Record<string, (fields: Fields) => void> = {
  quarterRound({ input, output }) {
    const values = (words: Record<'a' | 'b' | 'c' | 'd', string>): number[] =>
      [words.a, words.b, words.c, words.d].map(word);
    const state = values(input);
    chacha.quarterRound(numbers, state, 0, 1, 2, 3);
    expect(state).toEqual(values(output));
  },
  quarterRoundOnState({ indices, input, output }) {
    const state = (input as string[]).map(word);
    const [a, b, c, d] = indices as number[];
    chacha.quarterRound(numbers, state, a, b, c, d);
    expect(state).toEqual((output as string[]).map(word));
  },
  block({ key, nonce, counter, keystream: expected, stateAfterRounds }) {
    expect(hex(keystream(unhex(key), unhex(nonce), counter, 64, 20))).toBe(expected);
    if (stateAfterRounds === undefined) return;
    const lastRow = [counter, ...words(unhex(nonce))];
    const state = chacha.rounds(numbers, [...chacha.keyRows(numbers, words(unhex(key))), ...lastRow], 20);
    expect(state).toEqual((stateAfterRounds as string[]).map(word));
  },
  encrypt({ key, nonce, counter, plaintext, ciphertext }) {
    const [keyWords, nonceWords] = [words(unhex(key)), words(unhex(nonce))];
    const found = chacha.encrypt(numbers, keyWords, counterFrom(counter, 12), nonceWords, unhex(plaintext));
    expect(hex(found)).toBe(ciphertext);
  },
  xencrypt({ key, nonce, counter, plaintext, ciphertext }) {
    const [keyWords, nonceWords] = [words(unhex(key)), words(unhex(nonce))];
    const found = xchacha(numbers, keyWords, counterFrom(counter, 24), nonceWords, unhex(plaintext));
    expect(hex(found)).toBe(ciphertext);
  },
  hchacha20({ key, nonce, subkey }) {
    const found = hchacha(numbers, words(unhex(key)), words(unhex(nonce)));
    expect(hex(bytesOf(numbers, found))).toBe(subkey);
  },
  poly1305({ key, message, tag }) {
    expect(hex(poly1305.poly1305(unhex(message), unhex(key)))).toBe(tag);
  },
  poly1305KeyGen({ key, nonce, oneTimeKey }) {
    expect(hex(seal(numbers, unhex(key), unhex(nonce), [], []).oneTimeKey)).toBe(oneTimeKey);
  },
  aeadEncrypt: expectSealed,
  aeadDecrypt: expectSealed,
  xaeadEncrypt: expectSealed,
};

function expectSealed(fields: Fields): void {
  const { key, nonce, aad, plaintext, ciphertext, tag, macData: expectedData } = fields;
  const sealed = seal(numbers, unhex(key), unhex(nonce), unhex(aad), unhex(plaintext));
  expect(hex(sealed.ciphertext)).toBe(ciphertext);
  expect(hex(poly1305.poly1305(sealed.macData, sealed.oneTimeKey))).toBe(tag);
  if (expectedData !== undefined) expect(hex(sealed.macData)).toBe(expectedData);
}

describe.each([
  ['rfc8439.json', 30],
  ['xchacha-draft.json', 4],
] as const)('%s', (name, count) => {
  const { sections } = load(name) as { sections: { clause: string; kind: string; tests: Fields[] }[] };
  test('has all its tests', () => expect(sections.flatMap(({ tests }) => tests)).toHaveLength(count));
  test.each(sections)('$clause $kind', ({ kind, tests }) => {
    for (const fields of tests) examples[kind](fields);
  });
});

describe('ChaCha', () => {
  test.each(testsOf('chacha-classic.json', 48))('$name', ({ key, nonce, counter, rounds, keystream: expected }) => {
    const { length } = expected as string;
    expect(hex(keystream(unhex(key), unhex(nonce), counter, length / 2, rounds))).toBe(expected);
  });

  const outputs = testsOf('cryptopp-chacha.json', 40);
  test.each(outputs)('$name at $position', ({ key, nonce, position, rounds, keystream: expected }) => {
    const at = BigInt(position);
    const skip = Number(at % 64n);
    const { length } = expected as string;
    const found = keystream(unhex(key), unhex(nonce), String(at / 64n), skip + length / 2, rounds);
    expect(hex(found.slice(skip))).toBe(expected);
  });

  const counters = testsOf('chacha-counter-edge.json', 186).filter(({ result }) => result === 'valid');
  test.each(counters)('$name', ({ key, nonce, counter, length, rounds, keystream: expected }) => {
    expect(hex(keystream(unhex(key), unhex(nonce), counter, length, rounds))).toBe(expected);
  });
});

describe('the AEADs', () => {
  test.each([
    ['wycheproof-chacha20-poly1305.json', 256, 12],
    ['wycheproof-xchacha20-poly1305.json', 246, 24],
  ] as const)('%s: %i valid tests', (name, valid, nonceLength) => {
    const { tests } = load(name) as { tests: Fields[] };
    const sized = tests.filter(({ iv }) => (iv as string).length === 2 * nonceLength);
    expect(sized.filter(({ result }) => result === 'valid')).toHaveLength(valid);
    for (const { key, iv, aad, msg, ct, tag, result } of sized) {
      const sealed = seal(numbers, unhex(key), unhex(iv), unhex(aad), unhex(msg));
      // Every forgery of the file has a changed tag; its ciphertext is that of the message, or there is no message.
      const data = macData(numbers, unhex(aad), unhex(ct));
      expect(hex(poly1305.poly1305(data, sealed.oneTimeKey)) === tag).toBe(result === 'valid');
      if (result === 'valid') expect(hex(sealed.ciphertext)).toBe(ct);
    }
  });
});

test.each(testsOf('poly1305-edge.json', 101))('Poly1305 $tcId: $comment', ({ key, message, accumulator, tag }) => {
  const r = poly1305.clamp(poly1305.littleEndian(unhex(key).slice(0, 16)));
  const residues: poly1305.Arithmetic<bigint> = {
    zero: 0n,
    add: (x, y) => x + y,
    multiply: (x, y) => (x * y) % poly1305.P,
  };
  expect(poly1305.accumulate(residues, r, poly1305.blockNumbers(unhex(message))).toString(16)).toBe(accumulator);
  expect(hex(poly1305.poly1305(unhex(message), unhex(key)))).toBe(tag);
});

describe('BLAKE3', () => {
  const { key, context_string: context } = load('blake3.json') as { key: string; context_string: string };
  const ascii = (text: string): number[] => [...Buffer.from(text, 'ascii')];
  const input = (length: number): number[] => Array.from({ length }, (_, i) => i % 251);

  test.each(testsOf('blake3.json', 35))('$input_len bytes', (fields) => {
    const message = input(fields['input_len']);
    const expected = (name: string): string => fields[name];
    expect(hex(blake3.hash(numbers, message, 131))).toBe(expected('hash'));
    expect(hex(blake3.keyedHash(numbers, ascii(key), message, 131))).toBe(expected('keyed_hash'));
    expect(hex(blake3.deriveKey(numbers, ascii(context), message, 131))).toBe(expected('derive_key'));
  });

  /** §2.3: the starting value of chunks and parents, and the flag of the mode. */
  function modeOf(name: string): { start: number[]; flags: number } {
    if (name === 'hash') return { start: blake3.IV, flags: 0 };
    if (name === 'keyed_hash') return { start: words(ascii(key)), flags: blake3.KEYED_HASH };
    const node = blake3.tree(numbers, blake3.IV, blake3.DERIVE_KEY_CONTEXT, ascii(context));
    return {
      start: words(blake3.output(numbers, node, 0n).slice(0, 32)),
      flags: blake3.DERIVE_KEY_MATERIAL,
    };
  }
  function outputAt(root: blake3.Node<number>, position: bigint, length: number): number[] {
    const skip = Number(position % 64n);
    const count = Math.ceil((skip + length) / 64);
    const blocks = Array.from({ length: count }, (_, i) => blake3.output(numbers, root, position / 64n + BigInt(i)));
    return blocks.flat().slice(skip, skip + length);
  }
  const edges = testsOf('blake3-edge.json', 195);
  const kind = (name: string): Fields[] => edges.filter((fields) => fields['kind'] === name);

  test('output up to its end', () => {
    expect(kind('output')).toHaveLength(81);
    for (const { mode, input_len, position, length, output } of kind('output')) {
      const { start, flags } = modeOf(mode);
      const root = blake3.tree(numbers, start, flags, input(input_len));
      expect(hex(outputAt(root, BigInt(position), length))).toBe(output);
    }
  });

  test('subtrees by chunk number', () => {
    expect(kind('subtree')).toHaveLength(30);
    for (const { mode, offset, input_len, chainingValue } of kind('subtree')) {
      const { start, flags } = modeOf(mode);
      const node = blake3.tree(numbers, start, flags, input(input_len), BigInt(offset) / 1024n);
      expect(hex(bytesOf(numbers, blake3.chainingValue(numbers, node)))).toBe(chainingValue);
    }
  });

  test('the last bytes of long messages', () => {
    // Where they are one subtree: the others take the kernel's own way of putting subtrees together.
    const tails = kind('tail').filter(({ chunksBefore, input_len }) => {
      const chunks = BigInt(chunksBefore);
      return BigInt(input_len) <= 1024n * (chunks & -chunks);
    });
    expect(tails).toHaveLength(67);
    for (const { mode, chunksBefore, stack, input_len, length, output } of tails) {
      const { start, flags } = modeOf(mode);
      const last = blake3.tree(numbers, start, flags, input(input_len), BigInt(chunksBefore));
      const root = (stack as string[]).reduceRight((right, left) => {
        const value = blake3.chainingValue(numbers, right);
        return blake3.parent(start, flags, words(unhex(left)), value);
      }, last);
      expect(hex(outputAt(root, 0n, length))).toBe(output);
    }
  });
});

describe('Salsa20', () => {
  // "Salsa20 specification" §3.
  test('quarterround', () => {
    const quarterround = (...words: number[]): number[] => salsa.quarterround(numbers, words);
    expect(quarterround(0, 0, 0, 0)).toEqual([0, 0, 0, 0]);
    expect(quarterround(1, 0, 0, 0)).toEqual([0x08008145, 0x00000080, 0x00010200, 0x20500000]);
  });

  // ECRYPT Stream Cipher Project, "Test vectors -- set 1, vector 0", keys of 256 and of 128 bits: key 80 00 … 00, IV 0.
  test.each([
    [
      256,
      'e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844' +
        'b22c97559e2723c7cbbd3fe4fc8d9a0744652a83e72a9c461876af4d7ef1a117',
    ],
    [
      128,
      '4dfa5e481da23ea09a31022050859936da52fcee218005164f267cb65f5cfd7f' +
        '2b4f97e0ff16924a52df269515110a07f9e460bc65ef95da58f740b7d1dbb0aa',
    ],
  ])('ECRYPT set 1 vector 0, %i bits', (bits, expected) => {
    const key = [0x80, ...zeros(bits / 8 - 1)];
    expect(hex(salsa.encrypt(numbers, key, zeros(8), zeros(64)))).toBe(expected);
  });

  const published = testsOf('cryptopp-salsa.json', 110).filter(({ ciphertext }) => ciphertext !== undefined);
  test('Crypto++: Salsa20 with 8, 12 and 20 rounds, XSalsa20', () => {
    expect(published).toHaveLength(109);
    for (const { key, nonce, position, rounds, plaintext, ciphertext } of published) {
      const [k, v] = [unhex(key), unhex(nonce)];
      const found = plaintext === '' ? zeros((ciphertext as string).length / 2) : unhex(plaintext);
      const skip = Number(BigInt(position) % 64n);
      const cipher = v.length === 24 ? salsa.xsalsa : salsa.encrypt;
      const stream = cipher(numbers, k, v, [...zeros(skip), ...found], BigInt(position) / 64n, rounds);
      expect(hex(stream.slice(skip))).toBe(ciphertext);
    }
  });

  // "Cryptography in NaCl" (D. J. Bernstein, 2009) §8: firstkey and secondkey.
  test('HSalsa20', () => {
    const shared = unhex('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742');
    const first = salsa.hsalsa(numbers, shared, zeros(16));
    expect(hex(first)).toBe('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389');
    const second = salsa.hsalsa(numbers, first, unhex('69696ee955b62b73cd62bda875fc73d6'));
    expect(hex(second)).toBe('dc908dda0b9344a953629b733820778880f3ceb421bb61b91cbd4c3e66256ce4');
  });
});

describe('secretbox', () => {
  const boxes = testsOf('salsa-nacl.json', 14).filter(({ kind }) => (kind as string).startsWith('secretbox'));
  test('NaCl, libsodium: with XSalsa20 and with XChaCha20', () => {
    expect(boxes).toHaveLength(11);
    for (const { kind, key, nonce, plaintext, box } of boxes) {
      const cipher = kind === 'secretbox' ? 'salsa' : 'chacha';
      const { oneTimeKey, ciphertext } = secretbox(numbers, cipher, unhex(key), unhex(nonce), unhex(plaintext));
      expect(hex([...poly1305.poly1305(ciphertext, oneTimeKey), ...ciphertext])).toBe(box);
    }
  });
});

describe('numbers', () => {
  // Each of the 64 bits of a counter; vectors reach a few values only.
  test('of 64 bits are two words', () => {
    for (let bit = 0n; bit < 64n; bit++) {
      const [low, high] = wordsOf64(numbers, 1n << bit);
      expect(BigInt(low) + (BigInt(high) << 32n)).toBe(1n << bit);
    }
  });

  test('and terms give the same', () => {
    const words = [0, 1, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x01234567];
    const term = (value: number) => constant(32, value);
    for (const x of words)
      for (const y of words) {
        expect(valueOf(symbols.add(term(x), term(y)))).toBe(numbers.add(x, y));
        expect(valueOf(symbols.xor(term(x), term(y)))).toBe(numbers.xor(x, y));
        const count = 1 + (y % 31);
        expect(valueOf(symbols.rotl(term(x), count))).toBe(numbers.rotl(x, count));
        expect(valueOf(symbols.word(x))).toBe(x);
        expect(valueOf(symbols.byte(x))).toBe(numbers.byte(x));
        const bytes = symbols.toBytes(term(x));
        expect(bytes.map(valueOf)).toEqual(numbers.toBytes(x));
        expect(valueOf(symbols.fromBytes(bytes))).toBe(x);
      }
  });
});

/** Another specification, the operations on words, terms. */
const ALLOWED =
  /^(?:\.|\.\.\/\w+)\/(?:[\w-]+-)?specification\.ts$|^(?:\.|\.\.\/\.\.\/specifications)\/algebra\.ts$|^\.\.\/terms\/term\.ts$/;

describe('specifications', () => {
  test('each have a file of tests whose vectors reach all of it', () => {
    expect(covered()).toEqual(specifications());
  });

  test('import each other and terms, and nothing of the library', () => {
    for (const name of specifications()) {
      const source = readFileSync(fileOf(name), 'utf8');
      const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, path]) => path);
      expect(
        imports.filter((path) => !ALLOWED.test(path)),
        name,
      ).toEqual([]);
    }
  });

  itCoversItsSpecifications(
    'algebra',
    'terms',
    'blake3/specification',
    'chacha/specification',
    'chacha/aead-specification',
    'chacha/hchacha-specification',
    'poly1305/specification',
    'salsa/specification',
    'salsa/secretbox-specification',
  );
});
