// A library whose kernels are wrong: known answers say so, and claims about wiping are about wiping all the same. In every
// module of ChaCha here `open` takes all tags for wrong ones, so it gives other answers than it should, and what was
// encrypted cannot be decrypted.
import { describe, expect, it, vi } from 'vitest';
import { Failure, type Claim } from '../src/claims/claim.ts';
import { knownAnswer, knownAnswerOfText } from '../src/claims/known-answers.ts';
import { wipingClaims, wipingTextClaims } from '../src/claims/wiping.ts';
import { textOf, texts } from '../src/javascript/texts.ts';
import { kernelOf, kernels } from '../src/kernels.ts';

vi.mock('../../lanewise/src/chacha/module.ts', async (original) => {
  const { chachaModule, ...others } = await original<typeof import('../../lanewise/src/chacha/module.ts')>();
  const { patched } = await import('../src/mutations/patch.ts');
  const { decode } = await import('../src/wasm/decode.ts');
  const { exported } = await import('../src/wasm/types.ts');
  const I32_CONST_0_AND = '\x41\x00\x71';
  /** The verdict has no bits left. */
  const withoutVerdict = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    const { code } = exported(decode(bytes), 'open');
    return patched(bytes, code[code.length - 1].at, 0, I32_CONST_0_AND);
  };
  return {
    ...others,
    chachaModule: (form: Parameters<typeof chachaModule>[0]) => ({
      bytes: () => withoutVerdict(chachaModule(form).bytes()),
    }),
  };
});

async function failureOf(claim: Claim): Promise<string | undefined> {
  try {
    await claim.prove();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

describe('a kernel that is wrong', () => {
  const wrong = ['chacha short scalar', 'chacha long relaxed'];

  it.each(wrong)('gives another answer: %s', async (name) => {
    expect(await failureOf(knownAnswer(kernelOf(name)))).toMatch(/^chacha (short|long): another answer$/);
  });

  it.each(wrong.flatMap((name) => wipingClaims(kernelOf(name))))('$kernel leaves no secrets: $claim', async (claim) => {
    expect(await failureOf(claim)).toBeUndefined();
  });
});

describe('what is right', () => {
  it.each(kernels.filter(({ family }) => family !== 'chacha'))('$name', async (kernel) => {
    expect(await failureOf(knownAnswer(kernel))).toBeUndefined();
  });

  it.each(texts)('$name', async (text) => {
    expect(await failureOf(knownAnswerOfText(text))).toBeUndefined();
  });
});

it('a text that is wrong gives another answer, and leaves no secrets', async () => {
  const shipped = textOf('chacha');
  const text = { ...shipped, text: shipped.text.replace('return verify(2832);', 'return 0 & verify(2832);') };
  expect(text.text).not.toBe(shipped.text);
  expect(await failureOf(knownAnswerOfText(text))).toBe('chacha long: another answer');
  const [decryption] = wipingTextClaims(text).filter(({ claim }) => claim.includes('AEAD, decryption'));
  expect(await failureOf(decryption)).toBeUndefined();
});
