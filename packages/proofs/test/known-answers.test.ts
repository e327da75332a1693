// A library whose kernels are wrong (wrong-chacha.ts): known answers say so, and claims about wiping are about wiping all the
// same. Those of long kernels are in known-answers.nightly.test.ts.
import { describe, expect, it, vi } from 'vitest';
import { knownAnswer, knownAnswerOfText } from '../src/claims/known-answers.ts';
import { wipingClaims } from '../src/claims/wiping.ts';
import { texts } from '../src/javascript/texts.ts';
import { kernelOf, kernels } from '../src/kernels.ts';
import { failureOf } from './wrong-chacha.ts';

vi.mock('../../lanewise/src/chacha/module.ts', async (original) => {
  const { withWrongChacha } = await import('./wrong-chacha.ts');
  return withWrongChacha(await original<typeof import('../../lanewise/src/chacha/module.ts')>());
});
vi.mock('../../lanewise/src/engine/bytes.ts', async (original) => {
  const { withWrongTexts } = await import('./wrong-chacha.ts');
  return withWrongTexts(await original<typeof import('../../lanewise/src/engine/bytes.ts')>());
});
vi.mock('../src/published.ts', async () => (await import('./wrong-chacha.ts')).asMade);

describe('a kernel that is wrong', () => {
  const wrong = ['chacha short scalar', 'chacha long relaxed'];

  it.each(wrong)('gives another answer: %s', async (name) => {
    expect(await failureOf(knownAnswer(kernelOf(name)))).toMatch(/^chacha (short|long): another answer$/);
  });

  it.each(wipingClaims(kernelOf('chacha short scalar')))('$kernel leaves no secrets: $claim', async (claim) => {
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
