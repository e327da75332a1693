// The constant-time typing of the `js` engine's text: no leak is found in the shipped texts, and each kind of leak is
// found where one is planted.
import { describe, expect, it } from 'vitest';
import { typeText, type Typing } from '../src/javascript/constant-time.ts';
import { parse } from '../src/javascript/parse.ts';
import { textOf, texts } from '../src/javascript/texts.ts';
import { proofsOf } from '../src/rooms.ts';

const IMPORTS = "import { Bytes, Words, fillBytes, imul, moveBytes } from '../../engine/intrinsics.ts';";

const typeBody = (body: string, functions = ''): Typing =>
  typeText(
    parse(`${IMPORTS}
export function made(memory: ArrayBuffer): Made {
  const words = new Words(memory);
  const bytes = new Bytes(memory);
  ${functions}
  function run(p0: number): void { ${body} }
  return { run };
}`),
  );
const kindsOf = ({ violations }: Typing): string[] => violations.map(({ kind }) => kind);

describe('the constant-time typing of the texts', () => {
  it.each(texts)('finds no violation in $name', ({ text, family }) => {
    expect(typeText(parse(text), proofsOf(family).secretAddresses).violations).toEqual([]);
  });

  it.each([
    ['', ['words[p1 >> 2]'], []],
    ['let x = (p1 + 64) | 0; let y = words[x >> 2];', [], []],
    ['if (p1 > 5) p0 = 1;', [], ['condition']],
    ['words[p1 >> 2] = 0;', [], ['index']],
    ['let x = words[words[p0 >> 2] >> 2];', [], ['index']],
    ['let x = words[(p1 ^ words[p0 >> 2]) >> 2];', [], ['index']],
    ['fillBytes(bytes, 0, p1, 5);', [], ['address']],
    ['let x = p0 << p1;', [], ['shift count']],
  ])('a parameter that may be the address of a load, in %s', (body, expressions, kinds) => {
    const program = parse(`${IMPORTS}
export function made(memory: ArrayBuffer): Made {
  const words = new Words(memory);
  const bytes = new Bytes(memory);
  function run(p0: number, p1: number): void { ${body}${expressions.map((x) => `let z = ${x};`).join(' ')} }
  return { run };
}`);
    expect(typeText(program, { run: [1] }).violations.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('says which results depend on secrets: whether a tag is right, which is what is asked', () => {
    const results = texts.map(({ name, text }) => [name, typeText(parse(text)).verdicts] as const);
    expect(Object.fromEntries(results)).toEqual({
      'argon2 js': [],
      'blake2b js': [],
      'blake2s js': [],
      'chacha js': ['verify', 'open'],
      'salsa js': ['verify', 'open'],
      'secretbox-chacha js': ['verify', 'open'],
      'poly1305 js': [],
      'blake3 js': [],
      'serpent js': ['verify', 'open'],
      'serpent-ctr js': [],
      'disk js': [],
      'random js': [],
      'scrypt js': [],
      'sha256 js': [],
      'sha512 js': [],
      'sha256lanes js': [],
    });
    expect(texts.flatMap(({ text }) => typeText(parse(text)).secretResults)).toEqual([]);
  });

  const ZERO = 'const isZero = (x: number): number => ((x | (0 - x)) >>> 31) ^ 1;';
  it.each([
    ['', 'isZero((words[0] ^ words[1]) | (words[2] ^ words[3]))', 'verdict'],
    ['let x = words[0] ^ words[1]; let y = isZero(x | (words[2] ^ words[3]));', 'y', 'verdict'],
    ['let x = 0; if (p0 > 1) x = isZero(words[0] ^ words[1]);', 'x', 'public or verdict'],
    ['', 'isZero(p0)', 'public'],
    // The key is no difference, nor is one with a number that is known.
    ['', 'isZero(words[0])', 'secret'],
    ['', 'isZero(words[0] ^ 77)', 'secret'],
    ['', 'isZero((words[0] ^ words[1]) | words[2])', 'secret'],
    ['', 'isZero((words[0] ^ words[1]) & 255)', 'secret'],
    ['', 'words[0] ^ words[1]', 'secret'],
    ['', 'isZero(words[0] ^ words[1]) + (words[2] & 1)', 'secret'],
    ['', 'isZero(words[0] ^ words[1]) ^ 1', 'secret'],
    ['let x = isZero(words[0] ^ words[1]); if (p0 > 9) x = words[4];', 'x', 'secret'],
  ])('of %s %s it is a %s', (body, result, what) => {
    const typed = (zero: string): Typing =>
      typeText(
        parse(`${IMPORTS}
export function made(memory: ArrayBuffer): Made {
  const words = new Words(memory);
  const bytes = new Bytes(memory);
  ${zero}
  function run(p0: number): number { ${body} return ${result}; }
  return { run };
}`),
      );
    const { verdicts, secretResults } = typed(ZERO);
    expect({ verdicts, secretResults }).toEqual({
      verdicts: what.includes('verdict') ? ['run'] : [],
      secretResults: what === 'secret' ? ['run'] : [],
    });
    // Another test for zero is not known to be one.
    const others = typed(ZERO.replace('>>> 31', '>>> 30'));
    expect([...others.verdicts, ...others.secretResults]).toEqual(what === 'public' ? [] : ['run']);
    expect(others.verdicts).toEqual([]);
  });

  it.each([
    ['if (words[0] > 1) p0 = 1;', ['condition']],
    ['let x = 0; if (p0 > 1) x = bytes[3]; if (x === 0) p0 = 1;', ['condition']],
    ['do { p0 = 1; } while (words[0] > 1);', ['condition']],
    ['while (words[0] > 1) p0 = 1;', ['condition']],
    ['for (let i = 0; i < words[0]; i++) p0 = 1;', ['condition']],
    ['p0 = words[0] < 1 ? 1 : 2;', ['condition']],
    ['if (p0 > 1 && words[0] > 1) p0 = 1;', ['condition']],
    ['if (words[0] > 1 || p0 > 1) p0 = 1;', ['condition']],
    ['if (!(words[0] > 1)) p0 = 1;', ['condition']],
    // The secret comes around a loop.
    ['let x = 0; let n = 3; do { if (x > 0) p0 = 1; x = words[0]; n = n - 1; } while (n > 0);', ['condition']],
    ['p0 = words[words[0]];', ['index']],
    ['p0 = bytes[-words[0]];', ['index']],
    ['words[words[0] & 3] = 1;', ['index']],
    ['words[words[0] & 3] += 1;', ['index']],
    ['fillBytes(bytes, 0, words[0], 4);', ['address']],
    ['fillBytes(bytes, 0, 4, words[0]);', ['address']],
    ['moveBytes(bytes, words[0], 1, 2);', ['address']],
    ['moveBytes(bytes, 1, words[0], 2);', ['address']],
    ['moveBytes(bytes, 1, 2, words[0]);', ['address']],
    ['p0 = 1 << words[0];', ['shift count']],
    ['words[0] <<= words[1];', ['shift count']],
    ['p0 >>>= imul(words[0], 2);', ['shift count']],
    // Code without a leak.
    ['fillBytes(bytes, words[0], 1, 2);', []],
    ['words[p0] = words[p0 >> 2] << p0;', []],
    ['let x = p0; if (x > 1) words[0] = imul(words[1], x);', []],
  ])('types %s', (body, kinds) => {
    expect(kindsOf(typeBody(body))).toEqual(kinds);
  });

  it('follows secrets into functions and out of them', () => {
    const into = 'function f(x: number): void { if (x > 0) words[0] = 1; }';
    expect(kindsOf(typeBody('f(p0);', into))).toEqual([]);
    expect(kindsOf(typeBody('f(p0); f(words[0]);', into))).toEqual(['condition']);
    const out = 'const f = (x: number): number => bytes[x];';
    expect(kindsOf(typeBody('if (f(p0) > 0) p0 = 1;', out))).toEqual(['condition']);
    const through = 'const g = (x: number): number => f(x); const f = (x: number): number => x | 1;';
    expect(kindsOf(typeBody('if (g(p0) > 0) p0 = 1;', through))).toEqual([]);
    expect(kindsOf(typeBody('if (g(words[0]) > 0) p0 = 1;', through))).toEqual(['condition']);
  });

  it.each([
    ['chacha', 'words[p1 >> 2] ^= x0 + words[656];', 'words[x0 >> 2] ^= x0 + words[656];', 'index'],
    ['chacha', 'if (p1 !== 0) {', 'if (words[680] !== 0) {', 'condition'],
    ['chacha', 'while ((x16 = (x16 - 1) | 0) !== 0)', 'while ((x16 = (x15 - 1) | 0) !== 0)', 'condition'],
    ['poly1305', '(p0 & 15) !== 0', '(words[24] & 15) !== 0', 'condition'],
    ['blake3', '(x12 << 16)', '(x12 << x0)', 'shift count'],
  ] as const)('finds a leak that is planted in %s: %s', (family, before, after, kind) => {
    const { text } = textOf(family);
    expect(text).toContain(before);
    const { violations } = typeText(parse(text.replace(before, after)));
    const line = text.slice(0, text.indexOf(before)).split('\n').length;
    expect(violations).toContainEqual({ kind, line });
  });
});
