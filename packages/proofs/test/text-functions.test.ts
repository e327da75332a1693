/** The functions of texts beside those of the scalar modules: one that is another one is found, and so are loops of a text's own that go wrong. */
import { describe, expect, it } from 'vitest';
import * as blake2 from '../../lanewise/src/blake2/map.ts';
import * as sha2 from '../../lanewise/src/sha2/map.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { sameFunctions, textFunctionsClaims } from '../src/claims/text-functions.ts';
import { moduleOf, scalarOf, textOf, texts, type KernelText } from '../src/javascript/texts.ts';
import {
  atStart,
  flip,
  flipWhere,
  ifEqual,
  ifWord,
  inLoop,
  parameter,
  withConstants,
  type Plant,
} from '../src/mutations/plant.ts';
import { blake2TextInduction } from '../src/rooms/blake2/induction.ts';
import { sha512TextInduction } from '../src/rooms/sha2/induction.ts';
import { decode } from '../src/wasm/decode.ts';

/** The text as if it were made of a damaged module. */
function damaged(text: KernelText, plant: Plant): KernelText {
  const { bytes } = plant(moduleOf(text));
  return { ...text, moduleBytes: () => bytes };
}

const functionsClaim = (text: KernelText): Claim => textFunctionsClaims(text)[0];
const translationClaim = (text: KernelText): Claim => textFunctionsClaims(text)[1];

async function failureOf(claim: Claim): Promise<string> {
  try {
    await claim.prove();
    return '';
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

describe('functions', () => {
  const blake3 = textOf('blake3');
  const [module, scalar] = [blake3.moduleBytes(), scalarOf(blake3).bytes].map((bytes) => decode(bytes));

  it('of a text and its scalar module are the same', async () => {
    expect(sameFunctions(module, scalar)).toHaveLength(module.functions.length);
    expect(await failureOf(functionsClaim(blake3))).toBe('');
  });

  it.each<readonly [string, Plant, RegExp]>([
    [
      'another constant',
      (kernel) =>
        withConstants(kernel, [decode(kernel.bytes).functions[0].code.find(({ op }) => op === 'i32.const')!], 3),
      /^1 functions are its own, and not 0: 0$/,
    ],
    ['a statement more', atStart('tree', flip(64)), /^1 functions are its own, and not 0: tree$/],
    // Functions that only such a function calls are not looked at.
    ['a function that calls others', atStart('hash', flip(64)), /^\d+ functions are its own, and not 0: .*hash/],
  ])('with %s are others', async (_, plant, message) => {
    expect(await failureOf(functionsClaim(damaged(blake3, plant)))).toMatch(message);
  });

  it('of its own are as many as the list says', async () => {
    // Another function of ChaCha, and one that calls two in the place of one.
    const text = textOf('chacha');
    expect(await failureOf(functionsClaim(text))).toBe('');
    const other = damaged(text, atStart('extend', flip(64)));
    expect(await failureOf(functionsClaim(other))).toBe('3 functions are its own, and not 2: extend, 4, 6');
    const exchanged = decode(text.moduleBytes());
    const [first, second] = exchanged.functions.filter(({ type }) => type.parameters.length === 1);
    const swapped = {
      ...exchanged,
      functions: exchanged.functions.map((f) => (f === first ? { ...f, code: second.code } : f)),
    };
    expect(sameFunctions(swapped, decode(scalarOf(text).bytes)).length).toBeLessThan(15);
  });
});

describe('loops of its own, where they go wrong after a number of blocks', () => {
  const claims: readonly (readonly [string, (text: KernelText) => Claim[], number])[] = [
    ['blake2b', blake2TextInduction, blake2.H],
    ['blake2s', blake2TextInduction, blake2.H],
    ['sha512', sha512TextInduction, sha2.STATE],
  ];
  it.each(claims)('%s', async (family, claimsOf, state) => {
    const [shipped] = claimsOf(textOf(family));
    expect(await failureOf(shipped)).toBe('');
    const left = parameter(1);
    for (const plant of [
      // With 70,000 blocks left, if a word of the state has one value.
      inLoop('compress', flipWhere(state, state, ifEqual(left, 70_000))),
      inLoop('compress', i32.store(0, state, i32.xor(i32.load(0, state), ifWord(state, 1)))),
    ]) {
      const [claim] = claimsOf(damaged(textOf(family), plant));
      expect(await failureOf(claim)).not.toBe('');
    }
  });
});

/** Each number of a text that isn't in its head or in a loop of doubles, at most so many, one larger. */
const MOST_NUMBERS = 60;

describe('the text', () => {
  it.each(texts)('$name takes the steps of its module', async (text) => {
    expect(await failureOf(translationClaim(text))).toBe('');
  });

  it.each(texts)('$name with another number does something else', async (text) => {
    // Other claims are about functions in doubles.
    const functions = [...text.text.matchAll(/ {2}function [^]*?\n {2}\}/g)].filter(
      ([body]) => !/\de[+-]\d/.test(body),
    );
    const all = functions.flatMap(({ index: from, 0: body }) =>
      // A variable may be declared where it is not yet read.
      [...body.matchAll(/(?<![\w.])\d+(?![\w.])/g)].map(({ index, 0: number }) => ({ at: from + index, number })),
    );
    const chosen = all.filter((_, i) => i % Math.ceil(all.length / MOST_NUMBERS) === 0);
    const same: string[] = [];
    for (const { at, number } of chosen) {
      const other = text.text.slice(0, at) + String(Number(number) + 1) + text.text.slice(at + number.length);
      if ((await failureOf(translationClaim({ ...text, text: other }))) === '')
        same.push(text.text.slice(text.text.lastIndexOf('\n', at) + 1, text.text.indexOf('\n', at)));
    }
    expect(chosen.length).toBeGreaterThan(2);
    // Variables are declared where nothing reads the zero, and a carry is one bit of many.
    expect(same.filter((line) => !/^ *let x\d+ = 0, |>>> 31;$/.test(line))).toEqual([]);
  });

  const edits: readonly (readonly [string, string, string, string, RegExp])[] = [
    [
      'a key that is lost with 70,000 blocks left',
      'chacha',
      'let x0 = words[656];',
      'let x0 = words[656]; if (p2 === 70000) x0 = 0;',
      /branches and loops/,
    ],
    [
      'the same by arithmetic',
      'chacha',
      'let x0 = words[656];',
      'let x0 = words[656] & -(((p2 >>> 16) & 1) ^ 1);',
      /local \d+|a store/,
    ],
    [
      'the same by a counter in memory',
      'chacha',
      'let x0 = words[656];',
      'words[0] += 1; let x0 = words[656];',
      /number of steps/,
    ],
    ['a loop that ends early', 'chacha', '!== 0);', '> 1);', /a comparison of numbers with a sign|condition of a loop/],
    ['another function', 'chacha', 'inner0(10, 2816, 1);', 'inner2(10, 2816, 1);', /an operand|function \d+/],
    ['an exchange of operands', 'chacha', 'inner3(p0, p1);', 'inner3(p1, p0);', /an operand/],
    [
      'a helper that stands for another instruction',
      'chacha',
      '(bytes[at + 1] << 8)',
      '(bytes[at + 1] << 9)',
      /local|operand|store|result|condition/,
    ],
    ['a helper for a verdict', 'chacha', '>>> 31) ^ 1', '>>> 31) ^ 0', /result|operand/],
    [
      'a number that leaves 32 bits',
      'blake3',
      'x0 = (x0 + x4) | 0;',
      'x0 = x0 + x4;',
      /a number that leaves 32 bits|has no place|another one/,
    ],
    ['a variable of an outer block that a branch forgets to set', 'serpent', 'p0 &= 31;', '', /local|store/],
  ];
  it.each(edits)('%s', async (_, family, before, after, message) => {
    const text = textOf(family);
    expect(text.text).toContain(before);
    expect(await failureOf(translationClaim({ ...text, text: text.text.replace(before, after) }))).toMatch(message);
  });
});
