/** The functions of texts beside those of the scalar modules: one that is another one is found, and so are loops of a text's own that go wrong. */
import { describe, expect, it } from 'vitest';
import * as blake2 from '../../lanewise/src/blake2/map.ts';
import * as sha2 from '../../lanewise/src/sha2/map.ts';
import * as i32 from '../../lanewise/src/wasm/i32.ts';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { sameFunctions, textFunctionsClaim } from '../src/claims/text-functions.ts';
import { moduleOf, scalarOf, textOf, type KernelText } from '../src/javascript/texts.ts';
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
    expect(await failureOf(textFunctionsClaim(blake3))).toBe('');
  });

  it.each<readonly [string, Plant, RegExp]>([
    [
      'another constant',
      (kernel) =>
        withConstants(kernel, [decode(kernel.bytes).functions[0].code.find(({ op }) => op === 'i32.const')!], 3),
      /^1 functions are its own, and not 0: 0$/,
    ],
    ['a statement more', atStart('tree', flip(64)), /^1 functions are its own, and not 0: tree$/],
    // What only such a function calls is not looked at.
    ['a function that calls others', atStart('hash', flip(64)), /^\d+ functions are its own, and not 0: .*hash/],
  ])('with %s are others', async (_, plant, message) => {
    expect(await failureOf(textFunctionsClaim(damaged(blake3, plant)))).toMatch(message);
  });

  it('of its own are as many as the list says', async () => {
    // Another function of ChaCha, and one that calls two in the place of one.
    const text = textOf('chacha');
    expect(await failureOf(textFunctionsClaim(text))).toBe('');
    const other = damaged(text, atStart('extend', flip(64)));
    expect(await failureOf(textFunctionsClaim(other))).toBe('3 functions are its own, and not 2: extend, 4, 6');
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
